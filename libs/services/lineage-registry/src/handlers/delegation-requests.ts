import { createHash } from 'node:crypto';
import type { JsonValue } from '@palimpsest/contracts';
import {
  delegateSchema,
  REGISTRY_SUBJECTS,
  workgroupPageSchema,
  type Delegate,
  type DelegationList,
  type DelegationView,
  type WorkgroupPage,
} from '@palimpsest/contracts/registry';
import type { IdSource } from '@palimpsest/kernel';
import { decideDelegation } from '../domain/delegation/decide-delegation.js';
import { delegationView, type DelegationRecorded } from '../domain/delegation/delegation-view.js';
import type { RolloutStanding } from '../domain/rollout/rollout.js';
import type { RecordedWorkgroupEvent } from '../domain/workgroup/workgroup-events.js';
import type { WorkgroupStore } from '../store/workgroup-store.js';
import { boundedEvents } from './bounded-page.js';
import { parsePublic } from './parse-public.js';
import { requireReading } from './require-reading.js';
import type { RequestHandlers } from './request-handlers.js';

export type DelegationPorts = {
  readonly store: Pick<WorkgroupStore, 'decide' | 'read' | 'events'>;
  readonly ids: Pick<IdSource, 'requestId'>;
};

/** Delegations are recorded before they are made, and read again in pages. */
export function delegationRequests(ports: DelegationPorts): RequestHandlers {
  return {
    [REGISTRY_SUBJECTS.delegate]: async (body) =>
      (await delegate(ports, parsePublic(delegateSchema, body))) as JsonValue,
    [REGISTRY_SUBJECTS.listDelegations]: async (body) =>
      (await list(ports, parsePublic(workgroupPageSchema, body))) as JsonValue,
  };
}

function delegate({ store, ids }: DelegationPorts, command: Delegate): Promise<DelegationView> {
  const { tenantId, workgroupId, commandId, environment, family } = command;
  const delegationId = delegationIdOf(command, commandId ?? ids.requestId());
  const named = [command.lineageId, command.parentLineageId].filter((id) => id !== undefined);
  const change = { tenantId, workgroupId, commandId, lineageIds: named, rollout: { environment, family } };
  const never: RolloutStanding = { environment, family, version: 0, stage: 'off', canaryPercent: null };
  return store.decide(change, (workgroup, { now, rollout = never }) =>
    decideDelegation(workgroup, { command, rollout, delegationId }, now),
  );
}

/** The same for the same command, so that its efficiency event is, too. Hexadecimal: it looks like nothing private. */
function delegationIdOf({ tenantId, workgroupId }: Delegate, origin: string): string {
  const text = JSON.stringify(['delegation', tenantId, workgroupId, origin]);
  return `dlg_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

async function list({ store }: DelegationPorts, page: WorkgroupPage): Promise<DelegationList> {
  await requireReading(store, page);
  const asked = { ...page, types: ['palimpsest.delegation.recorded'] as const };
  const { items, hasMore } = await boundedEvents(store, asked, (event) =>
    isDelegation(event) ? [delegationView(page.workgroupId, event, event)] : [],
  );
  const last = items.at(-1);
  return { delegations: [...items], ...(hasMore && last && { next: last.sequence }) };
}

function isDelegation(
  event: RecordedWorkgroupEvent,
): event is DelegationRecorded & Pick<RecordedWorkgroupEvent, 'sequence' | 'recordedAt'> {
  return event.type === 'palimpsest.delegation.recorded';
}
