import type { PalimpsestApi } from '../client/palimpsest-api.js';
import { completeFork } from './fork-run.js';

type Snapshot = { readonly status: string; readonly lastSequence: number; readonly workflowId: string };

const OWN = 'palimpsest-external';
const SOURCE: Snapshot = { status: 'completed', lastSequence: 9, workflowId: OWN };

/** An API whose fork shows one snapshot after the other, and must not be asked for more. */
function apiOf(source: Snapshot, shown: readonly Partial<Snapshot>[]) {
  let looks = 0;
  const readRun = async (runId: string): Promise<Snapshot> => {
    if (runId === 'source') return source;
    const snapshot = shown[looks];
    looks += 1;
    if (!snapshot) throw new Error('It was waited in vain.');
    return { ...source, ...snapshot };
  };
  const fork = async () => ({ runId: 'fork', status: 'pending' });
  return { api: { readRun, fork } as unknown as PalimpsestApi, looks: () => looks };
}

const running = (lastSequence: number) => ({ status: 'running', lastSequence });

it.each<[string, Snapshot, readonly Partial<Snapshot>[], string]>([
  ['all is repeated', SOURCE, [running(3), { status: 'completed', lastSequence: 9 }], 'completed'],
  ['it has diverged, and ended before', SOURCE, [{ status: 'failed', lastSequence: 4 }], 'failed'],
  [
    'what came before a cancellation is repeated, and it waits',
    { status: 'cancelled', lastSequence: 9, workflowId: 'w' },
    [{ status: 'waiting-approval', lastSequence: 7 }],
    'waiting-approval',
  ],
  [
    'all is repeated of an own loop that was cancelled',
    { ...SOURCE, status: 'cancelled' },
    [running(3), { status: 'cancelled', lastSequence: 9 }],
    'cancelled',
  ],
])('waits for a replay until %s', async (_what, source, shown, status) => {
  const { api, looks } = apiOf(source, shown);
  expect((await completeFork(api, 'source', { mode: 'replay' })).status).toBe(status);
  expect(looks()).toBe(shown.length);
});

it('does not wait for a branch', async () => {
  const { api } = apiOf(SOURCE, [running(3)]);
  expect((await completeFork(api, 'source', { mode: 'branch', fromSeq: 4 })).status).toBe('running');
});
