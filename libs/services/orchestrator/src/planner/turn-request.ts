import type { JsonObject, WindowPlan } from '@palimpsest/contracts';
import type { ArtifactStore, AskedOfModel, ModelMessage } from '@palimpsest/kernel';
import type { PlannerConfig } from '@palimpsest/workflow';
import { requestedSettings } from '../invocations/requested-settings.js';
import { decisionForm } from './decision-form.js';
import { inputMessages, olderTurnsMessages, systemText, taskMessage } from './supervisor-prompt.js';
import { windowMessages } from './window-messages.js';

/** What a supervisor's turn is asked with, beside its window: all of it stands on the run's log or in its definition. */
export type AskedTurn = {
  readonly tenantId: string;
  readonly iteration: number;
  readonly config: PlannerConfig;
  readonly inputs: JsonObject;
  /** Of the run. */
  readonly state: { readonly inputs: JsonObject; readonly configurable?: JsonObject | undefined };
};

/**
 * The request of a turn: the same for the same turn and window, whoever makes it and when.
 * @throws ArtifactErasedError where content that is to be fed was erased
 */
export async function turnRequest(
  artifacts: Pick<ArtifactStore, 'get'>,
  { tenantId, iteration, config, inputs, state }: AskedTurn,
  window: WindowPlan,
): Promise<AskedOfModel> {
  const fed = await windowMessages(artifacts, tenantId, window);
  const task = [taskMessage(config, state.inputs), ...olderTurnsMessages(window, iteration)];
  const messages = [...task, ...fed, ...inputMessages(inputs)];
  const { maxOutputTokens, temperature } = { ...config, ...requestedSettings(state.configurable) };
  return {
    system: systemText(config),
    messages: endingWithUser(messages),
    answer: decisionForm(config.workers),
    maxOutputTokens,
    ...(temperature !== undefined && { temperature }),
  };
}

/** A provider takes an assistant's message at the end for the beginning of its own answer. */
function endingWithUser(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  if (messages.at(-1)?.role !== 'assistant') return messages;
  return [...messages, { role: 'user', text: 'Decide the next turn.' }];
}
