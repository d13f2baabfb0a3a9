import { setImmediate } from 'node:timers/promises';
import type { DynamicModule } from '@nestjs/common';
import {
  AssemblerClient,
  OrchestratorClient,
  RegistryClient,
  ReplayClient,
  RunLogClient,
} from '@palimpsest/adapter-clients';
import { createModel } from '@palimpsest/adapter-model';
import {
  createDatabase,
  isAnswering,
  PostgresArtifactStore,
  PostgresEventLog,
} from '@palimpsest/adapter-postgres';
import { ArtifactStoreModule } from '@palimpsest/artifact-store';
import { GatewayModule } from '@palimpsest/gateway';
import {
  contextDefaultsOf,
  createIdSource,
  createReadiness,
  gatewayLimitsOf,
  modelConfigOf,
  summarizerModelOf,
  summaryPlansOf,
  type AllInOneConfig,
  type HostKey,
} from '@palimpsest/host';
import { systemClock, type Logger, type MessageBus, type TokenCounter } from '@palimpsest/kernel';
import {
  LineageRegistryModule,
  PostgresRolloutStore,
  PostgresTelemetry,
  PostgresWorkgroupStore,
} from '@palimpsest/lineage-registry';
import {
  OrchestratorModule,
  PostgresDefinitionStore,
  PostgresInvocationStore,
  PostgresMockProgramStore,
  PostgresSideEffectStore,
  PostgresTimerStore,
  type ModelAccess,
} from '@palimpsest/orchestrator';
import {
  PostgresForkJobs,
  ReplayCoordinatorModule,
  type ReplayCoordinatorModuleOptions,
} from '@palimpsest/replay-coordinator';
import { PostgresCheckpoints, RunLogModule, wakeListeners } from '@palimpsest/run-log';
import {
  summaryMaker,
  SummarizerWorkerModule,
  type SummaryMakerOptions,
} from '@palimpsest/summarizer-worker';
import { countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, makeSummary } from '@palimpsest/transcript';
import { PostgresSummaryJobStore, TranscriptAssemblerModule } from '@palimpsest/transcript-assembler';
import type { Pool } from 'pg';

export type ServicePorts = {
  readonly config: AllInOneConfig;
  readonly pool: Pool;
  readonly bus: MessageBus;
  readonly tokens: TokenCounter;
  readonly hostKey: HostKey | undefined;
  readonly logger: Logger;
};

/** The same modules that run apart in production, over one database and one bus. */
export function serviceModules(ports: ServicePorts): DynamicModule[] {
  const { config, pool, bus, tokens, logger } = ports;
  const clock = systemClock;
  const eventLog = new PostgresEventLog(pool, { onGrown: wakeListeners(bus) });
  const artifactStore = new PostgresArtifactStore(pool);
  const maker = {
    artifacts: artifactStore,
    summarizer: extractiveSummarizer(countTokens, { pause: setImmediate }),
    count: countTokens,
  };
  const assembler = new AssemblerClient(bus);
  return [
    RunLogModule.register({ eventLog, bus, clock, logger, checkpoints: new PostgresCheckpoints(pool) }),
    ArtifactStoreModule.register({ artifactStore, logger }),
    TranscriptAssemblerModule.register({
      eventLog,
      artifactStore,
      bus,
      clock,
      logger,
      jobs: new PostgresSummaryJobStore(pool),
      makeSummaryHere: (job) => makeSummary(job, maker),
      summaryDeadlineMs: config.summaryDeadlineMs,
      ...summaryPlansOf(config),
    }),
    SummarizerWorkerModule.register({
      bus,
      logger,
      ids: createIdSource(),
      makeSummary: summaryMaker({ artifacts: artifactStore, logger, ...summaryModel(config, logger) }),
    }),
    ReplayCoordinatorModule.register({
      eventLog,
      artifacts: artifactStore,
      assembler,
      clock,
      logger,
      ...forkPorts(pool, bus),
    }),
    OrchestratorModule.register({
      eventLog,
      bus,
      definitions: new PostgresDefinitionStore(pool),
      timers: new PostgresTimerStore(pool),
      childRuns: new RunLogClient(bus),
      tokens,
      invocations: new PostgresInvocationStore(pool),
      ...plannerModel(config, logger, { windows: assembler, artifacts: artifactStore }),
      ...(config.testSeams && {
        mockPrograms: new PostgresMockProgramStore(pool),
        sideEffects: new PostgresSideEffectStore(pool),
      }),
      clock,
      logger,
      workflowsDirectory: config.workflowsDirectory,
      conformanceFixtures: config.conformanceFixtures,
      concurrency: config.orchestratorConcurrency,
    }),
    registryModule(ports, { eventLog, artifactStore }),
    gatewayModule(ports, { eventLog, artifactStore, assembler }),
  ];
}

