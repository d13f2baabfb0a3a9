import { waitUntil } from '@palimpsest/kernel/testing';
import type { Answer } from '../api-client.js';
import type { SplitDeployment } from '../deployment.js';
import { BRIEFING, UNTOLD } from './registry-flow.js';
import { recordOf } from './lineage-facts.js';

const WORKGROUP = 'wg-faults';
const CLIENTS = 24;

/** The registry as processes of its own: killed while leases are held, and several of it. */
export function describeRegistryFaults(running: () => SplitDeployment): void {
  const post = (path: string, body: object = {}): Promise<Answer> => running().api.post(`/v1${path}`, body);
  const get = (path: string): Promise<Answer> => running().api.get(`/v1${path}`);
  const register = (lineageId: string, ownedFiles: readonly string[], leaseMs?: number): Promise<Answer> =>
    post(`/workgroups/${WORKGROUP}/lineages`, {
      record: recordOf({ lineageId, role: 'api-builder' }),
      ownedFiles,
      ...(leaseMs !== undefined && { leaseMs }),
    });
  const owned = () => running().api.ok(get(`/workgroups/${WORKGROUP}/owned-paths`));

  it('keeps leases, fences and paths while it is killed and started again, and ends those that are over', async () => {
    const { api, cluster } = running();
    await api.ok(post(`/workgroups/${WORKGROUP}:coordinate`, { phase: '2A' }));
    await api.ok(register('faults-held', ['src/held']));
    await api.ok(register('faults-short', ['src/short'], 3000));
    const before = await owned();
    expect(before.paths).toHaveLength(2);

    await cluster.kill('lineage-registry');
    const away = await get(`/workgroups/${WORKGROUP}`);
    expect(away).toMatchObject({ status: 503, json: { error: 'service_unavailable' } });
    await cluster.add('lineage-registry');

    await waitUntil(async () => {
      const { json } = await get('/lineages/faults-short');
      return (json as { status?: string }).status === 'evicted';
    });
    expect((await get('/lineages/faults-short')).json).toMatchObject({ eviction: 'LEASE_EXPIRED' });
    expect((await owned()).paths).toEqual([before.paths[0]]);
    expect(await api.ok(post('/lineages/faults-held:renew', { fence: 2 }))).toMatchObject({ fence: 2 });
    expect(await post('/lineages/faults-short:renew', { fence: 3 })).toMatchObject({ status: 409 });
  });

  it('has one holder where many clients race for one path at two instances', async () => {
    await running().cluster.add('lineage-registry');
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, (_, client) =>
        register(`faults-racer-${client}`, [client % 2 === 0 ? 'src/raced' : 'src/raced/deep.ts']),
      ),
    );
    const codes = answers.map(({ status, json }) => (status === 201 ? 'granted' : String(json?.error)));
    expect(codes.filter((code) => code === 'granted')).toHaveLength(1);
    expect(codes.filter((code) => code === 'writer_scope_conflict')).toHaveLength(CLIENTS - 1);
    expect((await owned()).paths).toHaveLength(2);
  });

  it('says nothing of briefings, private values or what stands beside the contract’s facts on the bus', () => {
    const { messages } = running().tap;
    expect(
      messages.filter(({ subject }) => subject.startsWith('palimpsest.registry.')).length,
    ).toBeGreaterThan(CLIENTS);
    const saying = messages.filter(({ text }) => [BRIEFING, ...UNTOLD].some((said) => text.includes(said)));
    expect(saying.map(({ subject }) => subject)).toEqual([]);
  });
}
