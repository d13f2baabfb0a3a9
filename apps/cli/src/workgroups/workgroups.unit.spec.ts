import type { LineageDocument, LineageView, OwnedPath, WorkgroupView } from '../client/registry-api.js';
import { moment } from '../output/text.js';
import { registrySession } from '../testing/heard-session.js';
import { MOVES, spoiltTexts } from '../testing/spoilt-texts.js';
import { showLineage } from './show-lineage.js';
import { showWorkgroup } from './show-workgroup.js';

const AT = '2031-03-10T12:00:00.000Z';
const WORKGROUP: WorkgroupView = {
  workgroupId: 'wg-2',
  sequence: 7,
  phase: '2A',
  coordinator: { fence: 3, expiresAt: AT },
  approvals: [{ subject: 'spec-1', phase: '1B', finalGate: false, approvedAt: AT }],
  lineages: { held: 1, idle: 1 },
};
const HELD: LineageView = {
  lineageId: 'builder-7',
  workgroupId: 'wg-2',
  status: 'held',
  isWriter: true,
  ownedPaths: ['src/api'],
  lease: { fence: 5, expiresAt: AT },
  grant: 'resume',
  depth: 0,
  reconcileRequired: false,
  record: { role: 'api-builder', phase: '2A' },
};
const GONE: LineageView = {
  ...HELD,
  lineageId: 'scout-1',
  status: 'evicted',
  isWriter: false,
  ownedPaths: [],
  eviction: 'LEASE_EXPIRED',
  record: { role: 'sc\u001bout', phase: '1A' },
};
const PATHS: readonly OwnedPath[] = [
  {
    path: 'src/api',
    lineageId: 'builder-7',
    role: 'api-builder',
    phase: '2A',
    fence: 5,
    expiresAt: AT,
  },
];

function withoutLease(view: LineageView): LineageView {
  const { lease: _, ...rest } = view;
  return rest;
}

function playing(workgroup: WorkgroupView, lineages: readonly LineageView[], owned = PATHS) {
  const asked: unknown[] = [];
  const played = registrySession({
    readWorkgroup: async () => workgroup,
    listLineages: async (workgroupId, evicted, after) => {
      asked.push([workgroupId, evicted]);
      expect(after).toBeUndefined();
      return { workgroupId, lineages: [...lineages] };
    },
    ownedPaths: async (workgroupId) => ({ workgroupId, paths: lineages.length > 0 ? owned : [] }),
  });
  return { ...played, asked };
}

const cells = (line = ''): readonly string[] => line.trim().split(/ {2,}/);

describe('palimpsest workgroup show', () => {
  it('says phase, seat, lineages and who owns which paths', async () => {
    const { session, printed, asked } = playing(WORKGROUP, [HELD, withoutLease(GONE)]);
    await showWorkgroup('wg-2', { evicted: true }, session);
    expect(asked).toEqual([['wg-2', true]]);
    const lines = printed.out.split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'wg-2: phase 2A, 1 lineage held, 1 idle',
      `coordinator: fence 3, until ${moment(AT)}`,
      'approved last: spec-1 in phase 1B',
    ]);
    expect(cells(lines[5])).toEqual([
      'builder-7',
      'held',
      'api-builder',
      '2A',
      'resume',
      'yes',
      '5',
      moment(AT),
    ]);
    expect(cells(lines[6])).toEqual([
      'scout-1',
      'evicted: LEASE_EXPIRED',
      'sc\uFFFDout',
      '1A',
      'resume',
      'no',
    ]);
    expect(cells(lines[9])).toEqual(['src/api', 'builder-7', 'api-builder', '5', moment(AT)]);
  });

  it('says that nobody has the seat, and shows no empty tables', async () => {
    const { coordinator: _, ...vacant } = WORKGROUP;
    const { session, printed, asked } = playing(
      { ...vacant, approvals: [], lineages: { held: 0, idle: 0 } },
      [],
    );
    await showWorkgroup('wg-2', {}, session);
    expect(asked).toEqual([['wg-2', false]]);
    expect(printed.out).toBe('wg-2: phase 2A, 0 lineages held, 0 idle\ncoordinator: nobody\n');
  });

  it('shows no text of the server that moves the cursor', async () => {
    const { session, printed } = playing(
      spoiltTexts(WORKGROUP),
      spoiltTexts([HELD, GONE]),
      spoiltTexts(PATHS),
    );
    await showWorkgroup('wg-2', {}, session);
    expect(printed.out).not.toMatch(MOVES);
    expect(printed.out).toContain('spec-1\uFFFD[2J ');
    const plain = playing(WORKGROUP, [HELD, GONE]);
    await showWorkgroup('wg-2', {}, plain.session);
    expect(printed.out.split('\n')).toHaveLength(plain.printed.out.split('\n').length);
  });

  it('prints all of it as one JSON object', async () => {
    const { session, printed } = playing(WORKGROUP, [HELD]);
    await showWorkgroup('wg-2', { json: true }, session);
    expect(JSON.parse(printed.out)).toEqual({ workgroup: WORKGROUP, lineages: [HELD], paths: PATHS });
  });
});

