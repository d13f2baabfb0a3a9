import type { Kysely } from 'kysely';
import type { ArtifactStore, EventLog, IdSource, Logger, MessageBus, TokenCounter } from '@palimpsest/kernel';
import type { HostContext } from './domain/context-settings.js';
import type { RunForks, RunLogCommands, WindowAssembler } from './ports.js';
import type { GatewayTables } from './store/tables.js';

export type ReadinessReport = {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, 'ok' | 'failing'>>;
};

/** What the gateway asks others for. */
export type GatewayPorts = {
  readonly database: Kysely<GatewayTables>;
  /** Reads only; commands go through `runLog`. */
  readonly eventLog: EventLog;
  readonly runLog: RunLogCommands;
  readonly assembler: WindowAssembler;
  readonly forks: RunForks;
  readonly artifacts: ArtifactStore;
  readonly bus: Pick<MessageBus, 'listen'>;
  readonly tokens: TokenCounter;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly readiness: () => Promise<ReadinessReport>;
};

/** All durations in milliseconds. */
export type GatewayOptions = {
  readonly context: HostContext;
  /** Largest request body in bytes. */
  readonly maxBodyBytes: number;
  /** How long an answer is kept for its idempotency key. */
  readonly idempotencyTtlMs: number;
  /** How long a request may work under its idempotency key before another may take it over. */
  readonly idempotencyLeaseMs: number;
  /** Longest silence of an event stream; at most 30 s by the host specification (§3.7). */
  readonly keepAliveMs: number;
  /** How often an event stream looks at the log without having been woken. */
  readonly pollMs: number;
};

export const GATEWAY_OPTIONS = Symbol('GatewayOptions');
export const GATEWAY_DATABASE = Symbol('GatewayDatabase');
export const READINESS = Symbol('Readiness');

const DEFAULTS = {
  maxBodyBytes: 8 * 1024 * 1024,
  idempotencyTtlMs: 24 * 3600 * 1000,
  idempotencyLeaseMs: 60_000,
  keepAliveMs: 15_000,
  pollMs: 2000,
} as const;

export function withDefaults(
  options: Pick<GatewayOptions, 'context'> & Partial<GatewayOptions>,
): GatewayOptions {
  return { ...DEFAULTS, ...options };
}
