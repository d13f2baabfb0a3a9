import { openApiDocument } from '@palimpsest/gateway';
import { waitUntil } from '@palimpsest/kernel/testing';
import { startAllInOne, type AllInOneDeployment } from '../deployment.js';
import { badAnswers } from './answers.js';
import type { BadRequest } from './bad-request.js';
import { makeCredentials, type Credentials } from './credentials.js';
import { brokenHttp } from './broken-http.js';
import { badDefinitions } from './definitions.js';
import { HttpSender } from './http-sender.js';
import { unknownKeywords } from './json-schema.js';
import { operationsOf, type OpenApiDocument, type Operation } from './openapi.js';
import { CASE_CLASSES, casesOf, classesOf } from './operation-cases.js';
import { sendRaw } from './raw-http.js';
import { badRuns, badVersions } from './run-requests.js';
import { SEAM_OPERATIONS } from './seam-operations.js';
import { requestTo, type Subject } from './subject.js';
import { changedTables, tableState, type TableState } from './table-state.js';
import { targetOf } from './targets.js';
import { unservedPaths } from './unserved-paths.js';
import { violationsOf } from './violations.js';
import { World } from './world.js';

/** Stands for what belongs to no operation. */
const NOWHERE = { path: '', errors: new Map() } as unknown as Operation;

const LARGEST_BODY = 256 * 1024;

const VARIABLES = {
  PALIMPSEST_LOG_LEVEL: 'info',
  OPENWOP_TEST_SEAM_ENABLED: 'true',
  PALIMPSEST_MAX_BODY_BYTES: String(LARGEST_BODY),
  // What is refused here is refused for what it says, not for how often it is said.
  PALIMPSEST_RATE_LIMIT_KEY_PER_SECOND: '0',
  PALIMPSEST_RATE_LIMIT_TENANT_PER_SECOND: '0',
  PALIMPSEST_RATE_LIMIT_GLOBAL_PER_SECOND: '0',
  PALIMPSEST_RATE_LIMIT_ANONYMOUS_PER_SECOND: '0',
};

/** How often in a row the tables have to be found unchanged. */
const QUIET_LOOKS = 40;

/** Known before anything runs, so that each operation has tests of its own; what is sent comes from the served one. */
const DECLARED = operationsOf(openApiDocument() as unknown as OpenApiDocument);
const NAMED = [...DECLARED, ...SEAM_OPERATIONS].map((operation) => ({
  ...pathOf(operation),
  // Where a seam is, no method but its own is known.
  classes: classesOf(operation, DECLARED),
}));

function pathOf({ id, method, path }: Operation): Pick<Operation, 'id' | 'method' | 'path'> {
  return { id, method, path };
}

