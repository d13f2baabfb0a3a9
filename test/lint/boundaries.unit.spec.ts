import { join } from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

// The dependency rules of the design are lint rules. Each case plants a violation as if it stood in a file of the
// tree (nothing is written) and names the rule that must object; a legal neighbour shows that the rule can pass.

const ROOT = join(import.meta.dirname, '../..');

/** Rules that need types only work on files that exist: they lint another text under an existing file's name. */
const EXISTING = 'libs/kernel/src/decider.ts';

const withoutTypes = new ESLint({
  cwd: ROOT,
  overrideConfig: [
    { files: ['**/*.ts'], ...tseslint.configs.disableTypeChecked },
    { files: ['**/*.ts'], languageOptions: { parserOptions: { project: false } } },
  ],
});
const withTypes = new ESLint({
  cwd: ROOT,
  overrideConfig: [
    // A single run, which CI=true implies, would read the file instead of the text given.
    {
      files: ['**/*.ts'],
      languageOptions: { parserOptions: { disallowAutomaticSingleRunInference: true } },
    },
  ],
});

/** Ids of the rules that object, with the message's id where the rule has several. */
async function rulesBrokenBy(file: string, code: string): Promise<readonly string[]> {
  const eslint = file === EXISTING ? withTypes : withoutTypes;
  const [result] = await eslint.lintText(
    `${code}
`,
    { filePath: join(ROOT, file) },
  );
  return (result?.messages ?? []).map(({ ruleId, messageId, message }) =>
    ruleId === 'palimpsest/layers' ? `${ruleId}: ${messageId}` : (ruleId ?? message),
  );
}

const SERVICE = 'libs/services/run-log/src/planted.ts';
const DOMAIN = 'libs/services/run-log/src/domain/planted.ts';
const KERNEL = 'libs/kernel/src/planted.ts';
const ADAPTER = 'libs/adapters/nats/src/planted.ts';
const APP = 'apps/gateway/src/planted.ts';
const CLI = 'apps/cli/src/planted.ts';
const ENGINE = 'libs/workflow/src/engine/planted.ts';
const TRANSCRIPT = 'libs/transcript/src/planted.ts';
const CONTRACTS = 'libs/contracts/src/planted.ts';
const PLANNING = 'libs/services/transcript-assembler/src/domain/planted.ts';
const CONTEXT = 'libs/context-efficiency/src/planted.ts';
const SPEC = 'libs/services/run-log/src/planted.unit.spec.ts';

const use = (specifier: string): string => `import { x } from '${specifier}';\nexport const y = x;`;

type Case = readonly [what: string, file: string, code: string];

function planted(rule: string, violations: readonly Case[], legal: readonly Case[]): void {
  describe(rule, () => {
    test.each(violations)('objects to %s', async (_what, file, code) => {
      expect(await rulesBrokenBy(file, code)).toContain(rule);
    });
    test.each(legal)('allows %s', async (_what, file, code) => {
      expect(await rulesBrokenBy(file, code)).toEqual([]);
    });
  });
}

planted(
  'palimpsest/layers: layer',
  [
    ['contracts importing the kernel', 'libs/contracts/src/planted.ts', use('@palimpsest/kernel')],
    ['the kernel importing an adapter', KERNEL, use('@palimpsest/adapter-postgres')],
    ['tokens importing the transcript', 'libs/tokens/src/planted.ts', use('@palimpsest/transcript')],
    ['the transcript importing tokens', 'libs/transcript/src/planted.ts', use('@palimpsest/tokens')],
    ['the context rules importing the kernel', CONTEXT, use('@palimpsest/kernel')],
    ['the context rules importing contracts', CONTEXT, use('@palimpsest/contracts')],
    ['an adapter importing the context rules', ADAPTER, use('@palimpsest/context-efficiency')],
    ['an adapter importing a service', ADAPTER, use('@palimpsest/run-log')],
    ['an adapter importing another adapter', ADAPTER, use('@palimpsest/adapter-postgres')],
    ['an adapter importing the host', ADAPTER, use('@palimpsest/host')],
    ['a service importing another service', SERVICE, use('@palimpsest/gateway')],
    ['a service importing the host', SERVICE, use('@palimpsest/host')],
    ['a service importing an app', SERVICE, use('@palimpsest/app-gateway')],
    ['a spec importing another service', SPEC, use('@palimpsest/gateway')],
    ['the client importing a service', 'libs/client/src/planted.ts', use('@palimpsest/gateway')],
    ['a service importing the client', SERVICE, use('@palimpsest/client')],
    ['the host importing an adapter', 'libs/host/src/planted.ts', use('@palimpsest/adapter-nats')],
    ['an app importing another app', APP, use('@palimpsest/app-run-log')],
    ['a dynamic import', SERVICE, "export const x = import('@palimpsest/gateway');"],
    ['a type import', SERVICE, "export type X = import('@palimpsest/gateway').X;"],
    ['a re-export', SERVICE, "export { x } from '@palimpsest/gateway';"],
  ],
  [
    ['an import of a lower layer', SERVICE, use('@palimpsest/kernel')],
    ['a service importing an adapter', SERVICE, use('@palimpsest/adapter-postgres')],
    ['an app importing its service', APP, use('@palimpsest/gateway')],
    ['an app importing the host', APP, use('@palimpsest/host')],
    ['the command line importing the context rules', CLI, use('@palimpsest/context-efficiency')],
    ['the command line importing the client', CLI, use('@palimpsest/client')],
  ],
);

