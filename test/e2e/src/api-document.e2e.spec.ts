import { readFileSync } from 'node:fs';
import { ERROR_STATUS } from '@palimpsest/contracts';
import { waitUntil } from '@palimpsest/kernel/testing';
import { startAllInOne, type AllInOneDeployment } from './deployment.js';
import {
  codeWords,
  documentedOperations,
  errorTableOf,
  examplesOf,
  ownErrorsOf,
  type DocumentedOperation,
} from './api-document/document.js';
import { differences, lineDifferences } from './api-document/printed.js';
import { runInOneShell, type Session } from './api-document/shell-session.js';
import { operationsOf, type OpenApiDocument, type Operation } from './bad-input/openapi.js';

const MARKDOWN = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
const EXAMPLES = examplesOf(MARKDOWN).map((example, place) => ({ ...example, place }));
const DOCUMENTED = documentedOperations(MARKDOWN).map((operation) => ({
  ...operation,
  name: nameOf(operation),
}));

/** Served on demand, and no part of the OpenAPI document. */
const SEAMS = '/v1/host/sample/';

const VARIABLES = { PALIMPSEST_LOG_LEVEL: 'debug', OPENWOP_TEST_SEAM_ENABLED: 'true' };

function nameOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

describe('docs/api.md', () => {
  let running: AllInOneDeployment;
  let served: ReadonlyMap<string, Operation>;
  let session: Session;
  /** Log lines that are not the examples'. */
  let linesBefore: number;

  beforeAll(async () => {
    running = await startAllInOne(VARIABLES);
    const document = (await running.api.ok(running.api.get('/v1/openapi.json'))) as OpenApiDocument;
    served = new Map(operationsOf(document).map((operation) => [nameOf(operation), operation]));
    await waitUntil(() => answersOf('GET', '/v1/openapi.json').length > 0);
    linesBefore = running.logLines().length;
    session = await runInOneShell(
      EXAMPLES.map(({ script }) => script),
      { PALIMPSEST_URL: running.url, PALIMPSEST_API_KEY: running.key },
    );
  });

  afterAll(() => running?.stop());

  it('runs all its examples in one shell', () => {
    expect(session).toMatchObject({ failed: false, complaints: '' });
    expect(session.printed).toHaveLength(EXAMPLES.length);
  });

  it.each(EXAMPLES.filter(({ printed }) => printed))('prints what stands below line $line', (example) => {
    const { place, printed } = example;
    const actual = session.printed[place] ?? '';
    const found =
      printed?.kind === 'json'
        ? differences(JSON.parse(printed.text), asJson(actual))
        : lineDifferences(printed?.text ?? '', actual);
    expect(found).toEqual([]);
  });

  it('describes every operation that is served, once, and no other', () => {
    const described = DOCUMENTED.filter(({ path }) => !path.startsWith(SEAMS)).map(({ name }) => name);
    expect(described.toSorted()).toEqual([...served.keys()].toSorted());
  });

  it.each(DOCUMENTED)('has an example of $name, which succeeds', async ({ method, path, text }) => {
    expect(examplesOf(text)).not.toEqual([]);
    await waitUntil(() => answersOf(method, path, linesBefore).some(isSuccess));
  });

  it.each(DOCUMENTED.filter(({ path }) => !path.startsWith(SEAMS)))(
    'names scopes, query, headers and errors of $name',
    (documented) => {
      const operation = served.get(documented.name);
      expect(documented.scopes).toEqual(operation?.scopes ?? []);
      expect(codeWords(documented.text)).toEqual(
        expect.arrayContaining([...queryOf(operation), ...headersOf(operation)]),
      );
      expect(statedErrors(documented)).toEqual(ownErrors(operation).toSorted());
    },
  );

  it('lists every error code with its status', () => {
    expect(errorTableOf(MARKDOWN)).toEqual(ERROR_STATUS);
  });

  /** What the gateway logs of its answers: their statuses. */
  function answersOf(method: string, path: string, fromLine = 0): readonly number[] {
    return running
      .logLines()
      .slice(fromLine)
      .filter(({ fields }) => fields['method'] === method && pathOfRoute(fields['route']) === path)
      .map(({ fields }) => Number(fields['status']));
  }

  /** Codes of an operation that are not those of every operation with a key, or of every POST that takes an idempotency key. */
  function ownErrors(operation: Operation | undefined): readonly string[] {
    const everywhere = [...served.values()]
      .filter(({ secured, headerParameters }) => secured && headerParameters.some(isIdempotencyKey))
      .map(codesOf)
      .reduce((common, codes) => common.filter((code) => codes.includes(code)));
    const granted =
      operation?.secured === false ? everywhere.filter((code) => code !== 'forbidden') : everywhere;
    return operation ? codesOf(operation).filter((code) => !granted.includes(code)) : [];
  }
});

function isIdempotencyKey({ name }: { readonly name: string }): boolean {
  return name === 'Idempotency-Key';
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `/v1/runs/:runId([^/:]+)::fork` → `/v1/runs/{runId}:fork` */
function pathOfRoute(route: unknown): string {
  return String(route)
    .replaceAll(/:(\w+)\(\[\^\/:?\]\+\)/g, '{$1}')
    .replaceAll('::', ':');
}

function queryOf(operation: Operation | undefined): readonly string[] {
  return operation?.queryParameters.map(({ name }) => name) ?? [];
}

/** But for those that the document describes once for all operations. */
function headersOf(operation: Operation | undefined): readonly string[] {
  const names = operation?.headerParameters.map(({ name }) => name) ?? [];
  return names.filter((name) => name !== 'Idempotency-Key' && name !== 'If-None-Match');
}

function codesOf({ errors }: Operation): readonly string[] {
  return [...errors.values()].flat();
}

function statedErrors(documented: DocumentedOperation): readonly string[] {
  return ownErrorsOf(documented)
    .filter((word) => Object.hasOwn(ERROR_STATUS, word))
    .toSorted();
}
