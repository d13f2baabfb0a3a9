import { z } from 'zod';
import { CONTEXT_STRATEGIES, TOKEN_COUNTERS } from '@palimpsest/contracts';
import type { Environment } from './environment.js';
import { readConfig, variable, type ConfigOf, type ConfigRule } from './read-config.js';
import { connectionUrl, secret, wholeNumber } from './variable-kinds.js';

const port = wholeNumber(0, 65535);
const budget = wholeNumber(1, 100_000_000);

const postgresUrl = connectionUrl('postgres', 'postgresql');
const httpUrl = connectionUrl('http', 'https');

/** What every process takes. */
const processVariables = {
  logLevel: variable(
    'PALIMPSEST_LOG_LEVEL',
    z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  ),
  host: variable('PALIMPSEST_HOST', z.string().default('127.0.0.1')),
  healthPort: variable('PALIMPSEST_HEALTH_PORT', port.default(8081)),
  shutdownTimeoutMs: variable('PALIMPSEST_SHUTDOWN_TIMEOUT_MS', wholeNumber(0, 600_000).default(10_000)),
};

const databaseVariables = {
  databaseUrl: variable('DATABASE_URL', postgresUrl),
  databasePoolSize: variable('PALIMPSEST_DATABASE_POOL_SIZE', wholeNumber(1, 500).default(10)),
};

const busVariables = { natsUrl: variable('NATS_URL', connectionUrl('nats', 'tls', 'ws', 'wss')) };

/** Content through the artifact store's internal listener. */
const artifactClientVariables = {
  artifactStoreUrl: variable('PALIMPSEST_ARTIFACT_STORE_URL', httpUrl),
  serviceToken: variable('PALIMPSEST_SERVICE_TOKEN', secret),
};

const contextVariables = {
  defaultBudget: variable('PALIMPSEST_DEFAULT_BUDGET', budget.default(8000)),
  defaultCounter: variable('PALIMPSEST_DEFAULT_COUNTER', z.enum(TOKEN_COUNTERS).default('o200k_base')),
  defaultKeepLastTurns: variable('PALIMPSEST_DEFAULT_KEEP_LAST_TURNS', wholeNumber(0, 10_000).default(6)),
  defaultStrategy: variable(
    'PALIMPSEST_DEFAULT_STRATEGY',
    z.enum(CONTEXT_STRATEGIES).default('sliding-window'),
  ),
  maxBudgetO200kBase: variable('PALIMPSEST_MAX_BUDGET_O200K_BASE', budget.default(1_000_000)),
  maxBudgetCl100kBase: variable('PALIMPSEST_MAX_BUDGET_CL100K_BASE', budget.default(1_000_000)),
  maxBudgetChars: variable('PALIMPSEST_MAX_BUDGET_CHARS', budget.default(4_000_000)),
};

/** How long a request may work under its idempotency key before a retry takes it over, as after a crash. */
const idempotencyLeaseMs = variable(
  'PALIMPSEST_IDEMPOTENCY_LEASE_MS',
  wholeNumber(1000, 600_000).default(15_000),
);

/** How long a window waits for the summarizer workers before its summary is made without them. */
const summaryDeadlineMs = variable('PALIMPSEST_SUMMARY_DEADLINE_MS', wholeNumber(0, 20_000).default(2000));

const httpVariables = {
  idempotencyLeaseMs,
  port: variable('PALIMPSEST_PORT', port.default(8080)),
  maxBodyBytes: variable(
    'PALIMPSEST_MAX_BODY_BYTES',
    wholeNumber(1024, 1_073_741_824).default(8 * 1024 * 1024),
  ),
};

