import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { envelopeProblems } from './client/expectations.js';
import { Host } from './client/host.js';
import { notApplicable } from './register.js';
import { fixtures, seam, type Scenario } from './scenario.js';
import { SCENARIOS } from './scenarios/index.js';

const HERE = dirname(fileURLToPath(import.meta.url));
const host = new Host({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k' });

function scenario(needs?: Scenario['needs']): Scenario {
  return { name: 'row', ...(needs && { needs }), tests: () => undefined };
}

describe('the gate of a row', () => {
  it('lets a row through that needs nothing', () => {
    expect(notApplicable([scenario()], {}, host)).toEqual([]);
  });

  it.each([{}, { fixtures: [] }, { fixtures: ['conformance-delay'] }])(
    'wants its fixture in %j',
    (discovery) => {
      expect(notApplicable([scenario(fixtures('conformance-noop'))], discovery, host)).toEqual([
        { name: 'row', reason: 'discovery lists no fixture conformance-noop' },
      ]);
    },
  );

  it('opens where all its fixtures are listed', () => {
    const needs = fixtures('conformance-noop', 'conformance-delay');
    const discovery = { fixtures: ['conformance-delay', 'conformance-noop', 'more'] };
    expect(notApplicable([scenario(needs)], discovery, host)).toEqual([]);
  });

  it('leaves rows out of a bare host, each with a reason, and keeps those that are for every host', () => {
    const skipped = notApplicable(SCENARIOS, { limits: {} }, host);
    expect(skipped.filter(({ reason }) => reason === '')).toEqual([]);
    const names = skipped.map(({ name }) => name);
    const kept = SCENARIOS.map(({ name }) => name).filter((name) => !names.includes(name));
    expect(kept).toEqual([
      'discovery',
      'protocol-version-grammar',
      'error-envelope-canonical-shape',
      'test-seam-unauthenticated',
      'rate-limit-envelope',
    ]);
  });

  it('asks for more than fixtures where a row is about more', () => {
    const rows = SCENARIOS.filter(({ needs }) => needs?.({ fixtures: everyFixture() }, host) !== undefined);
    expect(rows.map(({ name }) => name)).toEqual([
      'run-transport-economy',
      'run-execution-bounds',
      'orchestrator-dispatch',
      'orchestrator-termination',
      'orchestrator-conservative-path',
      'dispatch-loop',
      'dispatch-output-mapping',
      'dispatch-output-mapping-registered',
      'dispatch-input-mapping',
      'dispatch-cross-worker-handoff',
      'multi-agent-handoff-state-machine',
      'multi-agent-confidence-escalation',
      'agent-loop-version5-shape',
      'agent-loop-iteration-monotonic',
      'agent-loop-stateful-resume',
      'cross-host-causation-shape',
      'cross-host-ancestry-endpoint',
      'replay-fork',
      'replay-fork-arbitrary',
      'replay-fork-idempotency',
      'replay-determinism',
      'replay-retention-expiry',
      'replay-llm-cache-key',
      'replay-divergence-at-refusal',
      'replay-side-effect-suppression',
      'context-budget-transcript-bound',
      'context-summarization-replay',
      'provider-usage',
      'provider-usage-credential-leak',
      'restart-during-run',
    ]);
  });
});

describe('a seam that rows need', () => {
  it.each([
    [400, []],
    [404, ['needs-the-seam']],
    [405, ['needs-the-seam']],
  ])('is there or not by what an empty body gets: %i', async (status, left) => {
    const server = createServer((_request, response) => response.writeHead(status).end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const tried = new Host({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k' });
    await tried.trySeams();
    server.closeAllConnections();
    server.close();
    const row = { name: 'needs-the-seam', needs: seam('workflows'), tests: () => undefined };
    expect(notApplicable([row], {}, tried).map(({ name }) => name)).toEqual(left);
  });
});

describe('the list of rows', () => {
  it('holds every file of the folder, under its name', () => {
    const files = readdirSync(join(HERE, 'scenarios')).map((file) => file.replace(/\.ts$/, ''));
    expect(SCENARIOS.map(({ name }) => name).sort()).toEqual(files.filter((file) => file !== 'index').sort());
  });
});

describe('an error envelope', () => {
  it('names each thing that is wrong', () => {
    expect(envelopeProblems({ error: '', details: null, runId: 'r' })).toEqual([
      'stray key runId',
      'error is no non-empty string',
      'message is no non-empty string',
      'details is no object',
    ]);
  });
});

/** Every fixture that any row asks for, found by asking. */
function everyFixture(): readonly string[] {
  const reasons = SCENARIOS.map(
    ({ needs }) =>
      needs?.(
        {
          limits: { maxRunDurationMs: 1000 },
          restTransport: { conditionalRunGet: true, contentEncodings: ['gzip'] },
        },
        restartable(),
      ) ?? '',
  );
  return reasons.flatMap((reason) => reason.match(/conformance-[a-z-]+/g) ?? []);
}

function restartable(): Host {
  return Object.assign(new Host(), { restart: async () => undefined });
}
