import { OPERATIONS, type Operation } from './operations.js';

/**
 * An operation's path as the router takes it. A parameter stops at a colon, and a literal colon is written
 * twice, so that `/v1/runs/{runId}:fork` is told from `/v1/runs/{runId}`.
 */
export function routerPath(path: string): string {
  return path
    .replaceAll(':', '::')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => `:${name}(${segmentOf(name)})`);
}

/** A digest holds a colon (`sha256:…`); nothing is done to one by a colon's word. */
function segmentOf(parameter: string): string {
  return parameter === 'capsuleHash' ? '[^/]+' : '[^/:]+';
}

const TABLE = Object.values<Operation>(OPERATIONS).map(({ method, path }) => ({
  method,
  pattern: new RegExp(
    `^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name))}$`,
  ),
}));

/** The methods that are served at a path; empty where the path is unknown. */
export function methodsAt(pathname: string): readonly string[] {
  const methods = TABLE.filter(({ pattern }) => pattern.test(pathname)).map(({ method }) => method);
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].sort();
}

/** Of the v1 catalog, served here or not. */
const CATALOG_ROOTS = [
  'agents',
  'artifacts',
  'audit',
  'content',
  'host',
  'interrupts',
  'packs',
  'packs-test',
  'prompts',
  'runs',
  'tools',
  'trigger-subscriptions',
  'webhooks',
  'workflows',
];

const VERSIONED_ROOTS = new Set([
  ...CATALOG_ROOTS,
  ...Object.values<Operation>(OPERATIONS).flatMap(({ path }) => /^\/v1\/([^/:]+)/.exec(path)?.[1] ?? []),
]);

/** True at a root that is served under `/v1` only (host specification §2.3). */
export function lacksVersion(pathname: string): boolean {
  return VERSIONED_ROOTS.has(/^\/([^/:]+)/.exec(pathname)?.[1] ?? '');
}

/** What is public under `/v1`: the API's description, the host's keys, and an interrupt, whose token is its credential. */
const PUBLIC = /^\/v1\/(?:openapi\.json|host\/keys|interrupts\/[^/]+)$/;

/** A key is asked for before it is looked whether there is anything (host specification §2.1). */
export function needsKey(pathname: string): boolean {
  return /^\/v1(?:[/:]|$)/.test(pathname) && !PUBLIC.test(pathname);
}

/** Of whoever runs this instance. */
export function isProbe(pathname: string): boolean {
  return pathname === '/healthz' || pathname === '/readyz';
}
