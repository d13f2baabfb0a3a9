import type { WindowPlan } from '@palimpsest/contracts';
import { isPalimpsestError, type AskedOfModel, type ModelName } from '@palimpsest/kernel';
import type { KeptCall } from '../invocations/invocation-store.js';
import { requestedSettings } from '../invocations/requested-settings.js';
import { nodeRequestOf } from '../model-nodes/model-node-request.js';
import { isMock, mockName, modelIn } from '../model-nodes/node-asker.js';
import type { RunKey } from '../orchestrator-ports.js';
import type { ModelAccess } from '../planner/model-access.js';
import { plannerConfigOf } from '../planner/supervisor-prompt.js';
import { turnRequest } from '../planner/turn-request.js';
import type { AskedThen } from './decided-calls.js';

/** Where a turn's window is read, and what it feeds; absent where no model is configured. */
export type Feed = Pick<ModelAccess, 'windows' | 'artifacts'>;

/** A call's request made again from the record; undefined where that is not possible any more, as content was erased. */
export async function remadeRequest(
  feed: Feed | undefined,
  run: RunKey,
  { question, state }: AskedThen,
): Promise<AskedOfModel | undefined> {
  if (question.kind === 'ask-model') {
    const asked = nodeRequestOf(question, state.configurable);
    return 'error' in asked ? undefined : asked.request;
  }
  const config = plannerConfigOf(question.config);
  if ('error' in config || !feed) return undefined;
  const { iteration, inputs } = question;
  const asked = { tenantId: run.tenantId, iteration, config, inputs, state };
  return whereThere(async () => turnRequest(feed.artifacts, asked, await windowOf(feed, run, iteration)));
}

function windowOf({ windows }: Feed, run: RunKey, iteration: number): Promise<WindowPlan> {
  return windows.readWindow({ tenantId: run.tenantId, runId: run.runId, iteration });
}

/** What may be had later is thrown on. */
async function whereThere<Found>(find: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await find();
  } catch (error) {
    if (!isPalimpsestError(error) || error.retryable) throw error;
    return undefined;
  }
}

/** Who was to be asked: where neither the run nor its node says, whoever was configured then. */
export function nameThen({ question, state }: AskedThen, { provider, model }: KeptCall): ModelName {
  const { config } = question;
  const { configurable } = state;
  if (question.kind === 'ask-model' && isMock(config, configurable)) return mockName(config);
  return { provider, model: requestedSettings(configurable).model ?? modelIn(config) ?? model };
}