type Shared = {
  readonly eventLog: PostgresEventLog;
  readonly artifactStore: PostgresArtifactStore;
  readonly assembler: AssemblerClient;
};

function gatewayModule(
  { config, pool, bus, tokens, hostKey, logger }: ServicePorts,
  stores: Shared,
): DynamicModule {
  const readiness = createReadiness({ database: () => isAnswering(pool), bus: () => bus.isConnected() });
  return GatewayModule.register(
    {
      database: createDatabase(pool),
      eventLog: stores.eventLog,
      runLog: new RunLogClient(bus),
      assembler: stores.assembler,
      forks: new ReplayClient(bus),
      workflows: new OrchestratorClient(bus),
      registry: new RegistryClient(bus),
      artifacts: stores.artifactStore,
      bus,
      hostKey,
      tokens,
      ids: createIdSource(),
      logger,
      readiness: () => readiness.report(),
    },
    {
      context: contextDefaultsOf(config),
      maxBodyBytes: config.maxBodyBytes,
      idempotencyLeaseMs: config.idempotencyLeaseMs,
      ...gatewayLimitsOf(config),
      testSeams: config.testSeams,
      environment: config.environment,
      trustedMeasurementKeys: config.trustedMeasurementKeys,
    },
  );
}

function registryModule(
  { config, pool, bus, logger }: ServicePorts,
  { eventLog, artifactStore }: Pick<Shared, 'eventLog' | 'artifactStore'>,
): DynamicModule {
  return LineageRegistryModule.register({
    bus,
    eventLog,
    artifacts: artifactStore,
    workgroups: new PostgresWorkgroupStore(pool),
    rollouts: new PostgresRolloutStore(pool),
    telemetry: new PostgresTelemetry(pool),
    ids: createIdSource(),
    logger,
    environment: config.environment,
    trustedMeasurementKeys: config.trustedMeasurementKeys,
    sweepMs: config.leaseSweepMs,
  });
}

function summaryModel(config: AllInOneConfig, logger: Logger): Pick<SummaryMakerOptions, 'model'> {
  const named = summarizerModelOf(config);
  if (!named) return {};
  const { timeoutMs } = named;
  const inputTokens = config.summarizerInputTokens;
  return { model: { model: createModel({ ...named, logger }), timeoutMs, inputTokens } };
}

/** What decides turns; without a provider only scripts do. */
function plannerModel(
  config: AllInOneConfig,
  logger: Logger,
  feed: Pick<ModelAccess, 'windows' | 'artifacts'>,
): { readonly model?: ModelAccess } {
  const named = modelConfigOf(config);
  if (!named) return {};
  const { provider, model, timeoutMs } = named;
  const names = { provider, model, allowed: config.modelAllowed };
  return { model: { ...feed, model: createModel({ ...named, logger }), names, timeoutMs } };
}

/** Where forks are kept track of, and whom a replay asks for definitions and the provider `mock`. */
function forkPorts(
  pool: Pool,
  bus: MessageBus,
): Pick<ReplayCoordinatorModuleOptions, 'bus' | 'jobs' | 'definitions' | 'mocks' | 'calls'> {
  const orchestrator = new OrchestratorClient(bus);
  return {
    bus,
    jobs: new PostgresForkJobs(pool),
    definitions: orchestrator,
    mocks: orchestrator,
    calls: orchestrator,
  };
}
