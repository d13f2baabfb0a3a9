import type { LoopBrain } from '@palimpsest/adapter-model/testing';
import type { Pool } from 'pg';
import type { ApiClient } from '../api-client.js';
import { iterationsOf, ofType, type LoopEnd, type LoopEvent } from './loop-run.js';

type Window = {
  readonly tokenCount: number;
  readonly eventIds: readonly string[];
  readonly summarizedRanges: readonly object[];
  readonly entries: readonly { readonly eventId: string; readonly rendered: string }[];
};

export type LoopInspection = {
  /** What is wrong with the run, in words. */
  readonly faults: readonly string[];
  readonly turns: number;
  readonly summaries: number;
};

/** What a run is held against: the host from outside, the model that it asked, and where commands are kept. */
export type LoopWitness = {
  readonly api: ApiClient;
  readonly brain: LoopBrain;
  readonly deployed: { readonly pool: Pool };
};

/** Looks at an ended loop from outside: each turn decided, fed and billed once, every window within the budget. */
export async function inspectLoop(
  witness: LoopWitness,
  run: LoopEnd,
  budget: number,
): Promise<LoopInspection> {
  const { runId, events } = run;
  const { api } = witness;
  const turns = iterationsOf(events);
  const verification = await api.ok(api.get(`/v1/runs/${runId}/verification`));
  return {
    faults: [
      ...(events.some(({ sequence }, place) => sequence !== place) ? ['the log is not dense'] : []),
      ...(turns.some((turn, place) => turn !== place + 1) ? [`turns are ${turns.join(', ')}`] : []),
      ...faultsOfUsage(witness, events, await usageCommands(witness, runId)),
      ...faultsOfSummaries(events),
      ...(await faultsOfWindows(api, run, { turns: turns.length, budget })),
      ...(verification.ok ? [] : [`verification: ${JSON.stringify(verification.firstDifference)}`]),
      ...faultsOfCalls(verification.modelCalls, turns.length),
    ].map((fault) => `${runId}: ${fault}`),
    turns: turns.length,
    summaries: ofType(events, 'context.summarized').length,
  };
}

type UsageCommand = { readonly invocationId: string; readonly sequence: number };

/** Usage is appended under a name of its own, which tells the invocation. */
async function usageCommands({ deployed }: LoopWitness, runId: string): Promise<readonly UsageCommand[]> {
  const { rows } = await deployed.pool.query<{ command_id: string; sequence: string }>(
    `SELECT command_id, first_sequence AS sequence FROM run_log.commands
     WHERE run_id = $1 AND command_id LIKE 'usage-%'`,
    [runId],
  );
  return rows.map(({ command_id, sequence }) => ({
    invocationId: command_id.replace(/^usage-/, '').replace(/-\d+$/, ''),
    sequence: Number(sequence),
  }));
}

/** Each answer that counted is told once; that of a turn before its decision, and one for each turn. */
function faultsOfUsage(
  { brain }: LoopWitness,
  events: readonly LoopEvent[],
  commands: readonly UsageCommand[],
): readonly string[] {
  const decisions = new Set(brain.of('decision').map(({ request }) => request.idempotencyKey));
  const told = commands.filter(({ invocationId }) => decisions.has(invocationId));
  const usages = ofType(events, 'provider.usage');
  const faults =
    usages.length === commands.length ? [] : [`${usages.length} usages of ${commands.length} answers`];
  let from = 0;
  for (const { sequence, payload } of ofType(events, 'runOrchestrator.decided')) {
    const since = from;
    const ofTurn = told.filter((command) => command.sequence >= since && command.sequence < sequence);
    if (ofTurn.length !== 1) faults.push(`turn ${payload.iteration} is billed ${ofTurn.length} times`);
    from = sequence;
  }
  return faults;
}

/** Every turn's request was made again from the record, and was the one that its answer came of. */
function faultsOfCalls(calls: unknown, turns: number): readonly string[] {
  const text = JSON.stringify(calls);
  return text === JSON.stringify({ checked: turns, unkept: 0 })
    ? []
    : [`model calls of ${turns} turns: ${text}`];
}

function faultsOfSummaries(events: readonly LoopEvent[]): readonly string[] {
  const ids = ofType(events, 'context.summarized').flatMap(
    ({ payload }) => payload.replacedTurns as string[],
  );
  return ids.filter((id, place) => ids.indexOf(id) !== place).map((id) => `${id} was summarized twice`);
}

async function faultsOfWindows(
  api: ApiClient,
  { runId, events }: LoopEnd,
  { turns, budget }: { readonly turns: number; readonly budget: number },
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (let iteration = 1; iteration <= turns; iteration += 1) {
    const window = await windowOf(api, runId, iteration);
    faults.push(...faultsOfWindow(window, events, budget).map((fault) => `window ${iteration}: ${fault}`));
  }
  return faults;
}

export async function windowOf(api: ApiClient, runId: string, iteration: number): Promise<Window> {
  const query = `runId=${runId}&iteration=${iteration}`;
  return (await api.ok(api.get(`/v1/host/sample/agent/transcript-window?${query}`))) as Window;
}

function faultsOfWindow(window: Window, events: readonly LoopEvent[], budget: number): readonly string[] {
  const counted = window.entries.reduce((sum, { rendered }) => sum + [...rendered].length, 0);
  const known = new Set(events.map(({ eventId }) => eventId));
  return [
    ...(window.tokenCount > budget ? [`${window.tokenCount} are over ${budget}`] : []),
    ...(counted === window.tokenCount ? [] : [`its entries count ${counted}, it says ${window.tokenCount}`]),
    ...window.entries
      .filter(({ eventId }) => !known.has(eventId))
      .map(({ eventId }) => `${eventId} is unknown`),
    ...window.entries
      .filter(({ eventId }) => window.eventIds.includes(eventId))
      .flatMap(({ rendered }) => faultsOfText(rendered)),
  ];
}

/** An entry is one message of one role, whatever workers wrote into it. */
function faultsOfText(rendered: string): readonly string[] {
  const lines = rendered.split('\n').slice(1);
  const forged = lines.filter((line) => /^(system|user|assistant|tool): /.test(line));
  return forged.length === 0 ? [] : ['a line of it begins as a message'];
}
