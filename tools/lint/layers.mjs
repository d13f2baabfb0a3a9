// The design's picture, executable: arrows point down only, and packages meet at their doors.
import { posix } from 'node:path';
import { isTestCode, packageAt, packages, placeOf, testPackages } from './packages.mjs';

/** What each layer may import. No service imports a service, no adapter an adapter; `host` is for apps. */
const BELOW = {
  contracts: [],
  kernel: ['contracts'],
  tokens: ['kernel', 'contracts'],
  transcript: ['kernel', 'contracts'],
  workflow: ['kernel', 'contracts'],
  // Nothing of ours: an adapter copies it, and it starts in an instant.
  'context-efficiency': [],
  adapter: ['tokens', 'transcript', 'kernel', 'contracts'],
  host: ['kernel', 'contracts'],
  client: ['contracts'],
  service: ['adapter', 'tokens', 'transcript', 'workflow', 'context-efficiency', 'kernel', 'contracts'],
  app: [
    'service',
    'client',
    'host',
    'adapter',
    'tokens',
    'transcript',
    'workflow',
    'context-efficiency',
    'kernel',
    'contracts',
  ],
};

/** Adapters for one process: only the app that is one process takes them, and tests. */
const ONE_PROCESS = ['@palimpsest/adapter-memory', '@palimpsest/adapter-embedded-postgres'];
const ONE_PROCESS_APP = '@palimpsest/app-all-in-one';

/** The only apps that take another app: migrations and all services in one process, the command line around it. */
const COMPOSITIONS = {
  [ONE_PROCESS_APP]: ['@palimpsest/app-migrate'],
  '@palimpsest/cli': [ONE_PROCESS_APP],
};

export const layers = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      layer: '{{from}} ({{fromLayer}}) must not import {{to}} ({{toLayer}}): arrows point down only.',
      unknown: '{{to}} is no package of this workspace.',
      deep: '{{specifier}} goes past the door of {{to}}: import what its index exports.',
      testing: '{{specifier}} is for specs and test kits only.',
      oneProcess: '{{to}} is for one process: only {{app}} and tests take it.',
      escape: '{{specifier}} leaves the package: import another package by its name.',
      undeclared: '{{from}} imports {{to}} but its package.json does not declare it.',
    },
  },
  create(context) {
    const place = placeOf(context.filename);
    const check = (node) => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string') return;
      for (const [messageId, data] of problemsOf(place, specifier)) {
        context.report({ node: node.source, messageId, data: { specifier, ...data } });
      }
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};

function problemsOf(place, specifier) {
  const from = packageAt(place);
  if (specifier.startsWith('.')) return relativeProblems(place, from, specifier);
  if (!specifier.startsWith('@palimpsest/')) return [];
  if (testPackages.includes(specifier) && place.startsWith('test/')) return [];
  const [scope, name, ...inside] = specifier.split('/');
  const to = packages.find((candidate) => candidate.name === `${scope}/${name}`);
  if (!to) return [['unknown', { to: `${scope}/${name}` }]];
  return [
    ...doorProblems(place, to, inside.join('/')),
    ...(from && from !== to ? layerProblems(place, from, to) : []),
  ];
}

function relativeProblems(place, from, specifier) {
  const target = posix.join(posix.dirname(place), specifier);
  if (from ? !target.startsWith(`${from.folder}/`) : packageAt(target)) return [['escape', {}]];
  return !isTestCode(place) && /\/src\/testing\//.test(target) ? [['testing', {}]] : [];
}

function doorProblems(place, to, inside) {
  if (inside === '' || to.doors.includes(inside)) return [];
  if (inside !== 'testing') return [['deep', { to: to.name }]];
  return isTestCode(place) ? [] : [['testing', {}]];
}

function layerProblems(place, from, to) {
  const names = { from: from.name, fromLayer: from.layer, to: to.name, toLayer: to.layer };
  const problems = [];
  const composes = COMPOSITIONS[from.name]?.includes(to.name) === true;
  if (!(BELOW[from.layer] ?? []).includes(to.layer) && !composes && !isTestOfAdapter(place, to)) {
    problems.push(['layer', names]);
  }
  if (ONE_PROCESS.includes(to.name) && from.name !== ONE_PROCESS_APP && !isTestCode(place)) {
    problems.push(['oneProcess', { ...names, app: ONE_PROCESS_APP }]);
  }
  if (!from.dependencies.includes(to.name)) problems.push(['undeclared', names]);
  return problems;
}

/** A spec of any layer above the kernel may run against a real or an in-memory adapter. */
function isTestOfAdapter(place, to) {
  return isTestCode(place) && to.layer === 'adapter';
}