describe('bad input', () => {
  let running: AllInOneDeployment;
  let world: World;
  let sender: HttpSender;
  let operations: readonly Operation[];
  let credentials: Credentials;
  let sent = 0;
  /** As the case before left the tables, while one of these follows the other: nothing is written in between. */
  let untouched: TableState | undefined;
  /** Of an operation without a target: why it has none. */
  const subjects = new Map<string, Subject | Error>();

  beforeAll(async () => {
    running = await startAllInOne(VARIABLES);
    sender = new HttpSender(running.api.url);
    world = await World.of(running);
    const document = await running.api.ok(running.api.get('/v1/openapi.json'));
    operations = [...operationsOf(document), ...SEAM_OPERATIONS];
    credentials = await makeCredentials(running.pool, 'default', running.key);
    for (const { id } of operations) {
      subjects.set(id, await newSubject(id).catch((error: unknown) => error as Error));
    }
    await quiet();
  });
  afterAll(async () => {
    sender?.close();
    await running?.stop();
  });

  /** Until what runs behind the requests has written all that it had to write. */
  async function quiet(): Promise<void> {
    let last = await tableState(running.pool);
    let unchanged = 0;
    await waitUntil(
      async () => {
        const state = await tableState(running.pool);
        unchanged = changedTables(last, state).length === 0 ? unchanged + 1 : 0;
        last = state;
        return unchanged >= QUIET_LOOKS;
      },
      { what: 'tables that stay as they are', withinMs: 30_000 },
    );
  }

  async function newSubject(id: string): Promise<Subject> {
    const operation = operations.find((each) => each.id === id);
    if (!operation) throw new Error(`The served document has no operation ${id}.`);
    const target = await targetOf(operation, world);
    return { operation, operations, target, key: running.key, credentials, largestBody: LARGEST_BODY };
  }

  function subjectOf(id: string): Subject {
    const subject = subjects.get(id);
    if (!subject) throw new Error(`The served document has no operation ${id}.`);
    if (subject instanceof Error) throw subject;
    return subject;
  }

  async function violations(operation: Operation, cases: readonly BadRequest[]): Promise<readonly string[]> {
    sent += cases.length;
    const answers = await sender.sendAll(cases.map(({ request }) => request));
    return cases.flatMap((each, index) => violationsOf(operation, each, answers[index]));
  }

  /** Every one is answered as it has to be, and no table is another after it. */
  async function expectNothingWritten(
    ask: () => Promise<readonly string[]>,
    known?: TableState,
  ): Promise<void> {
    const before = known ?? (await tableState(running.pool));
    const found = await ask();
    const after = await tableState(running.pool);
    untouched = after;
    expect([...found, ...changedTables(before, after)]).toEqual([]);
  }

  it('is asked of what is served', () => {
    const served = operations.slice(0, -SEAM_OPERATIONS.length);
    expect(served.map(({ id }) => id)).toEqual(DECLARED.map(({ id }) => id));
    const schemas = operations.flatMap(({ body, queryParameters }) => [
      ...(body ? [body.schema] : []),
      ...queryParameters.map(({ schema }) => schema),
    ]);
    expect(schemas.flatMap(unknownKeywords)).toEqual([]);
  });

  describe.each(NAMED)('$method $path refuses, and writes nothing:', ({ id, method, classes }) => {
    it.each(classes)('%s', async (kind) => {
      const subject = subjectOf(id);
      const due = casesOf(subject, kind).filter(({ refused }) => refused || method === 'GET');
      await expectNothingWritten(() => violations(subject.operation, due), untouched);
    });
  });

  describe('refuses, and writes nothing:', () => {
    it('runs that their workflow does not take', async () => {
      const subject = subjectOf('createRun');
      const { configurableSchema } = await running.api.ok(
        running.api.get('/v1/workflows/conformance-configurable-schema'),
      );
      const cases = [...badRuns(subject, configurableSchema), ...badVersions(subject, await world.testKey())];
      await expectNothingWritten(() => violations(subject.operation, cases));
    });

    it('answers that nobody waits for', async () => {
      const subject = subjectOf('resolveInterrupt');
      const cases = badAnswers(subject, await world.waiting());
      await quiet();
      await expectNothingWritten(() => violations(subject.operation, cases));
    });

    it('workflows that nothing could run', async () => {
      const subject = subjectOf('registerWorkflow');
      await expectNothingWritten(() => violations(subject.operation, badDefinitions(subject)));
    });

    it('what is no HTTP', async () => {
      const codes = ['validation_error', 'unauthenticated', 'not_found'];
      const request = { method: 'RAW', path: '', headers: {} };
      await expectNothingWritten(async () => {
        const found = brokenHttp(running.key).map(async ({ bytes, ...expected }) => {
          const answer = await sendRaw(running.api.url, bytes);
          return violationsOf(NOWHERE, { request, refused: true, codes, ...expected }, answer);
        });
        return (await Promise.all(found)).flat();
      });
    });

    it('paths that are not served, the key first', () =>
      expectNothingWritten(() => violations(NOWHERE, unservedPaths(running.key))));
  });

  it('tells nothing of another tenant among several ids', async () => {
    const [own, foreign] = [await world.suspended(), await world.suspended(world.theirs)];
    const runIds = [foreign, 'no-such-run', '__proto__', own, ''];
    const answer = await running.api.ok(running.api.post('/v1/runs:bulk-cancel', { runIds }));
    const results = answer.results as readonly Record<string, unknown>[];
    const absent = { code: 'not_found', message: expect.any(String) };
    expect(results.map(({ runId, ok, error }) => [runId, ok, error])).toEqual([
      ...[foreign, 'no-such-run', '__proto__'].map((runId) => [runId, false, absent]),
      [own, true, undefined],
      ['', false, absent],
    ]);
    expect(await world.theirs.ok(world.theirs.get(`/v1/runs/${foreign}`))).toMatchObject({
      status: 'waiting-approval',
    });
  });

  // From here on requests are taken, too, and runs go on behind them.
  describe.each(NAMED)('$method $path', ({ id, method }) => {
    it('takes the request that the others differ from', async () => {
      const subject = await newSubject(id);
      const { status } = await sender.send(requestTo(subject));
      expect([200, 201]).toContain(status);
    });

    it('takes or refuses what its schema leaves open', async () => {
      const subject = await newSubject(id);
      // What a GET leaves open was asked among what it refuses.
      const kinds = method === 'GET' ? [] : CASE_CLASSES;
      const open = kinds.flatMap((kind) => casesOf(subject, kind)).filter(({ refused }) => !refused);
      expect(await violations(subject.operation, open)).toEqual([]);
    });
  });

  it('has failed at nothing of it', () => {
    const failures = running.logLines().filter(({ fields }) => fields['level'] === 'error');
    expect(failures.map(({ fields }) => [fields['msg'], fields['route'], fields['code']])).toEqual([]);
    expect(sent).toBeGreaterThan(3000);
  });
});
