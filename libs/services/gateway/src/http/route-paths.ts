import { OPERATIONS, type Operation } from './operations.js';

/**
 * An operation's path as the router takes it. A parameter stops at a colon, and a literal colon is written
 * twice, so that `/v1/runs/{runId}:fork` is told from `/v1/runs/{runId}`.
 */
export function routerPath(path: string): string {
  return path.replaceAll(':', '::').replaceAll(/\{(\w+)\}/g, ':$1([^/:]+)');
}

const TABLE = Object.values<Operation>(OPERATIONS).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/:]+')}$`),
}));

/** The methods that are served at a path; empty where the path is unknown. */
export function methodsAt(pathname: string): readonly string[] {
  const methods = TABLE.filter(({ pattern }) => pattern.test(pathname)).map(({ method }) => method);
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].sort();
}

/** Roots that are served under `/v1` only (host specification §2.3). */
const UNVERSIONED = /^\/(?:runs|workflows|interrupts|webhooks|artifacts)(?:[/:]|$)/;

export function lacksVersion(pathname: string): boolean {
  return UNVERSIONED.test(pathname);
}

/** A key is asked for before it is looked whether there is anything (host specification §2.1). */
export function needsKey(pathname: string): boolean {
  return /^\/v1\/runs(?:[/:]|$)/.test(pathname);
}