describe('palimpsest lineage show', () => {
  async function shown(lineage: LineageDocument, json = false): Promise<string> {
    const { session, printed } = registrySession({ readLineage: async () => lineage });
    await showLineage('builder-7', { json }, session);
    return printed.out;
  }

  const REFUSED: LineageDocument = {
    ...HELD,
    reconcileRequired: true,
    refusals: [
      {
        sequence: 4,
        refusedAt: AT,
        code: 'resume_refused',
        state: 'INVALID',
        invalidations: ['PHASE_MISMATCH', 'SPEC_MISMATCH'],
      },
      { sequence: 6, refusedAt: AT, code: 'writer_scope_conflict', invalidations: [] },
      {
        sequence: 7,
        refusedAt: AT,
        code: 'resume_refused',
        state: 'HOT',
        invalidations: [],
        reasonCodes: ['SENSITIVITY_ISOLATION', 'REVIEW_INDEPENDENCE'],
      },
    ],
  };

  it('says why going on was refused', async () => {
    const lines = (await shown(REFUSED)).split('\n');
    expect(lines.slice(0, 5)).toEqual([
      'builder-7 in wg-2: held',
      'api-builder in phase 2A, context: resume, depth 0',
      `fence 5, until ${moment(AT)}`,
      'has to be reconciled with a capsule before it goes on',
      'owns: src/api',
    ]);
    expect(cells(lines[7])).toEqual([
      moment(AT),
      'resume_refused',
      'INVALID',
      'PHASE_MISMATCH, SPEC_MISMATCH',
    ]);
    expect(cells(lines[8])).toEqual([moment(AT), 'writer_scope_conflict']);
    expect(cells(lines[9])).toEqual([
      moment(AT),
      'resume_refused',
      'HOT',
      'SENSITIVITY_ISOLATION, REVIEW_INDEPENDENCE',
    ]);
  });

  it('says that it never was, and why it is gone', async () => {
    const said = await shown({ ...withoutLease(GONE), ownedPaths: ['src/seen'], refusals: [] });
    expect(said).toBe(
      'scout-1 in wg-2: evicted, LEASE_EXPIRED\nsc\uFFFDout in phase 1A, context: resume, depth 0\nowned: src/seen\nnever refused\n',
    );
  });

  it('shows no text of the server that moves the cursor', async () => {
    const spoilt = spoiltTexts(REFUSED);
    const said = await shown(spoilt);
    expect(said).not.toMatch(MOVES);
    expect(said.split('\n')).toHaveLength((await shown(REFUSED)).split('\n').length);
    expect(JSON.parse(await shown(spoilt, true))).toEqual(spoilt);
  });

  it('prints the answer as JSON', async () => {
    expect(JSON.parse(await shown(REFUSED, true))).toEqual(REFUSED);
  });
});
