import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CURRENT_REPLAY_FLAGS,
  FLAG,
  REPLAY_FLAGS,
  replayFlagsMember,
  RUN_STARTED,
  type RecordedEvent,
  type ReplayFlags,
} from '@palimpsest/contracts';
import { deriveAgain } from './derive-again.js';
import { engineAgain } from './engine-again.js';
import {
  comparable,
  historyNames,
  isOwnLoop,
  readHistory,
  runIdOf,
  type History,
  type WorkflowHistory,
} from './history.js';
import { MemoryHost, TENANT } from './memory-host.js';

const LIBRARIES = join(import.meta.dirname, '../../libs');
const histories = historyNames().map((name) => [name, readHistory(name)] as const);

describe('the register of replay flags', () => {
  it('is dense from 1, in order, and all of it is in force for a new run', () => {
    expect(REPLAY_FLAGS.map(({ number }) => number)).toEqual(REPLAY_FLAGS.map((_, place) => place + 1));
    expect(CURRENT_REPLAY_FLAGS).toEqual(Object.values(FLAG));
    expect(Object.fromEntries(REPLAY_FLAGS.map(({ name, number }) => [name, number]))).toEqual(FLAG);
  });

  it('gives each its version and its reason, in one sentence', () => {
    const badly = REPLAY_FLAGS.filter(
      ({ since, reason }) => !/^\d+\.\d+\.\d+$/.test(since) || !/^[A-Z][^]{30,}[^.]\.$/.test(reason),
    );
    expect(badly).toEqual([]);
  });

  /** Numbers, names and versions stand for ever: a flag is added at the end, here too. */
  it('holds what it always held', () => {
    const held = REPLAY_FLAGS.map(({ number, name, since }) => `${number} ${name} ${since}`);
    expect(held).toEqual(['1 FULL_ARGUMENTS 0.1.0']);
  });

  it.each(Object.keys(FLAG))('has code that asks for %s', (name) => {
    const asks = sources(LIBRARIES).filter((text) =>
      new RegExp(`hasFlag\\([^)]*FLAG\\.${name}\\b`).test(text),
    );
    expect(asks).not.toEqual([]);
  });
});

describe.each(REPLAY_FLAGS.map((flag) => [flag.name, flag] as const))(
  'the replay flag %s',
  (_, { number }) => {
    const flagged = histories.filter(([, history]) => flagsOf(history).includes(number));

    it('has golden histories that are derived the same with the flags they have', async () => {
      const same = flagged.map(([, history]) => ({ history, flags: flagsOf(history) }));
      expect(same).not.toEqual([]);
      expect(await isAnyDerivedOtherwise(same)).toBe(false);
    }, 60_000);

    it('has a golden history that is derived otherwise without it', async () => {
      const others = flagged.map(([, history]) => {
        return { history, flags: flagsOf(history).filter((flag) => flag !== number) };
      });
      expect(await isAnyDerivedOtherwise(others)).toBe(true);
    }, 60_000);

    it('has a golden history from before it that is derived otherwise with it', async () => {
      const others = histories
        .filter(([, history]) => !flagsOf(history).includes(number) && !(isOwnLoop(history) && history.fork))
        .map(([, history]) => {
          return { history, flags: [...flagsOf(history), number].sort((one, other) => one - other) };
        });
      expect(await isAnyDerivedOtherwise(others)).toBe(true);
    }, 60_000);
  },
);

type Otherwise = { readonly history: History; readonly flags: ReplayFlags };

async function isAnyDerivedOtherwise(all: readonly Otherwise[]): Promise<boolean> {
  for (const other of all) if (await isDerivedOtherwise(other)) return true;
  return false;
}

function flagsOf({ events: [started] }: History): ReplayFlags {
  return (started?.payload['replayFlags'] as ReplayFlags | undefined) ?? [];
}

/** Whether windows or decisions of a recorded run are not derived again where it is taken for one of other flags. */
async function isDerivedOtherwise({ history, flags }: Otherwise): Promise<boolean> {
  if (!isOwnLoop(history)) {
    const again = said(engineAgain(withFlags(history, flags)).events);
    if (again !== said(history.events)) return true;
    if (history.events[0]?.payload['context'] === undefined) return false;
  }
  const host = await MemoryHost.start(isOwnLoop(history) ? history.host : {});
  await deriveAgain(host, history);
  const header = host.log.header.bind(host.log);
  jest.spyOn(host.log, 'header').mockImplementation(async (tenantId, runId) => {
    const told = await header(tenantId, runId);
    const { replayFlags: _flags, ...state } = told?.state ?? {};
    return told && { ...told, state: { ...state, ...replayFlagsMember(flags) } };
  });
  const { ok } = await host.windows.verify({ tenantId: TENANT, runId: runIdOf(history) });
  await host.close();
  return !ok;
}

function withFlags(history: WorkflowHistory, flags: ReplayFlags): WorkflowHistory {
  const events = history.events.map((event) => {
    if (event.type !== RUN_STARTED) return event;
    const { replayFlags: _flags, ...payload } = event.payload;
    return { ...event, payload: { ...payload, ...replayFlagsMember(flags) } };
  });
  return { ...history, events };
}

/** Everything but how the run was started, and counts, which the engine leaves to others. */
function said(events: readonly RecordedEvent[]): string {
  return JSON.stringify(comparable(events.slice(1).map(({ counts: _counts, ...event }) => event)));
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?!.*(node_modules|dist)\/).*(?<!\.spec)\.ts$/.test(path))
    .map((path) => readFileSync(join(folder, path), 'utf8'));
}
