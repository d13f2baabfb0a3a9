import { z } from 'zod';
import { CONTEXT_STRATEGIES, TOKEN_COUNTERS } from '@palimpsest/contracts';
import type { Environment } from './environment.js';
import { claimRule, claimsOf, claimVariables } from './claim-variables.js';
import { cliVariables } from './cli-config.js';
import { engineVariables, rateLimitVariables } from './limit-variables.js';
import { askableModels, modelRule, modelVariables, wishRule, wishVariables } from './model-config.js';
import { readConfig, variable, type ConfigOf, type ConfigRule, type Variables } from './read-config.js';
import { environmentVariable, leaseSweepMs, trustedMeasurementKeys } from './registry-variables.js';
import { summarizerRule, summaryVariables } from './summarizer-config.js';
import { connectionUrl, flag, networks, secret, wholeNumber } from './variable-kinds.js';

const port = wholeNumber(0, 65535);
const budget = wholeNumber(1, 100_000_000);

const postgresUrl = connectionUrl('postgres', 'postgresql');
const httpUrl = connectionUrl('http', 'https');

/** What every process takes. */
const processVariables = {
  logLevel: variable(
    'PALIMPSEST_LOG_LEVEL',
    z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'The least severe log lines that are written: JSON on standard error, or lines for a person where that is a terminal.',
  ),
  host: variable(
    'PALIMPSEST_HOST',
    z.string().default('127.0.0.1'),
    'The address the process listens on. `0.0.0.0` listens on all of them: put a TLS proxy before it.',
  ),
  shutdownTimeoutMs: variable(
    'PALIMPSEST_SHUTDOWN_TIMEOUT_MS',
    wholeNumber(0, 600_000).default(10_000),
    'Milliseconds that work at hand may take after SIGTERM before the process ends all the same.',
  ),
};

/** A process with an API answers probes on the port of that. */
const serviceVariables = {
  ...processVariables,
  healthPort: variable(
    'PALIMPSEST_HEALTH_PORT',
    port.default(8081),
    'Port of `/healthz` and `/readyz`. 0 takes any free one.',
  ),
};

const databaseVariables = {
  databaseUrl: variable('DATABASE_URL', postgresUrl, 'The Postgres of this service.'),
  databasePoolSize: variable(
    'PALIMPSEST_DATABASE_POOL_SIZE',
    wholeNumber(1, 500).default(10),
    'Most connections to Postgres that the process opens.',
  ),
};

const busVariables = {
  natsUrl: variable(
    'NATS_URL',
    connectionUrl('nats', 'tls', 'ws', 'wss'),
    'The NATS server, with JetStream, that the services meet at.',
  ),
};

/** Content through the artifact store's internal listener. */
const artifactClientVariables = {
  artifactStoreUrl: variable(
    'PALIMPSEST_ARTIFACT_STORE_URL',
    httpUrl,
    'The internal listener of the artifact store. Content goes there and nowhere else.',
  ),
  serviceToken: variable(
    'PALIMPSEST_SERVICE_TOKEN',
    secret,
    'What services show to the artifact store. The same for all of them.',
  ),
};

const contextVariables = {
  defaultBudget: variable(
    'PALIMPSEST_DEFAULT_BUDGET',
    budget.default(8000),
    'Budget of a window of runs that ask for none, in the unit of `PALIMPSEST_DEFAULT_COUNTER`, which has to be set with it.',
  ),
  defaultCounter: variable(
    'PALIMPSEST_DEFAULT_COUNTER',
    z.enum(TOKEN_COUNTERS).default('o200k_base'),
    'Unit of the budget of runs that name none: tokens of an encoding, or characters.',
  ),
  defaultKeepLastTurns: variable(
    'PALIMPSEST_DEFAULT_KEEP_LAST_TURNS',
    wholeNumber(0, 10_000).default(6),
    'Turns at the end of a transcript that are never replaced, for runs that do not say.',
  ),
  defaultStrategy: variable(
    'PALIMPSEST_DEFAULT_STRATEGY',
    z.enum(CONTEXT_STRATEGIES).default('sliding-window'),
    'What becomes of older turns of runs that do not say: one summary that grows (`sliding-window`), several that are merged (`recursive`), one made in parts at once (`map-reduce`), or nothing (`none`).',
  ),
  maxBudgetO200kBase: variable(
    'PALIMPSEST_MAX_BUDGET_O200K_BASE',
    budget.default(1_000_000),
    'Greatest budget a run may ask for in tokens of `o200k_base`.',
  ),
  maxBudgetCl100kBase: variable(
    'PALIMPSEST_MAX_BUDGET_CL100K_BASE',
    budget.default(1_000_000),
    'Greatest budget a run may ask for in tokens of `cl100k_base`.',
  ),
  maxBudgetChars: variable(
    'PALIMPSEST_MAX_BUDGET_CHARS',
    budget.default(4_000_000),
    'Greatest budget a run may ask for in characters.',
  ),
};