planted(
  'palimpsest/layers: oneProcess',
  [
    ['a service on the memory adapter', SERVICE, use('@palimpsest/adapter-memory')],
    ['an app on the memory adapter', APP, use('@palimpsest/adapter-memory')],
    ['an app on the embedded server', APP, use('@palimpsest/adapter-embedded-postgres')],
  ],
  [['the one-process app', 'apps/all-in-one/src/planted.ts', use('@palimpsest/adapter-memory')]],
);

planted(
  'palimpsest/layers: unknown',
  [
    ['a package that does not exist', SERVICE, use('@palimpsest/nowhere')],
    ['a suite, outside the suites', SERVICE, use('@palimpsest/e2e')],
  ],
  [
    ['packages of others', SERVICE, use('zod')],
    ['a suite, in another', 'test/bench/planted.ts', use('@palimpsest/e2e')],
  ],
);

planted(
  'palimpsest/layers: undeclared',
  [['a dependency that package.json does not name', ADAPTER, use('@palimpsest/transcript')]],
  [['one that it names', ADAPTER, use('@palimpsest/contracts')]],
);

planted(
  'palimpsest/layers: deep',
  [
    ['an import of sources', SERVICE, use('@palimpsest/kernel/src/decider.js')],
    ['an import of build output', SERVICE, use('@palimpsest/kernel/dist/decider.js')],
  ],
  [['the door of the test kits, in a spec', SPEC, use('@palimpsest/kernel/testing')]],
);

planted(
  'palimpsest/layers: escape',
  [
    ['a relative path into another package', SERVICE, use('../../../kernel/src/decider.js')],
    [
      'a relative path from the tests into a package',
      'test/e2e/planted.ts',
      use('../../libs/kernel/src/x.js'),
    ],
  ],
  [['a neighbour in the same package', SERVICE, use('./neighbour.js')]],
);

planted(
  'palimpsest/layers: testing',
  [
    ['test kits in a service', SERVICE, use('@palimpsest/kernel/testing')],
    ['test kits of its own package in a service', SERVICE, use('./testing/index.js')],
  ],
  [['test kits of its own package in a spec', SPEC, use('./testing/index.js')]],
);

planted(
  'palimpsest/pure',
  [
    ['node in the kernel', KERNEL, use('node:crypto')],
    ['Nest in a domain', DOMAIN, use('@nestjs/common')],
    ['a driver in a domain', DOMAIN, use('pg')],
    ['a query builder in the transcript', TRANSCRIPT, use('kysely')],
    ['the bus client in contracts', CONTRACTS, use('@nats-io/jetstream')],
    ['the time by Date.now', DOMAIN, 'export const now = (): number => Date.now();'],
    ['the time by new Date', DOMAIN, 'export const now = (): Date => new Date();'],
    ['chance', DOMAIN, 'export const dice = (): number => Math.random();'],
    ['an id out of nowhere', DOMAIN, 'export const id = (): string => crypto.randomUUID();'],
    ['the process', DOMAIN, 'export const id = process.pid;'],
    // A replay has the recorded time and the recorded chance: what decides and derives may know no other.
    ['the time in the engine', ENGINE, 'export const now = (): number => Date.now();'],
    ['a date in the engine', ENGINE, 'export const now = (): Date => new Date();'],
    ['chance in the engine', ENGINE, 'export const dice = (): number => Math.random();'],
    ['the time in a rendering', TRANSCRIPT, 'export const now = (): number => Date.now();'],
    ['chance in contracts', CONTRACTS, 'export const dice = (): number => Math.random();'],
    ['the time in the planning of windows', PLANNING, 'export const now = (): Date => new Date();'],
  ],
  [
    ['a date from an argument', DOMAIN, 'export const at = (iso: string): Date => new Date(iso);'],
    ['node outside a domain', SERVICE, use('node:crypto')],
    [
      'the clock beside its port',
      'libs/kernel/src/ports/clock.ts',
      'export const now = (): Date => new Date();',
    ],
  ],
);

