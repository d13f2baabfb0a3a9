import type { JsonObject, WorkflowRunState } from '@palimpsest/contracts';

/** What a run fails with after `cap.breached` (host specification §5.7): a function of that event's payload. */
export function errorOfBreach(payload: JsonObject): NonNullable<WorkflowRunState['failing']> {
  const { kind, limit, observed, nodeId } = payload;
  if (kind === 'run-duration') {
    const message = `The run was active for longer than its bound of ${Number(limit)} ms.`;
    return { error: { code: 'run_timeout', message, details: { elapsedMs: Number(observed) } } };
  }
  const message = `The run may start ${Number(limit)} nodes at most.`;
  const failedNodeId = typeof nodeId === 'string' ? { failedNodeId: nodeId } : {};
  return { error: { code: 'recursion_limit_exceeded', message }, ...failedNodeId };
}
