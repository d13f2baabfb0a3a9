import {
  artifactStoreMigrations,
  PostgresArtifactStore,
  PostgresEventLog,
  runLogMigrations,
} from '@palimpsest/adapter-postgres';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import {
  verificationSchema,
  type ForkOrigin,
  type NewRunEvent,
  type Verification,
} from '@palimpsest/contracts';
import { TerminalError } from '@palimpsest/kernel';
import { verifyRun } from '../handlers/verify-run.js';
import { SOURCE, SourceRun, TENANT } from '../testing/source-run.js';
import { standingOf } from '../testing/standing-of.js';
import { checkLog } from './check-log.js';
import type { VerifyPorts } from './compare-with-source.js';

const AT = new Date('2026-01-01T00:00:00.000Z');
const GAP = 'an event is missing from the log, or not in its place';
const SAYS = 'the event says something else than was recorded';
const LINK = 'its time, its cause or what comes before it is not as recorded';
const WRITER = 'it stands in the log of a run that did not write it';
const HEAD = 'the log and the head of the run are not of one chain';

let database: TestDatabase;
let eventLog: PostgresEventLog;
let artifacts: PostgresArtifactStore;
let runs = 0;

beforeAll(async () => {
  database = await createTestDatabase([runLogMigrations, artifactStoreMigrations]);
  eventLog = new PostgresEventLog(database.pool);
  artifacts = new PostgresArtifactStore(database.pool);
});
afterAll(() => database.drop());

type Run = { readonly runId: string; readonly content: readonly string[] };

/** Six events, two of which name content of their own; every column has something in it. */
async function startRun(): Promise<Run> {
  const runId = `run-${(runs += 1)}`;
  const texts = [1, 2].map((part) => ({ type: 'message' as const, content: { text: `${runId} ${part}` } }));
  const content = await artifacts.put(TENANT, runId, texts);
  const [first = '', second = ''] = content;
  const event = (type: string, payload: NewRunEvent['payload'], more: Partial<NewRunEvent> = {}) => ({
    type,
    payload,
    schemaVersion: 1,
    nodeId: 'node',
    counts: { o200k_base: 1, cl100k_base: 2, chars: 3 },
    ...more,
  });
  const events = [
    event('run.started', { workflowId: 'flow' }),
    event('palimpsest.message.appended', { role: 'user', artifactId: first, toolCallIds: [] }),
    event('test.noted', { note: 2 }),
    event('test.noted', { note: 3 }, { causationId: `evt-${runId}-1` }),
    event('palimpsest.message.appended', { role: 'user', artifactId: second, toolCallIds: [] }),
    event('run.completed', { outputs: {} }),
  ];
  await eventLog.append({
    tenantId: TENANT,
    runId,
    expectedHead: 'no-run',
    workflowId: 'flow',
    at: AT,
    events,
    header: standingOf('flow', events, { at: AT }),
  });
  return { runId, content };
}

async function forkOf(source: string, fromSequence: number): Promise<string> {
  const runId = `run-${(runs += 1)}`;
  const origin: ForkOrigin = { runId: source, fromSequence, mode: 'branch' };
  const shared = await eventLog.readRun({
    tenantId: TENANT,
    runId: source,
    fromSequence: 0,
    limit: fromSequence,
  });
  const standing = standingOf('flow', shared.events, { at: AT });
  await eventLog.fork({ tenantId: TENANT, runId, origin, at: AT, ...standing });
  const noted = { type: 'test.noted', payload: { of: runId }, schemaVersion: 1 };
  await eventLog.append({
    tenantId: TENANT,
    runId,
    expectedHead: fromSequence - 1,
    at: AT,
    events: [noted, noted],
    header: standingOf('flow', [...shared.events, noted, noted], { at: AT }),
  });
  await artifacts.linkFork(TENANT, runId, source);
  return runId;
}

/** As somebody could who owns the database: no trigger of ours is in the way. */
async function tamper(statements: string, named: Readonly<Record<string, string>>): Promise<void> {
  const text = Object.entries(named).reduce(
    (sql, [name, value]) => sql.replaceAll(`:${name}`, `'${value}'`),
    statements,
  );
  await database.pool.query(`BEGIN; SET LOCAL session_replication_role = replica; ${text}; COMMIT`);
}

