#!/usr/bin/env node
// `OPENWOP_API_KEY=… npm run conformance -- --base-url URL [--only ROW…]`: the conformance suite against any OpenWOP v1 host,
// row by row. Exit codes: 0 all passed, 1 something failed, 2 wrong usage, 3 host unreachable
// or the key refused.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endWithOurPrograms, progress, root, run } from './console.mjs';
import { setup } from './workspace.mjs';

const HELP = `Usage: OPENWOP_API_KEY=… npm run conformance -- --base-url URL [--only ROW]…

Tests an OpenWOP v1 host over HTTP and prints a table: a row of the specification passed, failed, or not applicable
(the host does not offer what the row is about).

  --base-url URL   where the host answers, such as http://127.0.0.1:8080   [OPENWOP_BASE_URL]
  --key KEY        an API key of the host with every scope; better in the  [OPENWOP_API_KEY]
                   environment, where other users of this machine cannot read it
  --only ROW       this row only; may be given again, or as a comma list
  --list           names the rows
  --help           this

Environment: OPENWOP_LIFECYCLE_TIMEOUT_MS (how long a run may take to get somewhere, default 10000),
OPENWOP_POLL_TIMEOUT_SCALE (factor on the specification's own deadlines, default 1).
Exit codes: 0 all passed, 1 something failed, 2 wrong usage, 3 the host cannot be reached or refuses the key.`;

const rows = readdirSync(join(root, 'test', 'conformance', 'src', 'scenarios'))
  .filter((file) => file.endsWith('.ts') && file !== 'index.ts')
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();

const chosen = readArguments();
await checkReachable(chosen.baseUrl);
await checkKey(chosen);
await setup();
endWithOurPrograms();
progress(`testing ${chosen.baseUrl}`);
const results = await runSuite(chosen);
process.exitCode = results === undefined ? 1 : report(results);

function readArguments() {
  const values = parse();
  if (values.help) leave(HELP);
  if (values.list) leave(rows.join('\n'));
  const baseUrl = values['base-url'] ?? process.env.OPENWOP_BASE_URL;
  const apiKey = values.key ?? process.env.OPENWOP_API_KEY;
  if (!baseUrl) usageError('Which host? Give --base-url or OPENWOP_BASE_URL.');
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    usageError(`${baseUrl} is no http or https URL.`);
  }
  if (!apiKey) usageError('With which key? Set OPENWOP_API_KEY.');
  const only = (values.only ?? []).flatMap((names) => names.split(',')).filter((name) => name !== '');
  const unknown = only.filter((name) => !rows.includes(name));
  if (unknown.length > 0) usageError(`No such row: ${unknown.join(', ')}. --list names them.`);
  return { baseUrl, apiKey, only };
}

function parse() {
  const options = {
    'base-url': { type: 'string' },
    key: { type: 'string' },
    only: { type: 'string', multiple: true },
    list: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return usageError(error.message);
  }
}

function leave(text) {
  console.log(text);
  process.exit(0);
}

function usageError(text) {
  process.stderr.write(`✗ ${text}\n\n${HELP}\n`);
  process.exit(2);
}

async function checkReachable(baseUrl) {
  const url = `${baseUrl.replace(/\/+$/, '')}/.well-known/openwop`;
  const problem = await fetch(url, { signal: AbortSignal.timeout(10_000) }).then(
    async (answer) => (answer.ok && isObject(await answer.text()) ? undefined : `answered ${answer.status}`),
    (error) => `could not be asked: ${error.cause?.code ?? error.cause?.message ?? error.message}`,
  );
  if (problem === undefined) return;
  process.stderr.write(`✗ ${url} ${problem}; a discovery document was expected.\n`);
  process.exit(3);
}

/** Otherwise every row would fail for the same reason. A run that is not there: 401 comes before 404. */
async function checkKey({ baseUrl, apiKey }) {
  const url = `${baseUrl.replace(/\/+$/, '')}/v1/runs/run_key-check`;
  const headers = { authorization: `Bearer ${apiKey}` };
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  if (answer?.status !== 401 && answer?.status !== 403) return;
  const why = answer.status === 401 ? 'The host refuses the key' : 'The key may not read runs';
  process.stderr.write(
    `✗ ${why} (${url} answered ${answer.status}). Set OPENWOP_API_KEY to one with every scope.\n`,
  );
  process.exit(3);
}

function isObject(text) {
  try {
    const document = JSON.parse(text);
    return typeof document === 'object' && document !== null;
  } catch {
    return false;
  }
}

/** What jest found, test by test; undefined where it found nothing, which it has then said itself. */
async function runSuite({ baseUrl, apiKey, only }) {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-conformance-'));
  const file = join(folder, 'results.json');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const env = {
    ...process.env,
    NODE_OPTIONS: [process.env.NODE_OPTIONS, ...flags].filter(Boolean).join(' '),
    OPENWOP_BASE_URL: baseUrl,
    OPENWOP_API_KEY: apiKey,
    OPENWOP_CONFORMANCE_ONLY: only.join(','),
  };
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = [
    jest,
    '--config',
    join(root, 'jest.conformance.config.mjs'),
    '--json',
    `--outputFile=${file}`,
  ];
  try {
    // With --json jest talks on stderr; its stdout holds nothing a person reads.
    await run(process.execPath, args, { env, detached: true, stdio: ['ignore', 'ignore', 'inherit'] });
    const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
    const found = testResults.flatMap(({ assertionResults }) => assertionResults);
    return found.length === 0 ? undefined : found;
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints the table; gives the exit code. */
function report(results) {
  const byRow = grouped(results);
  const lines = [...byRow].map(([row, tests]) => [row, ...verdictOf(tests)]);
  const widths = [0, 1].map((column) => Math.max(...lines.map((line) => line[column].length)));
  console.log(
    lines
      .map(([row, verdict, note]) =>
        `${row.padEnd(widths[0])}  ${verdict.padEnd(widths[1])}  ${note}`.trimEnd(),
      )
      .join('\n'),
  );
  const count = (wanted) => lines.filter(([, verdict]) => verdict === wanted).length;
  const failed = count('failed');
  console.log(
    `\n${count('passed')} rows passed, ${failed} failed, ${count('not applicable')} not applicable`,
  );
  return failed > 0 ? 1 : 0;
}

function rowOf({ ancestorTitles, title }) {
  return ancestorTitles[0] ?? title;
}

function grouped(results) {
  const groups = new Map();
  for (const result of results) groups.set(rowOf(result), [...(groups.get(rowOf(result)) ?? []), result]);
  return groups;
}

function verdictOf(tests) {
  const failed = tests.filter(({ status }) => status === 'failed').length;
  if (failed > 0) return ['failed', `${failed} of ${tests.length} tests`];
  const skipped = tests.find(({ status }) => status !== 'passed');
  if (skipped) return ['not applicable', skipped.title.replace(/^not applicable: /, '')];
  return ['passed', `${tests.length} tests`];
}
