// Rules made of selectors: each forbids some syntax and says what to do instead. A rule per concern, so that one
// file group can have several.

function forbid(restrictions) {
  return {
    meta: { type: 'problem', schema: [] },
    create: (context) =>
      Object.fromEntries(
        restrictions.map(([selector, message]) => [selector, (node) => context.report({ node, message })]),
      ),
  };
}

const NO_CLOCK = 'Time comes in as an argument: pure code reads no clock.';
const NO_CHANCE = 'Randomness and ids come in as arguments: pure code makes none.';
const NO_OUTSIDE = 'Pure code knows no platform, framework or driver.';
const OUTSIDE = [
  'node:',
  '@nestjs/',
  'fastify$',
  'pg$',
  'kysely$',
  '@nats-io/',
  'pino$',
  'rxjs$',
  'gpt-tokenizer',
]
  .map((name) => name.replace('/', '\\u002F'))
  .join('|');
const IMPORTS = ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression'];

/** contracts, kernel, transcript and every `domain/`: a function of its arguments. */
export const pure = forbid([
  ...IMPORTS.map((node) => [`${node}[source.value=/^(${OUTSIDE})/]`, NO_OUTSIDE]),
  ['CallExpression[callee.object.name="Date"][callee.property.name="now"]', NO_CLOCK],
  ['CallExpression[callee.object.name="performance"]', NO_CLOCK],
  ['NewExpression[callee.name="Date"][arguments.length=0]', NO_CLOCK],
  ['CallExpression[callee.name="Date"]', NO_CLOCK],
  ['MemberExpression[object.name="Math"][property.name="random"]', NO_CHANCE],
  ['MemberExpression[object.name="crypto"]', NO_CHANCE],
  ['MemberExpression[object.name="process"]', NO_OUTSIDE],
]);

/** As `pure`, of code that not even schedules: the kernel's ports may. */
export const noTimers = forbid([
  ['CallExpression[callee.name=/^set(Timeout|Interval|Immediate)$/]', NO_CLOCK],
]);

const NAMED_ERROR = 'Throw a class with a stable code (see the kernel), not a bare Error.';

export const namedErrors = forbid([
  ['ThrowStatement > NewExpression[callee.name=/^(Error|TypeError|RangeError)$/]', NAMED_ERROR],
  ['ThrowStatement > CallExpression[callee.name="Error"]', NAMED_ERROR],
  [
    'CallExpression[callee.object.name="Promise"][callee.property.name="reject"] > NewExpression[callee.name="Error"]',
    NAMED_ERROR,
  ],
]);

const NO_SLEEP = 'A spec waits for a condition, a race point or a fake clock; it does not sleep.';

export const noSleep = forbid([
  ['NewExpression[callee.name="Promise"] CallExpression[callee.name="setTimeout"]', NO_SLEEP],
  ['NewExpression[callee.name="Promise"] CallExpression[callee.property.name="setTimeout"]', NO_SLEEP],
  ['ImportDeclaration[source.value=/^(node:)?timers.promises$/]', NO_SLEEP],
  ['AwaitExpression > CallExpression[callee.name=/^(sleep|delay|pause)$/i]', NO_SLEEP],
]);

const ENVIRONMENT = 'The environment is read in libs/host only: take configuration as an argument.';

export const environmentInHost = forbid([
  ['MemberExpression[object.name="process"][property.name="env"]', ENVIRONMENT],
  ['MemberExpression[object.name="process"][property.value="env"]', ENVIRONMENT],
  ['VariableDeclarator[init.name="process"] > ObjectPattern > Property[key.name="env"]', ENVIRONMENT],
  ['ImportDeclaration[source.value=/^(node:)?process$/] ImportSpecifier[imported.name="env"]', ENVIRONMENT],
]);

export const namedExports = forbid([
  ['ExportAllDeclaration', 'List what is exported by name.'],
  ['ExportDefaultDeclaration', 'Export by name.'],
]);
