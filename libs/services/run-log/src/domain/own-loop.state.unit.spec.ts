import type { RunHeader } from '@palimpsest/contracts';
import { runOf } from './own-loop.state.js';

const header: RunHeader = {
  tenantId: 'acme',
  runId: 'run-1',
  workflowId: 'palimpsest-external',
  status: 'running',
  head: 4,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  state: {},
};
const origin = { runId: 'run-0', fromSequence: 2 };

describe('whether a run takes turns', () => {
  it.each<[string, Partial<RunHeader>]>([
    ['a run that runs', {}],
    ['a branch', { origin: { ...origin, mode: 'branch' } }],
    ['a branch that is complete', { origin: { ...origin, mode: 'branch' }, state: { replayTarget: 0 } }],
  ])('%s does', (_, change) => {
    expect(runOf({ ...header, ...change }).status).toBe('active');
  });

  it.each<[string, Partial<RunHeader>]>([
    ['a completed run', { status: 'completed' }],
    ['a failed run', { status: 'failed' }],
    ['a pending run', { status: 'pending' }],
    ['a replay', { origin: { ...origin, mode: 'replay' } }],
    ['a fork that is not complete yet', { head: -1, state: { replayTarget: 0 } }],
    ['a run of another workflow', { workflowId: 'other' }],
  ])('%s does not', (_, change) => {
    expect(runOf({ ...header, ...change }).status).toBe('closed');
  });

  it('an unknown run is absent', () => {
    expect(runOf(undefined)).toEqual({ status: 'absent' });
  });
});
