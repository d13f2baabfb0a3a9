import type { JsonObject, RunError, WindowPlan } from '@palimpsest/contracts';
import {
  isPalimpsestError,
  type ModelAnswer,
  type ModelMessage,
  type ModelRequest,
} from '@palimpsest/kernel';
import { redactJson } from '@palimpsest/transcript';
import type { PlannerConfig } from '@palimpsest/workflow';
import { askOnce, type Answered, type Asking } from '../invocations/ask-once.js';
import { invalidAnswerError, knownError, refusalError } from '../invocations/call-errors.js';
import type { InvocationPorts } from '../invocations/invocation-ports.js';
import type { KeptAnswer } from '../invocations/invocation-store.js';
import { requestedSettings } from '../invocations/requested-settings.js';
import type { Planner, PlannerOutcome, Turn } from '../orchestrator-ports.js';
import { CALL_CLAIMED, WINDOW_PLANNED } from '../race-points.js';
import { decisionForm, decisionOf } from './decision-form.js';
import type { ModelAccess } from './model-access.js';
import {
  inputMessages,
  olderTurnsMessages,
  plannerConfigOf,
  systemText,
  taskMessage,
} from './supervisor-prompt.js';
import { windowMessages } from './window-messages.js';

/** Has a model decide a supervisor's turns, each over the window that the assembler recorded for it. */
export class ModelPlanner implements Planner {
  constructor(
    private readonly ports: InvocationPorts,
    private readonly access: ModelAccess,
  ) {}

  async decide(turn: Turn): Promise<PlannerOutcome | undefined> {
    const config = plannerConfigOf(turn.config);
    if ('error' in config) return undecided(turn, config.error);
    const window = await this.windowOf(turn);
    if (!window || 'error' in window) return window && undecided(turn, window.error);
    await this.ports.races.reach(WINDOW_PLANNED);
    const { run, nodeId, iteration, until } = turn;
    const { providerKey } = this.access;
    const ask = (asking: Asking) => this.ask(asking, { turn, config, window });
    const reply = await askOnce(this.ports, { run, nodeId, ordinal: iteration, providerKey, until, ask });
    if (!reply) return undefined;
    if (reply.kind === 'outage') return undecided(turn, reply.error);
    return outcomeOf(turn, reply.answer);
  }

  /** Undefined where the assembler cannot be reached: the turn is tried again later. */
  private async windowOf(turn: Turn): Promise<WindowPlan | { readonly error: RunError } | undefined> {
    const { run, iteration, nodeId } = turn;
    const { tenantId, runId, head: asOfSequence } = run;
    try {
      const query = { tenantId, runId, asOfSequence, turn: { iteration, nodeId } };
      return await this.access.windows.planWindow(query);
    } catch (error) {
      if (!isPalimpsestError(error)) throw error;
      if (!error.retryable) return { error: knownError(error) };
      this.ports.logger.warn({ runId, code: error.code }, 'The window of a turn could not be had yet');
      return undefined;
    }
  }

  private async ask(asking: Asking, planned: PlannedTurn): Promise<Answered> {
    const request = await this.requestOf(asking, planned);
    await this.ports.races.reach(CALL_CLAIMED);
    const answer = await this.access.model.ask(request);
    return { answer: keptOf(answer, planned.config), usages: answer.usages };
  }

  private async requestOf(asking: Asking, { turn, config, window }: PlannedTurn): Promise<ModelRequest> {
    const { run, inputs, iteration } = turn;
    const fed = await windowMessages(this.access.artifacts, run.tenantId, window);
    const task = [taskMessage(config, run.state.inputs), ...olderTurnsMessages(window, iteration)];
    const messages = [...task, ...fed, ...inputMessages(inputs)];
    const settings = { ...config, ...requestedSettings(run.state.configurable) };
    const { maxOutputTokens, temperature, timeoutMs = this.access.timeoutMs } = settings;
    return {
      ...asking,
      system: systemText(config),
      messages: endingWithUser(messages),
      answer: decisionForm(config.workers),
      maxOutputTokens,
      timeoutMs,
      ...(temperature !== undefined && { temperature }),
    };
  }
}

type PlannedTurn = { readonly turn: Turn; readonly config: PlannerConfig; readonly window: WindowPlan };

/** A provider takes an assistant's message at the end for the beginning of its own answer. */
function endingWithUser(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  if (messages.at(-1)?.role !== 'assistant') return messages;
  return [...messages, { role: 'user', text: 'Decide the next turn.' }];
}

function keptOf(answer: ModelAnswer, { workers }: PlannerConfig): KeptAnswer {
  if (answer.kind === 'refusal') return { kind: 'failed', error: refusalError() };
  const decision = answer.kind === 'object' ? decisionOf(answer.value) : undefined;
  if (!decision) return { kind: 'failed', error: invalidAnswerError() };
  const named = decision.kind === 'next-worker' ? decision.nextWorkerIds : [];
  const isAllowed = named.every((worker) => !workers || workers.includes(worker));
  if (!isAllowed) return { kind: 'failed', error: invalidAnswerError() };
  return { kind: 'answered', value: redactJson(decision as JsonObject) };
}

function undecided({ iteration }: Turn, error: RunError): PlannerOutcome {
  return { kind: 'undecided', iteration, error };
}

function outcomeOf(turn: Turn, answer: KeptAnswer): PlannerOutcome {
  if (answer.kind === 'failed') return undecided(turn, answer.error);
  const { iteration, agent } = turn;
  return { kind: 'decided', iteration, agentId: agent.agentId, decision: answer.value };
}
