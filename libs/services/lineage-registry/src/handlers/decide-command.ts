import type { JsonValue } from '@palimpsest/contracts';
import { NotFoundError, type parseRequest } from '@palimpsest/kernel';
import type { Decide } from '../domain/workgroup/deciding.js';
import type { Delegated } from '../domain/workgroup/under-delegation.js';
import type { LineageReading, WorkgroupStore } from '../store/workgroup-store.js';
import { parsePublic } from './parse-public.js';
import type { RequestHandlers } from './request-handlers.js';

type Ports = { readonly store: WorkgroupStore };
type Handler = RequestHandlers[string];
type Keyed = { readonly tenantId: string; readonly commandId?: string | undefined };
type OnWorkgroup = Keyed & { readonly workgroupId: string };
type OnLineage = Keyed & { readonly lineageId: string };

/** How a command of one kind is read and decided. */
type Rules<Command extends object, Answer extends object> = {
  readonly schema: Parameters<typeof parseRequest<Command>>[0];
  readonly decide: Decide<Delegated<Command>, Answer>;
  /** Lineages that the decision has to see though they may be evicted. */
  readonly named?: (command: Command) => readonly string[];
};

export function onWorkgroup<Command extends OnWorkgroup, Answer extends object>(
  { store }: Ports,
  { schema, decide, named = () => [] }: Rules<Command, Answer>,
): Handler {
  return async (body) => {
    const command = parsePublic(schema, body);
    const { tenantId, workgroupId, commandId } = command;
    const change = { tenantId, workgroupId, commandId, lineageIds: named(command) };
    const delegated = await withDelegation(store, workgroupId, command);
    const answer = await store.decide(change, (workgroup, { now }) => decide(workgroup, delegated, now));
    return answer as unknown as JsonValue;
  };
}

/** Whose workgroup is looked up: it never changes. */
export function onLineage<Command extends OnLineage, Answer extends object>(
  ports: Ports,
  { schema, decide, named = () => [] }: Rules<Command, Answer>,
): Handler {
  return async (body) => {
    const command = parsePublic(schema, body);
    const { tenantId, lineageId, commandId } = command;
    const { workgroupId } = await findLineage(ports, command);
    const change = { tenantId, workgroupId, commandId, lineageIds: [lineageId, ...named(command)] };
    const delegated = await withDelegation(ports.store, workgroupId, command);
    const answer = await ports.store.decide(change, (workgroup, { now }) =>
      decide(workgroup, delegated, now),
    );
    return answer as unknown as JsonValue;
  };
}

/** A delegation once recorded stays, so that it may be looked for ahead of the lock. */
async function withDelegation<Command extends Keyed>(
  store: WorkgroupStore,
  workgroupId: string,
  command: Command,
): Promise<Delegated<Command>> {
  const { tenantId, delegationId } = command as Keyed & { readonly delegationId?: string };
  if (delegationId === undefined) return command;
  return { ...command, delegation: await store.delegation(tenantId, workgroupId, delegationId) };
}

export async function findLineage(
  { store }: Ports,
  { tenantId, lineageId }: { readonly tenantId: string; readonly lineageId: string },
): Promise<LineageReading> {
  const reading = await store.lineage(tenantId, lineageId);
  if (!reading) throw new NotFoundError('The lineage', { lineageId });
  return reading;
}
