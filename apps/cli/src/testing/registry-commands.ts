import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CliEnd } from './run-cli.js';

export type Surroundings = {
  readonly url: string;
  readonly key: string;
  readonly folder: string;
  cli(...args: string[]): Promise<CliEnd>;
};

const DIGEST = `sha256:${'1'.repeat(64)}`;
const SIDE = {
  billed_cost: 100,
  wall_time_ms: 1000,
  quality_score: 90,
  rework_rounds: 0,
  escaped_high_critical: 0,
};
const PAIR = { id: 'ui-integration-01', stratum: 'ui-integration', baseline: SIDE, candidate: SIDE };
const RECORD = {
  lineage_id: 'scout-1',
  platform: 'claude',
  platform_handle: null,
  parent_lineage_id: null,
  role: 'scout',
  scope: 'Fork events.',
  phase: '2A',
  fix_loop_id: null,
  mode: 'fresh-capsule',
  model: null,
  effort: null,
  sensitivity: 'normal',
  spec_hash: 'spec-1',
  scope_hash: 'scope-1',
  tools_hash: 'tools-1',
  permissions_hash: 'permissions-1',
  runtime_prefix_hash: DIGEST,
  baseline_hash: null,
  capsule_hash: null,
  checkpoint_sha: null,
  resumable: true,
};

/** The commands on workgroups and rollouts, against a running server that trusts no measurement. */
export function describeRegistryCommands(surroundings: () => Surroundings): void {
  async function post(path: string, body: object): Promise<number> {
    const { url, key } = surroundings();
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    return answer.status;
  }
  const cli = (...args: string[]): Promise<CliEnd> => surroundings().cli(...args);
  const select = () =>
    post('/v1/rollouts/spec:select', {
      family: 'capsules',
      actualMode: 'fresh-capsule',
      recommendedMode: 'resume',
      reasonCodes: ['RESUME_COMPATIBLE'],
    });
  const set = (...args: string[]) => cli('rollout', 'set', 'spec', '--family', 'capsules', ...args);

  it('show a workgroup, and a lineage of it', async () => {
    expect(await post('/v1/workgroups/wg-cli:coordinate', { phase: '2A' })).toBe(200);
    expect(await post('/v1/workgroups/wg-cli/lineages', { record: RECORD, ownedFiles: [] })).toBe(201);
    const workgroup = await cli('workgroup', 'show', 'wg-cli');
    expect(workgroup.out).toMatch(
      /^wg-cli: phase 2A, 1 lineage held, 0 idle\n[^]*\nscout-1 +held +scout +2A +fresh-capsule +no +2 /,
    );
    const lineage = await cli('lineage', 'show', 'scout-1');
    expect([lineage.code, lineage.out]).toEqual([0, expect.stringMatching(/^scout-1 in wg-cli: held\n/)]);
    expect(await cli('lineage', 'show', 'scout-2')).toMatchObject({ code: 3, out: '' });
  });

  it('take a family up to shadow, a rung at a time, each once it is active', async () => {
    const candidate = ['--candidate-version', '1.4.0', '--corpus-version', 'c1', '--runtime-digest', DIGEST];
    expect(await set('--stage', 'observe', ...candidate)).toMatchObject({
      code: 0,
      out: 'capsules  observe  version 1\n',
    });
    const early = await set('--stage', 'shadow');
    expect([early.code, early.err]).toEqual([3, expect.stringContaining('(stage_not_active)\n  Have ')]);
    expect(await select()).toBe(200);
    expect((await set('--stage', 'shadow')).out).toBe('capsules  shadow  version 2\n');
    expect((await cli('rollout', 'show', 'spec')).out).toMatch(/\ncapsules +shadow +no /);
  });

  it('refuse a promotion whose gates do not pass with 1, and report each of them', async () => {
    const { folder } = surroundings();
    const file = join(folder, 'measured.json');
    writeFileSync(file, JSON.stringify({ pairs: [PAIR], measurement_envelope: {} }));
    expect(await select()).toBe(200);
    const promoted = await cli('rollout', 'promote', 'spec', '--family', 'capsules', '--evidence', file);
    expect([promoted.code, promoted.err]).toEqual([1, '']);
    const reported = await cli('rollout', 'report', 'spec', '--family', 'capsules');
    expect(reported.code).toBe(0);
    for (const { out } of [promoted, reported]) {
      expect(out).toMatch(/^not promoted from shadow to canary 10 %, /m);
      expect(out).toMatch(/^provenance +– +– +fail: pairs not measured, malformed$/m);
      expect(out).toMatch(/^sample_size +1 +≥ 40 +fail$/m);
      expect(out).toMatch(/^quality +0 +≤ 2 +pass$/m);
    }
    expect(reported.out).toMatch(/^fresh-capsule +\d+( +unknown){4}$/m);
  });
}