/** How long a request may work under its idempotency key before a retry takes it over, as after a crash. */
const idempotencyLeaseMs = variable(
  'PALIMPSEST_IDEMPOTENCY_LEASE_MS',
  wholeNumber(1000, 600_000).default(15_000),
  'Milliseconds that a request may work under its idempotency key before a retry takes it over, as after a crash.',
);

/** How long a window waits for the summarizer workers before its summary is made without them. */
const summaryDeadlineMs = variable(
  'PALIMPSEST_SUMMARY_DEADLINE_MS',
  wholeNumber(0, 20_000).default(2000),
  'Milliseconds that a window waits for the summarizer workers before its summary is made without them.',
);

const httpVariables = {
  idempotencyLeaseMs,
  ...rateLimitVariables,
  ...engineVariables,
  ...claimVariables,
  /** Event streams open at a time, of one instance. */
  maxEventStreams: variable(
    'PALIMPSEST_MAX_EVENT_STREAMS',
    wholeNumber(1, 1_000_000).default(2000),
    'Event streams that one instance holds open at a time. The last quarter is for tenants that hold less than a quarter.',
  ),
  /** Whose X-Forwarded-For is believed: addresses or networks, separated by commas. */
  trustedProxies: variable(
    'PALIMPSEST_TRUSTED_PROXIES',
    networks.default([]),
    'Proxies whose `X-Forwarded-For` is believed.',
  ),
  /** Named by the protocol. */
  testSeams: variable(
    'OPENWOP_TEST_SEAM_ENABLED',
    flag.default(false),
    'Whether the seams of conformance tests are served under `/v1/host/sample`, to callers with a key. Not for production.',
  ),
  hostKeyFile: variable(
    'PALIMPSEST_HOST_KEY_FILE',
    z.string().optional(),
    'File with the Ed25519 private key (PKCS #8, PEM) that certificates of runs are signed with. Without it the gateway gives none; a process with an embedded database makes a key in its data folder.',
  ),
  port: variable('PALIMPSEST_PORT', port.default(8080), 'Port of the API. 0 takes any free one.'),
  maxBodyBytes: variable(
    'PALIMPSEST_MAX_BODY_BYTES',
    wholeNumber(1024, 1_073_741_824).default(8 * 1024 * 1024),
    'Largest request body, in bytes.',
  ),
};

const orchestrationVariables = {
  /** Of workflow definitions, `*.json`. Absent: none but the fixtures. */
  workflowsDirectory: variable(
    'PALIMPSEST_WORKFLOWS_DIR',
    z.string().optional(),
    'Folder of workflow definitions, `*.json`. Without it there are none but the fixtures.',
  ),
  orchestratorConcurrency: variable(
    'PALIMPSEST_ORCHESTRATOR_CONCURRENCY',
    wholeNumber(1, 256).default(16),
    'Runs of workflows that one instance works on at a time; with those that wait for a model, four times as many.',
  ),
};

const runLogVariables = { ...serviceVariables, ...databaseVariables, ...busVariables };
const replayVariables = { ...runLogVariables, ...artifactClientVariables };
const registryVariables = {
  ...replayVariables,
  environment: environmentVariable,
  leaseSweepMs,
  trustedMeasurementKeys,
};
const assemblerVariables = { ...replayVariables, summaryDeadlineMs, ...summaryVariables };
const summarizerVariables = {
  ...serviceVariables,
  ...busVariables,
  ...artifactClientVariables,
  ...summaryVariables,
  ...modelVariables,
  concurrency: variable(
    'PALIMPSEST_SUMMARIZER_CONCURRENCY',
    wholeNumber(1, 64).default(1),
    'Summaries that one worker makes at a time.',
  ),
};
const orchestratorVariables = {
  ...runLogVariables,
  ...artifactClientVariables,
  ...orchestrationVariables,
  ...modelVariables,
  ...wishVariables,
  testSeams: httpVariables.testSeams,
  conformanceFixtures: variable(
    'PALIMPSEST_CONFORMANCE_FIXTURES',
    flag.default(false),
    'Whether the workflows of the conformance suite are there.',
  ),
};
const artifactStoreVariables = {
  ...serviceVariables,
  ...databaseVariables,
  port: variable(
    'PALIMPSEST_PORT',
    port.default(8090),
    'Port of the internal listener for content. 0 takes any free one.',
  ),
  serviceToken: variable(
    'PALIMPSEST_SERVICE_TOKEN',
    secret,
    'What services show to the artifact store. The same for all of them.',
  ),
};
const gatewayVariables = {
  ...processVariables,
  ...databaseVariables,
  ...busVariables,
  ...artifactClientVariables,
  ...httpVariables,
  ...contextVariables,
  environment: environmentVariable,
  trustedMeasurementKeys,
};
const migrateVariables = { logLevel: processVariables.logLevel, databaseUrl: databaseVariables.databaseUrl };
const allInOneVariables = {
  ...processVariables,
  ...httpVariables,
  ...contextVariables,
  ...orchestrationVariables,
  ...summaryVariables,
  ...modelVariables,
  conformanceFixtures: variable(
    'PALIMPSEST_CONFORMANCE_FIXTURES',
    flag.default(true),
    'Whether the workflows of the conformance suite are there.',
  ),
  summaryDeadlineMs,
  environment: environmentVariable,
  leaseSweepMs,
  trustedMeasurementKeys,
  /** Absent: an embedded server in the data directory. */
  databaseUrl: variable(
    'DATABASE_URL',
    postgresUrl.optional(),
    'The Postgres that holds the log. Without it an embedded server keeps it in the data directory.',
  ),
  databasePoolSize: databaseVariables.databasePoolSize,
  dataDirectory: variable(
    'PALIMPSEST_DATA_DIR',
    z.string().default('.palimpsest'),
    'Folder of the embedded database, of its key for certificates and of the credentials file.',
  ),
};

