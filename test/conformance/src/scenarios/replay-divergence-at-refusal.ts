// Host specification §6.5 (RFC 0041 §B), §4.8 (`replay.divergedAtRefusal`), §9.3 (mock program).
import { expectEndedBy, ofType } from '../client/expectations.js';
import { scaled } from '../client/deadlines.js';
import type { Discovery, Host, Json } from '../client/host.js';
import { eventsOf, pathOf, startRun, waitForEnd } from '../client/runs.js';
import { all, fixtures, replays, seam, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-phase4-replay-divergence';
const NODE = 'structured-call';
const DIVERGED_MS = 5000;
const REFUSAL_TEXT = 'This is nothing that the model answers.';

const VALID = { content: '{"valid":true}', stopReason: 'end_turn' };
const REFUSED = { content: '', stopReason: 'safety', refusalText: REFUSAL_TEXT };

const KNOWN = [
  ...['sourceRunId', 'atSequence', 'originalEnvelopeKind', 'replayEnvelopeKind'],
  ...['originalEventId', 'nodeId', 'refusalReason'],
];

export const scenario: Scenario = {
  name: 'replay-divergence-at-refusal',
  needs: all(refusalDivergence, replays, fixtures(WORKFLOW), seam('mock program')),
  tests(host) {
    // One after the other: a program is its node's, whoever runs it.
    it.each([
      ['valid, then a refusal', [VALID, REFUSED], 'completed', ['valid', 'refusal']],
      ['a refusal, then valid', [REFUSED, VALID], 'failed', ['refusal', 'valid']],
    ] as const)('fails a replay that diverges: %s', async (_name, program, status, kinds) => {
      expect((await programMock(host, program)).json).toMatchObject({ ok: true, count: 2 });
      const sourceRunId = await startRun(host, WORKFLOW);
      expect((await waitForEnd(host, sourceRunId)).status).toBe(status);

      const forked = await host.post(pathOf(sourceRunId, ':fork'), { mode: 'replay', fromSeq: 0 });
      expect(forked.status).toBe(201);
      const runId = String(forked.json.runId);
      const snapshot = await waitForEnd(host, runId, scaled(DIVERGED_MS));
      expect(snapshot).toMatchObject({ status: 'failed', error: { code: 'replay_diverged_at_refusal' } });

      const events = await eventsOf(host, runId);
      expectEndedBy(events, 'run.failed');
      const [{ payload }, ...more] = ofType(events, 'replay.divergedAtRefusal');
      expect(more).toEqual([]);
      expect(payload).toMatchObject({
        sourceRunId,
        originalEnvelopeKind: kinds[0],
        replayEnvelopeKind: kinds[1],
      });
      expect(Number.isInteger(payload.atSequence)).toBe(true);
      expect(Object.keys(payload as object).filter((key) => !KNOWN.includes(key))).toEqual([]);
      expect(messagesOf(events, snapshot)).not.toContain(REFUSAL_TEXT);
    });

    it('repeats what does not diverge', async () => {
      await programMock(host, [VALID, VALID]);
      const sourceRunId = await startRun(host, WORKFLOW);
      await waitForEnd(host, sourceRunId);
      const { json } = await host.post(pathOf(sourceRunId, ':fork'), { mode: 'replay', fromSeq: 0 });
      expect((await waitForEnd(host, String(json.runId))).status).toBe('completed');
    });
  },
};

function programMock(host: Host, program: readonly object[]) {
  return host.post('/v1/host/sample/test/mock-ai/program', { nodeId: NODE, program });
}

/** Where the text of a refusal must not be: errors, and why a replay diverged. */
function messagesOf(events: readonly Json[], snapshot: Json): string {
  const ended = events.filter(({ type }) =>
    ['run.failed', 'node.failed', 'replay.divergedAtRefusal'].includes(type),
  );
  return JSON.stringify([ended, snapshot.error]);
}

function refusalDivergence(discovery: Discovery): string | undefined {
  const claimed: unknown =
    discovery['multiAgent']?.executionModel?.replayDeterminism?.refusalDivergenceEmission;
  return claimed === true ? undefined : 'discovery does not claim refusalDivergenceEmission';
}