planted(
  'palimpsest/no-timers',
  [['a timer in a domain', DOMAIN, 'setTimeout(() => undefined, 1);']],
  [['a timer outside it', SERVICE, 'setTimeout(() => undefined, 1);']],
);

planted(
  'palimpsest/environment-in-host',
  [
    ['process.env in a service', SERVICE, 'export const url = process.env.DATABASE_URL;'],
    ['process.env in an app', APP, 'export const url = process.env.DATABASE_URL;'],
    ['process["env"]', SERVICE, "export const url = process['env'];"],
    ['env taken apart', SERVICE, 'export const { env } = process;'],
    ['env by import', SERVICE, "import { env } from 'node:process';\nexport const url = env;"],
    ['process.env in a spec', SPEC, 'export const url = process.env.TEST_DATABASE_URL;'],
  ],
  [
    ['the host', 'libs/host/src/planted.ts', 'export const url = process.env.DATABASE_URL;'],
    ['test support', 'test/support/planted.ts', 'export const url = process.env.TEST_NATS_URL;'],
  ],
);

planted(
  'palimpsest/named-errors',
  [
    ['a bare error', SERVICE, "throw new Error('no');"],
    ['a bare rejection', SERVICE, "export const p = Promise.reject(new Error('no'));"],
  ],
  [
    [
      'an error with a class',
      SERVICE,
      "import { NotFoundError } from '@palimpsest/kernel';\nthrow new NotFoundError('run');",
    ],
    ['a bare error in a spec', SPEC, "throw new Error('no');"],
  ],
);

planted(
  'palimpsest/no-sleep',
  [
    ['a promise on a timer', SPEC, 'await new Promise((resolve) => setTimeout(resolve, 100));'],
    ['timers/promises', SPEC, "import { setTimeout as wait } from 'node:timers/promises';\nawait wait(5);"],
    ['a helper that sleeps', SPEC, 'await sleep(100);'],
  ],
  [['waiting for a condition', SPEC, 'await waitUntil(() => true);']],
);

planted(
  'palimpsest/named-exports',
  [
    ['export *', SERVICE, "export * from './neighbour.js';"],
    ['a default export', SERVICE, 'export default 1;'],
  ],
  [['names', SERVICE, "export { x } from './neighbour.js';"]],
);

planted(
  'import-x/no-cycle',
  [
    [
      'a cycle between two files',
      'libs/kernel/src/errors/palimpsest-error.ts',
      "import { toWireError } from './wire-error.js';\nexport const x = toWireError;",
    ],
  ],
  [
    [
      'the same files one way',
      'libs/kernel/src/errors/wire-error.ts',
      "import { TerminalError } from './palimpsest-error.js';\nexport const x = TerminalError;",
    ],
  ],
);

const lines = (count: number): string => Array.from({ length: count }, (_, i) => `f(${i});`).join('\n');

planted('max-lines', [['401 lines', SERVICE, lines(401)]], [['400 lines', SERVICE, lines(400)]]);
planted(
  'max-lines-per-function',
  [['an 81 line function', SERVICE, `export function f(): void {\n${lines(79)}\n}`]],
  [['an 80 line function', SERVICE, `export function f(): void {\n${lines(78)}\n}`]],
);
planted(
  'max-params',
  [
    [
      'five parameters',
      SERVICE,
      'export type F = 1;\nexport function f(a: 1, b: 1, c: 1, d: 1, e: 1) {\n  return [a, b, c, d, e];\n}',
    ],
  ],
  [['four', SERVICE, 'export function f(a: 1, b: 1, c: 1, d: 1) {\n  return [a, b, c, d];\n}']],
);
planted(
  'complexity',
  [
    [
      'thirteen paths',
      SERVICE,
      `export const f = (a: boolean): boolean => ${Array(13).fill('a').join(' && ')};`,
    ],
  ],
  [['twelve', SERVICE, `export const f = (a: boolean): boolean => ${Array(12).fill('a').join(' && ')};`]],
);

planted(
  '@typescript-eslint/no-explicit-any',
  [['any', SERVICE, 'export const x = (y: any): unknown => y;']],
  [['unknown', SERVICE, 'export const x = (y: unknown): unknown => y;']],
);
planted(
  '@typescript-eslint/consistent-type-imports',
  [
    [
      'a type imported as a value',
      SERVICE,
      "import { Clock } from '@palimpsest/kernel';\nexport type X = Clock;",
    ],
  ],
  [['import type', SERVICE, "import type { Clock } from '@palimpsest/kernel';\nexport type X = Clock;"]],
);
planted(
  '@typescript-eslint/no-floating-promises',
  [['a promise nobody waits for', EXISTING, 'Promise.resolve(1);']],
  [['one that is waited for', EXISTING, 'export const x = await Promise.resolve(1);']],
);
