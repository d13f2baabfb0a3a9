import { CONTEXT_SUMMARIZED, FLAG, NO_REPLAY_FLAGS, type RecordedEvent } from '@palimpsest/contracts';
import type { OwnLoopHistory } from '../history.js';
import { OwnLoopRecorder, type RecordedRun } from './own-loop-recorder.js';
import { goOn, playScene, type Scene } from './own-loop-scene.js';

type Recordings = Readonly<Record<string, OwnLoopHistory>>;

const SLIDING: RecordedRun = {
  runId: 'run_golden_sliding',
  flags: NO_REPLAY_FLAGS,
  context: {
    transcriptTokenBudget: 900,
    tokenCounter: 'o200k_base',
    keepLastTurns: 2,
    strategy: 'sliding-window',
  },
};

/** A run with all that a loop may hold, a branch of it from inside a range that was summarized later, and a replay of that. */
async function slidingAndForks(): Promise<Recordings> {
  const recorder = await OwnLoopRecorder.start(SLIDING);
  await playScene(recorder, { seed: 11, rounds: 30, withPins: true });
  await recorder.finish();
  const { runId } = SLIDING;
  const whole = await recorder.host.events(runId);
  const fromSequence = insideSummarized(whole);
  const [branchId, replayId] = ['run_golden_branch', 'run_golden_replay'];
  await recorder.branch(branchId, fromSequence);
  await goOn(recorder, { seed: 12, rounds: 10 });
  await recorder.host.fork({ runId: branchId, forkRunId: replayId, mode: 'replay', fromSeq: 0 });
  const branched = await recorder.host.events(branchId);
  const replayed = await recorder.host.events(replayId);
  const branch = { of: 'sliding-window', mode: 'branch', fromSequence } as const;
  const replay = { of: 'sliding-window-branch', mode: 'replay', fromSequence: 0 } as const;
  const recordings = {
    'sliding-window': historyOf(recorder, whole),
    'sliding-window-branch': historyOf(recorder, branched.slice(fromSequence), { fork: branch }),
    'sliding-window-replay': historyOf(recorder, replayed, { fork: replay }),
  };
  await recorder.close();
  return recordings;
}

/** A place that the middle one of the summaries stands for, with events of its range on both sides. */
function insideSummarized(events: readonly RecordedEvent[]): number {
  const summaries = events.filter(({ type }) => type === CONTEXT_SUMMARIZED);
  const middle = summaries[Math.floor(summaries.length / 2)];
  const named = new Set(middle?.payload['replacedTurns'] as readonly string[] | undefined);
  const messages = events.filter(({ eventId, type }) => named.has(eventId) && type !== CONTEXT_SUMMARIZED);
  return messages[Math.floor(messages.length / 2)]?.sequence ?? 0;
}

async function one(name: string, run: RecordedRun, scene: Scene): Promise<Recordings> {
  const recorder = await OwnLoopRecorder.start(run);
  await playScene(recorder, scene);
  await recorder.finish();
  const history = historyOf(recorder, await recorder.host.events(run.runId), run);
  await recorder.close();
  return { [name]: history };
}

/** Contents that the events name, and nothing else that was said. */
function historyOf(
  { contents }: OwnLoopRecorder,
  events: readonly RecordedEvent[],
  { fork, host = {} }: Partial<Pick<OwnLoopHistory, 'fork' | 'host'>> = {},
): OwnLoopHistory {
  const named = events.flatMap(({ payload }) => {
    const id = payload['artifactId'] as string | undefined;
    const content = id === undefined ? undefined : contents.get(id);
    return id !== undefined && content ? [[id, content] as const] : [];
  });
  return {
    kind: 'own-loop',
    host,
    ...(fork && { fork }),
    contents: fork?.mode === 'replay' ? {} : Object.fromEntries(named),
    events,
  };
}

const recursive: RecordedRun = {
  runId: 'run_golden_recursive',
  flags: NO_REPLAY_FLAGS,
  context: { transcriptTokenBudget: 6000, tokenCounter: 'chars', keepLastTurns: 1, strategy: 'recursive' },
};

const mapReduce: RecordedRun = {
  runId: 'run_golden_map_reduce',
  flags: NO_REPLAY_FLAGS,
  context: {
    transcriptTokenBudget: 2000,
    tokenCounter: 'cl100k_base',
    keepLastTurns: 2,
    strategy: 'map-reduce',
  },
  host: { summaryJobTokens: 2400 },
};

const evicting: RecordedRun = {
  runId: 'run_golden_evicting',
  flags: NO_REPLAY_FLAGS,
  context: {
    transcriptTokenBudget: 1500,
    tokenCounter: 'chars',
    keepLastTurns: 3,
    strategy: 'none',
    transcriptWindow: 12,
  },
};

const fullArguments: RecordedRun = {
  runId: 'run_golden_full_arguments',
  flags: [FLAG.FULL_ARGUMENTS],
  context: {
    transcriptTokenBudget: 2400,
    tokenCounter: 'chars',
    keepLastTurns: 2,
    strategy: 'sliding-window',
  },
};

/** How each history of an own loop was made, by its name. Those of a row are made together. */
export const OWN_LOOP_RECORDINGS: readonly {
  readonly names: readonly string[];
  readonly record: () => Promise<Recordings>;
}[] = [
  {
    names: ['sliding-window', 'sliding-window-branch', 'sliding-window-replay'],
    record: slidingAndForks,
  },
  { names: ['recursive'], record: () => one('recursive', recursive, { seed: 21, rounds: 26 }) },
  { names: ['map-reduce'], record: () => one('map-reduce', mapReduce, { seed: 31, rounds: 20 }) },
  { names: ['evicting'], record: () => one('evicting', evicting, { seed: 41, rounds: 15 }) },
  {
    names: ['full-arguments'],
    record: () => one('full-arguments', fullArguments, { seed: 51, rounds: 15, reports: 0.7 }),
  },
];
