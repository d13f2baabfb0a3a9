import type { JsonObject, WorkflowRunState } from '@palimpsest/contracts';

/**
 * What a run fails with after `cap.breached` (host specification §5.7): a function of that event's payload. Undefined for
 * bounds whose breach does not end a run.
 */
export function errorOfBreach(payload: JsonObject): WorkflowRunState['failing'] {
  const [limit, observed] = [Number(payload['limit']), Number(payload['observed'])];
  switch (payload['kind']) {
    case 'run-duration': {
      const message = `The run was active for longer than its bound of ${limit} ms.`;
      return { error: { code: 'run_timeout', message, details: { elapsedMs: observed } } };
    }
    case 'node-executions': {
      const error = {
        code: 'recursion_limit_exceeded',
        message: `The run may start ${limit} nodes at most.`,
      };
      return typeof payload['nodeId'] === 'string' ? { error, failedNodeId: payload['nodeId'] } : { error };
    }
    case 'loop-iterations': {
      const message = `The run may take ${limit} turns at most.`;
      return { error: { code: 'loop_limit_exceeded', message, details: { iteration: observed } } };
    }
    default:
      return undefined;
  }
}
