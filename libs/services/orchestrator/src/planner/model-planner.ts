import type { JsonObject, RunError, WindowPlan } from '@palimpsest/contracts';
import { isPalimpsestError, requirePermit, type ModelAnswer } from '@palimpsest/kernel';
import { redactJson } from '@palimpsest/transcript';
import type { PlannerConfig } from '@palimpsest/workflow';
import { askOnce } from '../invocations/ask-once.js';
import {
  invalidAnswerError,
  knownError,
  modelNotAllowedError,
  refusalError,
} from '../invocations/call-errors.js';
import type { InvocationPorts } from '../invocations/invocation-ports.js';
import type { KeptAnswer } from '../invocations/invocation-store.js';
import { askedModel, providerKeyOf } from '../invocations/model-names.js';
import { requestedSettings } from '../invocations/requested-settings.js';
import type { Planner, PlannerOutcome, Turn } from '../orchestrator-ports.js';
import { WINDOW_PLANNED } from '../race-points.js';
import { decisionOf } from './decision-form.js';
import type { ModelAccess } from './model-access.js';
import { plannerConfigOf } from './supervisor-prompt.js';
import { turnRequest } from './turn-request.js';

/** Has a model decide a supervisor's turns, each over the window that the assembler recorded for it. */
export class ModelPlanner implements Planner {
  constructor(
    private readonly ports: InvocationPorts,
    private readonly access: ModelAccess,
  ) {}

  async decide(turn: Turn): Promise<PlannerOutcome | undefined> {
    requirePermit(turn.permit, turn.run, 'planner');
    const config = plannerConfigOf(turn.config);
    if ('error' in config) return undecided(turn, config.error);
    const { model: wish } = requestedSettings(turn.run.state.configurable);
    const name = askedModel(this.access.names, wish, config.model);
    if (!name) return undecided(turn, modelNotAllowedError());
    const window = await this.windowOf(turn);
    if (!window || 'error' in window) return window && undecided(turn, window.error);
    await this.ports.races.reach(WINDOW_PLANNED);
    const { run, permit, nodeId, iteration, until, inputs } = turn;
    const { model, artifacts, timeoutMs } = this.access;
    const asked = { tenantId: run.tenantId, iteration, config, inputs, state: run.state };
    const reply = await askOnce(this.ports, {
      ...{ run, permit, nodeId, ordinal: iteration, until, name, providerKey: providerKeyOf(name) },
      request: () => turnRequest(artifacts, asked, window),
      ask: async (request, asking) => {
        const call = { ...request, ...asking, model: name.model, timeoutMs: config.timeoutMs ?? timeoutMs };
        const answer = await model.ask(call);
        return { answer: keptOf(answer, config), usages: answer.usages };
      },
    });
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