/** Nothing is derived from a log that was altered; runs of workflows have no windows. */
const assembler: VerifyPorts['assembler'] = {
  verify: () => Promise.reject(new TerminalError('internal_error', 'not derivable')),
};

async function verify(runId: string): Promise<Verification> {
  const ports = { eventLog, artifacts, assembler };
  return verificationSchema.parse(await verifyRun(ports, { tenantId: TENANT, runId }));
}

const event = (change: string, sequence = 3) =>
  `UPDATE run_log.events SET ${change} WHERE run_id = :run AND sequence = ${sequence}`;
const copied = (to: string, from: number) => `
  INSERT INTO run_log.events (tenant_id, run_id, sequence, type, schema_version, payload, payload_bytes, recorded_at,
    content_hash, link)
  SELECT tenant_id, run_id, ${to}, 'test.forged', schema_version, payload, payload_bytes, recorded_at, content_hash, link
  FROM run_log.events WHERE run_id = :run AND sequence = ${from}`;
const shift = (least: number) => `
  UPDATE run_log.events SET sequence = sequence + 1001 WHERE run_id = :run AND sequence >= ${least};
  UPDATE run_log.events SET sequence = sequence - 1000 WHERE run_id = :run AND sequence > 1000`;
const head = (change: string) => `UPDATE run_log.runs SET ${change} WHERE run_id = :run`;
const content = (change: string) =>
  `UPDATE artifact_store.artifacts SET ${change} WHERE artifact_id = :second`;

/** What is done to a run, and where it shows. */
const TAMPERINGS: readonly (readonly [name: string, statements: string, sequence: number, what: string])[] = [
  ['a payload', event(`payload = '{"note":4}'`), 3, SAYS],
  ['a payload that names content', event(`payload = '{}'`, 1), 1, SAYS],
  ['a type', event("type = 'test.other'"), 3, SAYS],
  ['a node', event("node_id = 'other'"), 3, SAYS],
  ['a node that is gone', event('node_id = NULL'), 3, SAYS],
  ['a count', event('tokens_o200k_base = 0'), 3, SAYS],
  ['a version', event('schema_version = 2'), 3, SAYS],
  ['a time', event("recorded_at = recorded_at + interval '1 ms'"), 3, LINK],
  ['a cause', event("causation_id = replace(causation_id, '-1', '-2')"), 3, LINK],
  ['a cause that is gone', event('causation_id = NULL'), 3, LINK],
  ['a content hash', event("content_hash = sha256('')"), 3, SAYS],
  ['a link', event("link = sha256('')"), 3, LINK],
  ['a link that is gone', event('link = NULL'), 3, 'the event is in no chain'],
  ['the first event', event("type = 'test.other'", 0), 0, SAYS],
  ['the last event', event("type = 'test.other'", 5), 5, SAYS],
  ['a row that is gone', 'DELETE FROM run_log.events WHERE run_id = :run AND sequence = 2', 2, GAP],
  [
    'a row that is gone, those behind it moved up',
    `DELETE FROM run_log.events WHERE run_id = :run AND sequence = 2;
     UPDATE run_log.events SET sequence = sequence - 1 WHERE run_id = :run AND sequence = 3;
     UPDATE run_log.events SET sequence = sequence - 1 WHERE run_id = :run AND sequence = 4;
     UPDATE run_log.events SET sequence = sequence - 1 WHERE run_id = :run AND sequence = 5;
     ${head('head = 4')}`,
    2,
    SAYS,
  ],
  ['the last row gone', 'DELETE FROM run_log.events WHERE run_id = :run AND sequence = 5', 5, GAP],
  [
    'the last row gone, and the head lowered',
    `DELETE FROM run_log.events WHERE run_id = :run AND sequence = 5; ${head('head = 4')}`,
    5,
    HEAD,
  ],
  ['the head lowered', head('head = 4'), 5, HEAD],
  ['the head raised', head('head = 6'), 6, GAP],
  ['the link of the head', head("link = sha256('')"), 6, HEAD],
  ['no link of the head', head('link = NULL'), 0, HEAD],
  [
    'two rows that are swapped',
    `UPDATE run_log.events SET sequence = 1000 WHERE run_id = :run AND sequence = 2;
     UPDATE run_log.events SET sequence = 2 WHERE run_id = :run AND sequence = 3;
     UPDATE run_log.events SET sequence = 3 WHERE run_id = :run AND sequence = 1000`,
    2,
    SAYS,
  ],
  ['a row put in between', `${shift(3)}; ${copied('3', 2)}; ${head('head = 6')}`, 3, SAYS],
  ['a row put behind the head', copied('6', 5), 6, 'it stands beyond the head of the run'],
  ['a row put behind, and the head raised', `${copied('6', 5)}; ${head('head = 6')}`, 6, SAYS],
  [
    'a byte of content',
    content('content = set_byte(content, 9, get_byte(content, 9) # 1)'),
    4,
    'content that it names is not as stored',
  ],
  [
    'content that is gone',
    'DELETE FROM artifact_store.artifacts WHERE artifact_id = :second',
    4,
    'content that it names is missing',
  ],
  [
    'content, and an event behind it',
    `${content("content = '{}'")}; ${event('node_id = NULL', 5)}`,
    4,
    'content that it names is not as stored',
  ],
  ['an event, and content behind it', `${content("content = '{}'")}; ${event('node_id = NULL', 2)}`, 2, SAYS],
];

