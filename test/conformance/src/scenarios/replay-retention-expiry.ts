// Host specification §6.1 (an expired range), §6.2 (retention), §1.4 (`replay.retention`), §9.3 (environment).
import { expectRefusal } from '../client/expectations.js';
import type { Discovery } from '../client/host.js';
import { endedRun, fork, forkToEnd } from '../client/forks.js';
import { all, fixtures, replays, type Scenario } from '../scenario.js';

/** A run whose first events a host forks no more; only who keeps the host can name one. */
const EXPIRED_RUN = process.env['OPENWOP_TEST_EXPIRED_REPLAY_RUN_ID'] ?? '';
const EXPIRED_FROM = Number(process.env['OPENWOP_TEST_EXPIRED_REPLAY_FROM_SEQ'] ?? 0);

export const scenario: Scenario = {
  name: 'replay-retention-expiry',
  needs: all(replays, namedWhereClaimed, fixtures('conformance-noop')),
  tests(host) {
    if (EXPIRED_RUN !== '') {
      it('refuses a place that has expired, and says where the boundary is', async () => {
        const answer = await fork(host, EXPIRED_RUN, { mode: 'replay', fromSeq: EXPIRED_FROM });
        expectRefusal(answer, [410, 422]);
        expect(answer.json.details).toMatchObject({
          sourceRunId: EXPIRED_RUN,
          fromSeq: EXPIRED_FROM,
          retentionBoundary: expect.anything(),
        });
      });
    }

    it('claims a boundary that is one, or forks every run from its start', async () => {
      const { retention } = (await host.discovery())['replay'] as { readonly retention?: unknown };
      if (retention !== undefined) {
        const { windowSeconds = 0 } = retention as { readonly windowSeconds?: unknown };
        expect(Number.isInteger(windowSeconds) && Number(windowSeconds) >= 0).toBe(true);
        return;
      }
      const { runId } = await endedRun(host, 'conformance-noop');
      const { snapshot } = await forkToEnd(host, runId, { mode: 'replay', fromSeq: 0 });
      expect(snapshot.status).toBe('completed');
    });
  },
};

/** A host that claims retention shows it with a run that has expired. One that claims none has none. */
function namedWhereClaimed(discovery: Discovery): string | undefined {
  const { retention }: { retention?: unknown } = discovery['replay'] ?? {};
  if (retention === undefined || EXPIRED_RUN !== '') return undefined;
  return 'no expired run is named: OPENWOP_TEST_EXPIRED_REPLAY_RUN_ID, OPENWOP_TEST_EXPIRED_REPLAY_FROM_SEQ';
}