const runLogVariables = { ...processVariables, ...databaseVariables, ...busVariables };
const replayVariables = { ...runLogVariables, ...artifactClientVariables };
const assemblerVariables = { ...replayVariables, summaryDeadlineMs };
const summarizerVariables = {
  ...processVariables,
  ...busVariables,
  ...artifactClientVariables,
  concurrency: variable('PALIMPSEST_SUMMARIZER_CONCURRENCY', wholeNumber(1, 64).default(1)),
};
const artifactStoreVariables = {
  ...processVariables,
  ...databaseVariables,
  port: variable('PALIMPSEST_PORT', port.default(8090)),
  serviceToken: variable('PALIMPSEST_SERVICE_TOKEN', secret),
};
const gatewayVariables = {
  ...processVariables,
  ...databaseVariables,
  ...busVariables,
  ...artifactClientVariables,
  ...httpVariables,
  ...contextVariables,
};
const migrateVariables = { logLevel: processVariables.logLevel, databaseUrl: databaseVariables.databaseUrl };
const allInOneVariables = {
  ...processVariables,
  ...httpVariables,
  ...contextVariables,
  summaryDeadlineMs,
  /** Absent: an embedded server in the data directory. */
  databaseUrl: variable('DATABASE_URL', postgresUrl.optional()),
  databasePoolSize: databaseVariables.databasePoolSize,
  dataDirectory: variable('PALIMPSEST_DATA_DIR', z.string().default('.palimpsest')),
};

export type RunLogConfig = ConfigOf<typeof runLogVariables>;
export type AssemblerConfig = ConfigOf<typeof assemblerVariables>;
export type ReplayConfig = ConfigOf<typeof replayVariables>;
export type SummarizerConfig = ConfigOf<typeof summarizerVariables>;
export type ArtifactStoreConfig = ConfigOf<typeof artifactStoreVariables>;
export type GatewayConfig = ConfigOf<typeof gatewayVariables>;
export type MigrateConfig = ConfigOf<typeof migrateVariables>;
export type AllInOneConfig = ConfigOf<typeof allInOneVariables>;

type ContextKeys = Pick<GatewayConfig, keyof typeof contextVariables>;

/** A budget without its unit means nothing (design §6, strategy `none`), and a default that callers may not ask for is a trap. */
const budgetRule: ConfigRule<typeof contextVariables> = (config, isSet) => [
  ...(isSet('defaultBudget') && !isSet('defaultCounter')
    ? [
        {
          variable: 'PALIMPSEST_DEFAULT_COUNTER',
          problem: 'is required where PALIMPSEST_DEFAULT_BUDGET is set',
        },
      ]
    : []),
  ...(config.defaultBudget > maxBudgetsOf(config)[config.defaultCounter]
    ? [
        {
          variable: 'PALIMPSEST_DEFAULT_BUDGET',
          problem: `is above the maximum for ${config.defaultCounter}`,
        },
      ]
    : []),
];

/** The greatest budget a run may ask for, in each unit. */
export function maxBudgetsOf(config: ContextKeys): Readonly<Record<(typeof TOKEN_COUNTERS)[number], number>> {
  return {
    o200k_base: config.maxBudgetO200kBase,
    cl100k_base: config.maxBudgetCl100kBase,
    chars: config.maxBudgetChars,
  };
}

export const readRunLogConfig = (env: Environment): RunLogConfig => readConfig(runLogVariables, env);
export const readAssemblerConfig = (env: Environment): AssemblerConfig => readConfig(assemblerVariables, env);
export const readSummarizerConfig = (env: Environment): SummarizerConfig =>
  readConfig(summarizerVariables, env);
export const readReplayConfig = (env: Environment): ReplayConfig => readConfig(replayVariables, env);
export const readArtifactStoreConfig = (env: Environment): ArtifactStoreConfig =>
  readConfig(artifactStoreVariables, env);
export const readMigrateConfig = (env: Environment): MigrateConfig => readConfig(migrateVariables, env);
export const readGatewayConfig = (env: Environment): GatewayConfig =>
  readConfig(gatewayVariables, env, [budgetRule]);
export const readAllInOneConfig = (env: Environment): AllInOneConfig =>
  readConfig(allInOneVariables, env, [budgetRule]);
