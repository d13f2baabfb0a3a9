import { z } from 'zod';
import { orchestratorDecisionSchema } from '../events/loop-events.js';
import { runErrorSchema } from '../events/workflow-events.js';
import { agentRefSchema } from './definition.js';

const sequence = z.int().min(0);

/** Where the handing of work to one worker stands; each phase is an event of the log. */
export const workerStateSchema = z.strictObject({
  /** Place in the decision's list. */
  place: z.int().min(0),
  workerId: z.string(),
  phase: z.enum(['began', 'refused', 'succeeded', 'dispatched', 'ended', 'harvested', 'returned']),
  /** Sequences of `dispatch.began`, `dispatch.succeeded` and of the child's end. */
  began: sequence,
  succeeded: sequence.optional(),
  ended: sequence.optional(),
  childRunId: z.string().optional(),
  childStatus: z.enum(['completed', 'failed', 'cancelled']).optional(),
  /** Why it was refused, or how the child failed. */
  error: runErrorSchema.optional(),
  /** Variables of the run that were taken over from the child so far. */
  harvested: z.array(z.string()),
});

/** A decision on the log, from when it was recorded until the next turn begins. */
export const currentDecisionSchema = z.strictObject({
  /** Of `runOrchestrator.decided`. */
  sequence,
  decision: orchestratorDecisionSchema,
  /** The dispatch was started for it. */
  handedOff: z.boolean(),
});

/** The execution loop of a run (host specification §5): a function of its events. */
export const loopStateSchema = z.strictObject({
  /** Who decides: from the first visit of the supervisor on, the same for the whole run. */
  agent: agentRefSchema,
  /** Decisions on the log. */
  iteration: z.int().min(0),
  current: currentDecisionSchema.optional(),
  /** A decision that is not recorded before somebody has ratified it. */
  held: orchestratorDecisionSchema.optional(),
  worker: workerStateSchema.optional(),
});

export type WorkerState = z.infer<typeof workerStateSchema>;
export type CurrentDecision = z.infer<typeof currentDecisionSchema>;
export type LoopState = z.infer<typeof loopStateSchema>;
