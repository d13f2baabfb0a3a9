import { AIMessage, HumanMessage, trimMessages, type BaseMessage } from '@langchain/core/messages';
import { countTokens } from '@palimpsest/tokens';
import { renderMessage } from '@palimpsest/transcript';
import type { BenchContext, Row } from '../bench-group.js';
import { SETTINGS } from '../measure/sample-run.js';
import { sampleMessage } from '../measure/sample-messages.js';
import { median } from '../measure/statistics.js';
import type { Services } from '../measure/services.js';
import { steadyRun, timedTurn, timedTurns } from './steady-state.js';

const BUDGET = SETTINGS.transcriptTokenBudget;

/** LangChain's trimmer counts what is left again after each message that it drops. */
export async function againstTrimMessages(services: Services, context: BenchContext): Promise<Row[]> {
  const turns = context.quick ? 200 : 1000;
  const messages = Array.from({ length: turns }, (_, place) => langChainMessage(place));
  context.progress(`windows: trimMessages over ${turns} turns, once`);
  const started = performance.now();
  await trimMessages(messages, { maxTokens: BUDGET, strategy: 'last', tokenCounter: countMessages });
  const trimming = performance.now() - started;
  const run = await steadyRun(services, `turns-${turns}`, 2 * turns);
  const ours = median((await timedTurns(run, context.quick ? 40 : 100)).map(({ ms }) => ms));
  return [
    {
      group: 'windows',
      case: `window at ${turns} turns`,
      value: ours,
      unit: 'ms',
      ratio: trimming / ours,
      baseline: `trimMessages (${trimming.toFixed(0)} ms)`,
      target: 'ratio ≥ 1000',
    },
  ];
}

function langChainMessage(place: number): BaseMessage {
  const message = sampleMessage(place);
  const content = renderMessage(message);
  return message.role === 'user' ? new HumanMessage(content) : new AIMessage(content);
}

function countMessages(messages: readonly BaseMessage[]): number {
  return messages.reduce((sum, { text }) => sum + countTokens(text, SETTINGS.tokenCounter), 0);
}

/** The best that can be done by going over the whole history each time: no text, no database, nothing recorded. */
export async function againstLinearPass(services: Services, context: BenchContext): Promise<Row[]> {
  const turns = context.quick ? 1000 : 10_000;
  const history = Array.from({ length: turns }, (_, place) => ({
    id: `message-${place}`,
    message: sampleMessage(place),
  }));
  const counts = new Map(
    history.map(({ id, message }) => [id, countTokens(renderMessage(message), SETTINGS.tokenCounter)]),
  );
  context.progress(`windows: a run of ${turns} turns`);
  const run = await steadyRun(services, `turns-${turns}`, 2 * turns);
  const passes: number[] = [];
  const windows: number[] = [];
  for (let turn = 0; turn < (context.quick ? 40 : 100); turn += 1) {
    passes.push(timeOf(() => newestWithin(history, counts)));
    windows.push((await timedTurn(run)).ms);
  }
  const ours = median(windows);
  return [
    {
      group: 'windows',
      case: `window at ${turns} turns`,
      value: ours,
      unit: 'ms',
      ratio: median(passes) / ours,
      baseline: `linear pass in memory (${median(passes).toFixed(3)} ms)`,
      target: 'ratio ≥ 1',
    },
  ];
}

function timeOf(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

type Entry = { readonly id: string };

function newestWithin(history: readonly Entry[], counts: ReadonlyMap<string, number>): readonly Entry[] {
  const tokensOf = ({ id }: Entry): number => counts.get(id) ?? 0;
  let total = history.reduce((sum, entry) => sum + tokensOf(entry), 0);
  return history.filter((entry) => {
    if (total <= BUDGET) return true;
    total -= tokensOf(entry);
    return false;
  });
}