const BEGINNING = 'the run’s row says another beginning than its log';
const row = (part: string): string => `the run’s row says another ${part} than its log`;

/** What is done to the row of a run or a fork, and what it then says otherwise than its log. */
const ROWS: readonly (readonly [name: string, change: string, what: string])[] = [
  ['its workflow', "workflow_id = 'other'", row('workflow')],
  ['whose loop it is', "workflow_id = 'palimpsest-external'", row('workflow')],
  ['its status', "status = 'waiting-input'", row('status')],
  ['a member of its state', `state = jsonb_set(state, '{lastSequence}', '1')`, row('state')],
  ['a member of its state that is gone', "state = state - 'nodeExecutions'", row('state')],
  ['a member of its state that was added', `state = state || '{"scopeId":"other"}'`, row('state')],
  ['a state that is none', "state = '{}'", row('state')],
  ['a state that is no object', "state = '[]'", row('state')],
  ['no state', "state = 'null'", row('state')],
  ['when it changed last', "updated_at = updated_at + interval '1 s'", row('last change')],
];

describe('a run in a database that somebody changed', () => {
  it('is verified as long as nobody did', async () => {
    const { runId } = await startRun();
    const { link } = (await eventLog.header(TENANT, runId)) ?? {};
    expect(await verify(runId)).toMatchObject({
      ok: true,
      log: { eventsChecked: 6, chain: 'whole', link, artifacts: { readable: 2, erased: 0 } },
    });
  });

  it.each(TAMPERINGS)('shows it: %s', async (_, statements, sequence, what) => {
    const { runId, content: ids } = await startRun();
    await tamper(statements, { run: runId, second: ids[1] ?? '' });
    const { ok, log, firstDifference } = await verify(runId);
    expect({ ok, firstDifference }).toEqual({ ok: false, firstDifference: { sequence, what } });
    expect(log?.eventsChecked).toBe(sequence);
  });

  it.each(ROWS)('shows it in its row: %s', async (_, change, what) => {
    const { runId } = await startRun();
    await tamper(head(change), { run: runId });
    const { ok, log, firstDifference } = await verify(runId);
    expect({ ok, firstDifference }).toEqual({ ok: false, firstDifference: { sequence: 5, what } });
    expect(log).toMatchObject({ eventsChecked: 6, chain: 'whole' });
  });

  it.each([
    ['with a chain', ''],
    [
      'without one',
      `UPDATE run_log.events SET link = NULL, content_hash = NULL WHERE run_id = :run; ${head('link = NULL')};`,
    ],
  ])('shows when it began, %s', async (_, unchain) => {
    const { runId } = await startRun();
    await tamper(`${unchain} ${head("created_at = created_at + interval '1 s'")}`, { run: runId });
    const firstDifference = { sequence: 0, what: BEGINNING };
    expect(await verify(runId)).toMatchObject({ ok: false, firstDifference });
  });

  it('shows that it was made a fork', async () => {
    const { runId: source } = await startRun();
    const { runId } = await startRun();
    await tamper(head("origin_run_id = :source, origin_sequence = 1, origin_mode = 'branch'"), {
      run: runId,
      source,
    });
    expect(await verify(runId)).toMatchObject({ ok: false, firstDifference: { sequence: 0, what: WRITER } });
  });

  it('is told though nothing can be derived from it any more', async () => {
    const { runId } = await startRun();
    await tamper(`${head("workflow_id = 'palimpsest-external'")}; ${event("payload = '{}'", 4)}`, {
      run: runId,
    });
    const verification = await verify(runId);
    expect(verification).toMatchObject({
      ok: false,
      windowsChecked: 0,
      firstDifference: { sequence: 4, what: SAYS },
    });
  });

  it('is said to have no chain where it is older than those', async () => {
    const { runId } = await startRun();
    await tamper(
      `UPDATE run_log.events SET link = NULL, content_hash = NULL WHERE run_id = :run; ${head('link = NULL')}`,
      { run: runId },
    );
    const log = { eventsChecked: 6, chain: 'none', artifacts: { readable: 2, erased: 0 } };
    expect(await verify(runId)).toMatchObject({ ok: true, log });
    await tamper(event("causation_id = 'evt-' || run_id || '-3'"), { run: runId });
    expect(await verify(runId)).toMatchObject({
      ok: false,
      log: { eventsChecked: 3, chain: 'not checked' },
      firstDifference: { sequence: 3, what: 'its cause is no event before it' },
    });
  });
});

