import { z } from 'zod';
import type { OrchestratorDecision, WorkflowDefinition } from '@palimpsest/contracts';
import { ValidationError } from '@palimpsest/kernel';
import { CONFIDENCE_FLOOR, MOST_TURNS } from '@palimpsest/workflow';
import { parseRequest } from './parse-request.js';
import { registeredWorkflow } from './registered-workflow.js';

const turns = z.int().min(1).max(MOST_TURNS);

const requestSchema = z
  .looseObject({
    turns,
    maxLoopIterations: z.int().min(1).optional(),
    suspendAtTurn: turns.optional(),
    resume: z.boolean().optional(),
  })
  .refine(({ turns: most, suspendAtTurn = 1 }) => suspendAtTurn <= most, {
    path: ['suspendAtTurn'],
    message: 'must be one of the turns',
  });

/** A loop of that many turns, which a script decides (host specification §9.3). */
export type AgentLoopRequest = z.infer<typeof requestSchema>;

/** @throws ValidationError also where it asks for a workspace, which this host has not */
export function agentLoopRequest(body: unknown): AgentLoopRequest {
  const request = parseRequest(requestSchema, body);
  if (request['workspaceWriteAtTurn'] === undefined) return request;
  throw new ValidationError('workspaceWriteAtTurn: there is no workspace here.', {
    field: 'workspaceWriteAtTurn',
  });
}

const WORKER = 'sample-agent-loop-worker';

/** The worker, which does nothing, and the loop: one definition for each script, whoever asks for it. */
export function agentLoopWorkflows(request: AgentLoopRequest): readonly WorkflowDefinition[] {
  const { turns: count, suspendAtTurn = 0 } = request;
  const mockDecisions = Array.from({ length: count }, (_, index) =>
    decisionOf(index + 1, { count, suspendAtTurn }),
  );
  return [
    registeredWorkflow({ workflowId: WORKER, nodes: [{ nodeId: 'noop', typeId: 'core.noop' }] }),
    registeredWorkflow({
      workflowId: `sample-agent-loop-${count}-${suspendAtTurn}`,
      nodes: [
        { nodeId: 'supervisor', typeId: 'core.orchestrator.supervisor', config: { mockDecisions } },
        { nodeId: 'dispatch', typeId: 'core.dispatch', config: { fanOutPolicy: 'sequential' } },
      ],
      edges: [
        { sourceNodeId: 'supervisor', targetNodeId: 'dispatch' },
        { sourceNodeId: 'dispatch', targetNodeId: 'supervisor' },
      ],
    }),
  ];
}

type Script = { readonly count: number; readonly suspendAtTurn: number };

/** Only a confidence below the floor suspends a loop. */
function decisionOf(turn: number, { count, suspendAtTurn }: Script): OrchestratorDecision {
  const confidence = turn === suspendAtTurn ? { confidence: CONFIDENCE_FLOOR / 2 } : {};
  return turn === count
    ? { kind: 'terminate', reason: 'goal-reached', ...confidence }
    : { kind: 'next-worker', nextWorkerIds: [WORKER], ...confidence };
}