/** The variables of every process, by the name of its folder in `apps/`; docs/configuration.md is made from them. */
export const PROCESS_VARIABLES: Readonly<Record<string, Variables>> = {
  'all-in-one': allInOneVariables,
  gateway: gatewayVariables,
  'run-log': runLogVariables,
  'transcript-assembler': assemblerVariables,
  'summarizer-worker': summarizerVariables,
  'artifact-store': artifactStoreVariables,
  'replay-coordinator': replayVariables,
  'lineage-registry': registryVariables,
  orchestrator: orchestratorVariables,
  migrate: migrateVariables,
  cli: cliVariables,
};

export type RunLogConfig = ConfigOf<typeof runLogVariables>;
export type AssemblerConfig = ConfigOf<typeof assemblerVariables>;
export type ReplayConfig = ConfigOf<typeof replayVariables>;
export type RegistryConfig = ConfigOf<typeof registryVariables>;
export type SummarizerConfig = ConfigOf<typeof summarizerVariables>;
export type OrchestratorConfig = ConfigOf<typeof orchestratorVariables>;
export type ArtifactStoreConfig = ConfigOf<typeof artifactStoreVariables>;
export type GatewayConfig = ConfigOf<typeof gatewayVariables>;
export type MigrateConfig = ConfigOf<typeof migrateVariables>;
export type AllInOneConfig = ConfigOf<typeof allInOneVariables>;

type HttpConfig = ConfigOf<typeof httpVariables>;

/** The gateway's options, as its variables give them. */
export function gatewayLimitsOf(config: HttpConfig): {
  readonly rateLimits: Readonly<
    Record<'keyPerSecond' | 'tenantPerSecond' | 'globalPerSecond' | 'anonymousPerSecond', number>
  >;
  readonly maxEventStreams: number;
  readonly engineLimits: Readonly<
    Record<'maxNodeExecutions' | 'maxRunDurationMs' | 'maxLoopIterations', number>
  >;
  readonly claims: ReturnType<typeof claimsOf>;
  readonly models?: readonly string[];
} {
  const { maxEventStreams, maxNodeExecutions, maxRunDurationMs, maxLoopIterations } = config;
  const models = askableModels(config);
  return {
    rateLimits: {
      keyPerSecond: config.rateLimitKeyPerSecond,
      tenantPerSecond: config.rateLimitTenantPerSecond,
      globalPerSecond: config.rateLimitGlobalPerSecond,
      anonymousPerSecond: config.rateLimitAnonymousPerSecond,
    },
    maxEventStreams,
    engineLimits: { maxNodeExecutions, maxRunDurationMs, maxLoopIterations },
    claims: claimsOf(config),
    ...(models && { models }),
  };
}

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
  readConfig(summarizerVariables, env, [modelRule, summarizerRule]);
export const readReplayConfig = (env: Environment): ReplayConfig => readConfig(replayVariables, env);
export const readRegistryConfig = (env: Environment): RegistryConfig => readConfig(registryVariables, env);
export const readOrchestratorConfig = (env: Environment): OrchestratorConfig =>
  readConfig(orchestratorVariables, env, [modelRule, wishRule]);
export const readArtifactStoreConfig = (env: Environment): ArtifactStoreConfig =>
  readConfig(artifactStoreVariables, env);
export const readMigrateConfig = (env: Environment): MigrateConfig => readConfig(migrateVariables, env);
export const readGatewayConfig = (env: Environment): GatewayConfig =>
  readConfig(gatewayVariables, env, [budgetRule, claimRule, wishRule]);
export const readAllInOneConfig = (env: Environment): AllInOneConfig =>
  readConfig(allInOneVariables, env, [budgetRule, claimRule, modelRule, wishRule, summarizerRule]);