describe('a run whose loop is the caller’s, in a database that somebody changed', () => {
  const FORK = 'own-loop-fork';

  beforeAll(async () => {
    const run = await new SourceRun(eventLog, artifacts).start().message('user');
    await run.message('assistant', ['call']);
    await run.pin('kept').write();
    const source = await eventLog.header(TENANT, SOURCE);
    const { state = {} } = source ?? {};
    const origin: ForkOrigin = { runId: SOURCE, fromSequence: 4, mode: 'branch' };
    await eventLog.fork({ tenantId: TENANT, runId: FORK, origin, at: AT, status: 'running', state });
    await artifacts.linkFork(TENANT, FORK, SOURCE);
  });

  async function rowOf(runId: string): Promise<Awaited<ReturnType<typeof checkLog>>> {
    const header = await eventLog.header(TENANT, runId);
    if (!header) throw new TypeError('There is no such run.');
    return checkLog({ eventLog, artifacts }, header);
  }

  it.each([SOURCE, FORK])('has the row that its log adds up to: %s', async (runId) => {
    const checked = await rowOf(runId);
    expect(checked).toMatchObject({ log: { chain: 'whole', eventsChecked: 4 } });
    expect([checked.firstDifference, checked.rowDifference]).toEqual([undefined, undefined]);
  });

  describe.each([SOURCE, FORK])('shows it in the row of %s', (runId) => {
    it.each([
      ['its workflow', "workflow_id = 'flow'", 'workflow'],
      ['its status', "status = 'completed'", 'status'],
      ['its settings', `state = jsonb_set(state, '{context,keepLastTurns}', '9')`, 'state'],
      ['its open calls', `state = state || '{"openCalls":{}}'`, 'state'],
      ['its tokens', `state = state || '{"transcriptTokens":0}'`, 'state'],
      ['its pins', "state = state - 'pins'", 'state'],
      ['a state that is none', "state = '{}'", 'state'],
      ['a state that is no object', "state = '[]'", 'state'],
    ])('%s', async (_, change, part) => {
      const { rows } = await database.pool.query<Record<'workflow_id' | 'status' | 'state', string>>(
        'SELECT workflow_id, status, state::text FROM run_log.runs WHERE run_id = $1',
        [runId],
      );
      await tamper(head(change), { run: runId });
      const shown = await verify(runId);
      const before = { workflow: rows[0]?.workflow_id ?? '', status: rows[0]?.status ?? '' };
      const restored = head('workflow_id = :workflow, status = :status, state = :state');
      await tamper(restored, { run: runId, ...before, state: rows[0]?.state ?? '' });
      expect(shown).toMatchObject({ ok: false, firstDifference: { sequence: 3, what: row(part) } });
    });
  });
});

