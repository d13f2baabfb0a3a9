import type { JsonValue } from '@palimpsest/contracts';
import {
  acceptKnowledgeSchema,
  findCapsuleSchema,
  flushKnowledgeSchema,
  mcpHealthQuerySchema,
  planLoadingSchema,
  recordCapsuleSchema,
  REGISTRY_SUBJECTS,
  reportMcpHealthSchema,
  type CapsuleView,
  type FindCapsule,
  type LoadingPlan,
  type McpHealthAnswer,
  type McpHealthQuery,
  type PlanLoading,
  type RecordCapsule,
} from '@palimpsest/contracts/registry';
import { NotFoundError } from '@palimpsest/kernel';
import { capsuleCommandId, decideRecordCapsule } from '../domain/sharing/capsules.js';
import { decideAcceptKnowledge, decideFlushKnowledge } from '../domain/sharing/knowledge.js';
import { loadingPlanOf } from '../domain/sharing/loading-plan.js';
import { decideReportMcpHealth, mcpHealthOf } from '../domain/sharing/mcp-health.js';
import type { Decide } from '../domain/workgroup/deciding.js';
import type { WorkgroupStore } from '../store/workgroup-store.js';
import { parsePublic } from './parse-public.js';
import { requireReading } from './require-reading.js';
import type { RequestHandlers } from './request-handlers.js';

type Store = Pick<WorkgroupStore, 'decide' | 'read' | 'capsule'>;
export type SharingPorts = { readonly store: Store };

/** What the workers of a workgroup share: capsules, the health of servers, knowledge on its way, what to load. */
export function sharingRequests({ store }: SharingPorts): RequestHandlers {
  return {
    [REGISTRY_SUBJECTS.recordCapsule]: on(recordCapsuleSchema, (command) => recordCapsule(store, command)),
    [REGISTRY_SUBJECTS.findCapsule]: on(findCapsuleSchema, (query) => findCapsule(store, query)),
    [REGISTRY_SUBJECTS.reportMcpHealth]: on(reportMcpHealthSchema, (command) =>
      decideOn(store, command, decideReportMcpHealth),
    ),
    [REGISTRY_SUBJECTS.mcpHealth]: on(mcpHealthQuerySchema, (query) => mcpHealth(store, query)),
    [REGISTRY_SUBJECTS.acceptKnowledge]: on(acceptKnowledgeSchema, (command) =>
      decideOn(store, command, decideAcceptKnowledge),
    ),
    [REGISTRY_SUBJECTS.flushKnowledge]: on(flushKnowledgeSchema, (command) =>
      decideOn(store, command, decideFlushKnowledge),
    ),
    [REGISTRY_SUBJECTS.planLoading]: on(planLoadingSchema, (query) => plan(store, query)),
  };
}

/** A request that fits its schema, holds nothing private, and its answer as it crosses the bus. */
function on<Request extends object>(
  schema: Parameters<typeof parsePublic<Request>>[0],
  answer: (request: Request) => Promise<object>,
): RequestHandlers[string] {
  return async (body) => (await answer(parsePublic(schema, body))) as JsonValue;
}

type Keyed = {
  readonly tenantId: string;
  readonly workgroupId: string;
  readonly commandId?: string | undefined;
  readonly lineageId?: string;
};

/** A lineage that is named is seen, evicted or not. */
function decideOn<Command extends Keyed, Answer extends object>(
  store: Store,
  command: Command,
  decide: Decide<Command, Answer>,
): Promise<Answer> {
  const { tenantId, workgroupId, commandId, lineageId } = command;
  const lineageIds = lineageId === undefined ? [] : [lineageId];
  return store.decide({ tenantId, workgroupId, commandId, lineageIds }, (workgroup, { now }) =>
    decide(workgroup, command, now),
  );
}

/**
 * Recorded once: what is there is answered, and who records at the same time meets the first one's answer. That nobody has
 * opened the workgroup is found before, as under the capsule's own command id it would stand for longer than it is so.
 */
async function recordCapsule(store: Store, command: RecordCapsule): Promise<CapsuleView> {
  await requireReading(store, command);
  const { tenantId, workgroupId, capsuleHash } = command;
  const known = await store.capsule(tenantId, workgroupId, capsuleHash);
  return known ?? decideOn(store, { ...command, commandId: capsuleCommandId(command) }, decideRecordCapsule);
}

async function findCapsule(store: Store, query: FindCapsule): Promise<CapsuleView> {
  const { tenantId, workgroupId, capsuleHash } = query;
  const capsule = await store.capsule(tenantId, workgroupId, capsuleHash);
  if (!capsule) throw new NotFoundError('The capsule', { capsuleHash });
  return capsule;
}

async function mcpHealth(store: Store, query: McpHealthQuery): Promise<McpHealthAnswer> {
  return mcpHealthOf(await requireReading(store, query), query);
}

async function plan(store: Store, query: PlanLoading): Promise<LoadingPlan> {
  const { workgroup } = await requireReading(store, query);
  const { capsuleHash } = query;
  return capsuleHash === undefined
    ? loadingPlanOf(workgroup, query)
    : loadingPlanOf(workgroup, query, await findCapsule(store, { ...query, capsuleHash }));
}
