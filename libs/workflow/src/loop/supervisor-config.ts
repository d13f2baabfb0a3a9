import type { AgentRef, JsonObject, JsonValue, WorkflowNode } from '@palimpsest/contracts';
import { z } from 'zod';
import { memberOf } from '../values/scope.js';
import { plannerConfigSchema } from './planner-config.js';

/** Decisions are checked when a turn makes them: a planner of any kind may be wrong. */
const decision = z.record(z.string(), z.json());

/** Host specification §5.9. Where a model decides, what its planner reads has to fit; other keys may be anything. */
export const supervisorConfigSchema = z
  .looseObject({
    mockDecisions: z.array(decision).optional(),
    mockDispatchPlan: z.array(decision).optional(),
    mockPendingDecision: decision.optional(),
    mockConfidence: z.number().min(0).max(1).optional(),
    agentId: z.string().min(3).max(256).optional(),
  })
  .superRefine((config, context) => {
    if (scriptOf(config as JsonObject)) return;
    const { error } = plannerConfigSchema.safeParse(config);
    for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message });
  });

/** Decides where neither the node nor its configuration names an agent. */
const DEFAULT_AGENT = 'palimpsest.supervisor';

/** Who decides: the same in every turn, as a run stays with its definition (CO-2). */
export function agentOf({ agent, config }: WorkflowNode): AgentRef {
  const agentId = memberOf(config, 'agentId');
  return agent ?? { agentId: typeof agentId === 'string' ? agentId : DEFAULT_AGENT };
}

export type ScriptedTurn = { readonly decision: JsonValue; readonly confidence?: number };

/** What a script decides in a turn; undefined where a model does. */
export function scriptedTurn(config: JsonObject, iteration: number): ScriptedTurn | undefined {
  const script = scriptOf(config);
  if (!script) return undefined;
  const decision = script[iteration - 1];
  if (decision === undefined) return { decision: { kind: 'terminate', reason: 'script-exhausted' } };
  const confidence = memberOf(config, 'mockConfidence');
  return { decision, ...(typeof confidence === 'number' && { confidence }) };
}

/** An empty configuration is a script, too: one round, then the end. */
const EMPTY_SCRIPT: readonly JsonValue[] = [
  { kind: 'next-worker', nextWorkerIds: ['conformance-noop'] },
  { kind: 'terminate', reason: 'goal-reached' },
];

function scriptOf(config: JsonObject): readonly JsonValue[] | undefined {
  const { mockDecisions, mockDispatchPlan, mockPendingDecision } = config;
  if (Array.isArray(mockDecisions)) return mockDecisions as readonly JsonValue[];
  if (Array.isArray(mockDispatchPlan)) return mockDispatchPlan as readonly JsonValue[];
  if (mockPendingDecision !== undefined) return [mockPendingDecision];
  return Object.keys(config).length === 0 ? EMPTY_SCRIPT : undefined;
}
