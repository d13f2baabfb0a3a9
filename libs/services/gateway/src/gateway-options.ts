import type { Kysely } from 'kysely';
import type {
  ArtifactStore,
  Clock,
  EventLog,
  IdSource,
  Logger,
  MessageBus,
  RacePoints,
  TokenCounter,
} from '@palimpsest/kernel';
import type { HostContext } from './domain/context-settings.js';
import type { RateLimitSettings } from './handlers/rate-limits.js';
import type {
  HostKey,
  Registry,
  RunForks,
  RunLogCommands,
  WindowAssembler,
  WorkflowDirectory,
} from './ports.js';
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
  readonly workflows: WorkflowDirectory;
  readonly registry: Registry;
  readonly artifacts: ArtifactStore;
  readonly bus: Pick<MessageBus, 'listen'>;
  /** Absent: the host gives no certificates. */
  readonly hostKey?: HostKey | undefined;
  readonly tokens: TokenCounter;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly readiness: () => Promise<ReadinessReport>;
  /** Ids of the workflows that runs can be made of, as discovery tells them; default the directory's fixtures. */
  readonly fixtureIds?: () => Promise<readonly string[]>;
  /** Of interrupt tokens; default the system's. */
  readonly clock?: Clock;
  readonly races?: RacePoints;
};

/** What the engine ends a run at (host specification §5.7): recorded with each run, and its children's bounds too. */
export type EngineLimits = {
  readonly maxNodeExecutions: number;
  readonly maxRunDurationMs: number;
  /** Turns of an execution loop; default the engine's own. */
  readonly maxLoopIterations?: number;
};

/** What discovery says of the host beside what the gateway serves. */
export type HostClaims = {
  /** Stable for the life of a deployment. */
  readonly hostId: string;
  /** A model provider is configured, so that models decide turns. */
  readonly modelTurns: boolean;
  /** The context defaults are claimed as a budget: only where models decide turns. */
  readonly contextBudget: boolean;
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
  /** How often what has expired is removed. */
  readonly housekeepingMs: number;
  /** Longest silence of an event stream; at most 30 s by the host specification (§3.7). */
  readonly keepAliveMs: number;
  /** How often an event stream looks at the log without having been woken. */
  readonly pollMs: number;
  readonly rateLimits: RateLimitSettings;
  /** Event streams that one instance has open at a time. */
  readonly maxEventStreams: number;
  readonly engineLimits: EngineLimits;
  readonly claims: HostClaims;
  /** Models that a run may ask for; absent where the gateway does not know: then it lets all through. */
  readonly models?: readonly string[];
  /** Keys that signed measurements are believed by, as the contract writes them (§12.5); absent: none. */
  readonly trustedMeasurementKeys?: string | undefined;
  /** Whose rollouts an efficiency event counts to where its sender names no environment. */
  readonly environment: string;
  /** Serves the seams of conformance tests (host specification §9), to callers with a key. */
  readonly testSeams: boolean;
};

export const GATEWAY_OPTIONS = Symbol('GatewayOptions');
export const GATEWAY_DATABASE = Symbol('GatewayDatabase');
export const READINESS = Symbol('Readiness');
export const FIXTURE_IDS = Symbol('FixtureIds');
export const RACE_POINTS = Symbol('RacePoints');

const DEFAULTS = {
  maxBodyBytes: 8 * 1024 * 1024,
  idempotencyTtlMs: 24 * 3600 * 1000,
  idempotencyLeaseMs: 60_000,
  housekeepingMs: 10 * 60_000,
  keepAliveMs: 15_000,
  pollMs: 2000,
  rateLimits: { keyPerSecond: 600, tenantPerSecond: 1200, globalPerSecond: 5000, anonymousPerSecond: 200 },
  maxEventStreams: 2000,
  engineLimits: { maxNodeExecutions: 1000, maxRunDurationMs: 3_600_000 },
  claims: { hostId: 'palimpsest', modelTurns: false, contextBudget: false },
  environment: 'default',
  testSeams: false,
} as const;

export function withDefaults(
  options: Pick<GatewayOptions, 'context'> & Partial<GatewayOptions>,
): GatewayOptions {
  return { ...DEFAULTS, ...options };
}
