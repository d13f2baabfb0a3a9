import type { JsonValue } from '@palimpsest/contracts';
import { reconcileLineageSchema } from '@palimpsest/contracts/registry';
import { decideReconcile } from '../domain/workgroup/reconcile.js';
import type { WorkgroupStore } from '../store/workgroup-store.js';
import { findLineage } from './decide-command.js';
import { parsePublic } from './parse-public.js';

/** A capsule once recorded stays, so that it may be looked for ahead of the lock. */
export async function reconcile(
  ports: { readonly store: WorkgroupStore },
  body: JsonValue,
): Promise<JsonValue> {
  const command = parsePublic(reconcileLineageSchema, body);
  const { tenantId, lineageId, commandId, capsuleHash } = command;
  const { workgroupId } = await findLineage(ports, command);
  const capsule = await ports.store.capsule(tenantId, workgroupId, capsuleHash);
  const decide = decideReconcile(capsule !== undefined);
  const change = { tenantId, workgroupId, commandId, lineageIds: [lineageId] };
  const view = await ports.store.decide(change, (workgroup, { now }) => decide(workgroup, command, now));
  return view as JsonValue;
}
