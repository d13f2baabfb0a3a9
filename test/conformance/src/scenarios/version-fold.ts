// Host specification §2.3 (`force_engine_version_forbidden`), §1.2 (`testing.forceEngineVersionRange`), §10.2.
import { expectRefusal } from '../client/expectations.js';
import { eventually } from '../client/deadlines.js';
import type { Answer, Discovery, Host } from '../client/host.js';
import { pathOf, runToEnd } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-version-fold';

export const scenario: Scenario = {
  name: 'version-fold',
  needs: fixtures(WORKFLOW),
  tests(host) {
    it('completes the fixture under the version of the host', async () => {
      const { runId, snapshot, events } = await runToEnd(host, WORKFLOW);
      expect(snapshot.status).toBe('completed');
      expect(events.length).toBeGreaterThan(0);
      expect((await host.get(pathOf(runId, '/events/poll'))).json.events).toEqual(events);
    });

    it('forces no version for a key that is no test key', async () => {
      const discovery = await host.discovery();
      const { min } = rangeOf(discovery) ?? { min: 1 };
      const isTestKey = host.testKeyOf(discovery) === host.apiKey;
      const answer = await forced(host, host.apiKey, min);
      if (isTestKey) expect(answer.status).toBe(201);
      else expectRefusal(answer, 403, 'force_engine_version_forbidden');
    });

    it('forces for a test key the versions that discovery tells, and no other', async () => {
      const discovery = await host.discovery();
      const range = rangeOf(discovery);
      const key = host.testKeyOf(discovery);
      // A host that offers none, or of which this suite has no test key, owes the refusal above and no more.
      if (!range || key === undefined) return;
      for (const version of new Set([range.min, range.max])) {
        const { status, json } = await forced(host, key, version);
        expect([version, status]).toEqual([version, 201]);
        const asTester = { headers: { authorization: `Bearer ${key}` } };
        const { json: ended } = await eventually('the forced run ends', async () => {
          const answer = await host.get(pathOf(json.runId, '/events/poll'), asTester);
          return answer.json?.isTerminal === true ? answer : undefined;
        });
        expect(ended).toMatchObject({ runStatus: 'completed' });
        expect((await host.get(pathOf(json.runId), asTester)).json.status).toBe('completed');
      }
      for (const version of [range.min - 1, range.max + 1]) {
        expectRefusal(await forced(host, key, version), 400, 'unsupported_force_engine_version');
      }
    });
  },
};

function forced(host: Host, key: string, version: number): Promise<Answer> {
  return host.post(
    '/v1/runs',
    { workflowId: WORKFLOW },
    { authorization: `Bearer ${key}`, 'x-force-engine-version': String(version) },
  );
}

function rangeOf(discovery: Discovery): { readonly min: number; readonly max: number } | undefined {
  const { min, max } = discovery['testing']?.forceEngineVersionRange ?? {};
  return Number.isInteger(min) && Number.isInteger(max) ? { min, max } : undefined;
}