describe('a fork in a database that somebody changed', () => {
  /** A fork of a fork: events 0 to 2 are the first one's, 3 the second one's, 4 and 5 its own. */
  async function lineage(): Promise<Record<'source' | 'fork' | 'run', string>> {
    const { runId: source } = await startRun();
    const fork = await forkOf(source, 3);
    return { source, fork, run: await forkOf(fork, 4) };
  }

  it('is verified as long as nobody did', async () => {
    const { run } = await lineage();
    expect(await verify(run)).toMatchObject({ ok: true, log: { eventsChecked: 6, chain: 'whole' } });
  });

  it.each<[string, string, number, string]>([
    [
      'what its source wrote',
      'UPDATE run_log.events SET node_id = NULL WHERE run_id = :source AND sequence = 1',
      1,
      SAYS,
    ],
    [
      'what the fork wrote that it left',
      "UPDATE run_log.events SET payload = '{}' WHERE run_id = :fork AND sequence = 3",
      3,
      SAYS,
    ],
    [
      'a row of its source that is gone',
      'DELETE FROM run_log.events WHERE run_id = :source AND sequence = 1',
      1,
      GAP,
    ],
    [
      'a row among those it shares',
      `INSERT INTO run_log.events (tenant_id, run_id, sequence, type, schema_version, payload, payload_bytes, recorded_at) SELECT tenant_id, :run, 1, type, 1, payload, payload_bytes, recorded_at FROM run_log.events WHERE run_id = :source AND sequence = 1`,
      1,
      'the event is in no chain',
    ],
    ['where it began', 'UPDATE run_log.runs SET origin_sequence = 3 WHERE run_id = :run', 4, WRITER],
    [
      'when it began',
      "UPDATE run_log.runs SET created_at = created_at + interval '1 s' WHERE run_id = :run",
      4,
      LINK,
    ],
    ['how it began', "UPDATE run_log.runs SET origin_mode = 'replay' WHERE run_id = :run", 4, LINK],
    [
      'when the run began that it left',
      "UPDATE run_log.runs SET created_at = created_at + interval '1 s' WHERE run_id = :fork",
      3,
      LINK,
    ],
    ['a source that is gone', 'DELETE FROM run_log.runs WHERE run_id = :source', 0, WRITER],
    [
      'a source that is its own',
      'UPDATE run_log.runs SET origin_run_id = :run WHERE run_id = :fork',
      0,
      WRITER,
    ],
  ])('shows it: %s', async (_, statements, sequence, what) => {
    const { source, fork, run } = await lineage();
    await tamper(statements, { source, fork, run });
    expect(await verify(run)).toMatchObject({ ok: false, firstDifference: { sequence, what } });
  });

  it.each(ROWS)('shows it in its row: %s', async (_, change, what) => {
    const { run } = await lineage();
    await tamper(head(change), { run });
    expect(await verify(run)).toMatchObject({ ok: false, firstDifference: { sequence: 5, what } });
  });

  it('shows when the run began that it descends from', async () => {
    const { source, run } = await lineage();
    await tamper(head("created_at = created_at + interval '1 s'"), { run: source });
    expect(await verify(run)).toMatchObject({ ok: false, firstDifference: { sequence: 0, what: BEGINNING } });
  });

  it('does not show what it does not share', async () => {
    const { source, fork, run } = await lineage();
    await tamper(
      "UPDATE run_log.events SET type = 'other' WHERE run_id = :source AND sequence >= 3 OR run_id = :fork AND sequence >= 4",
      { source, fork },
    );
    expect(await verify(run)).toMatchObject({ ok: true });
  });
});
