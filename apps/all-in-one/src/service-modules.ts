import { setImmediate } from 'node:timers/promises';
import type { DynamicModule } from '@nestjs/common';
import { AssemblerClient, OrchestratorClient, ReplayClient, RunLogClient } from '@palimpsest/adapter-clients';
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
  type AllInOneConfig,
} from '@palimpsest/host';
import { systemClock, type Logger, type MessageBus, type TokenCounter } from '@palimpsest/kernel';
import { OrchestratorModule, PostgresDefinitionStore, PostgresTimerStore } from '@palimpsest/orchestrator';
import { PostgresForkJobs, ReplayCoordinatorModule } from '@palimpsest/replay-coordinator';
import { PostgresCheckpoints, RunLogModule, wakeListeners } from '@palimpsest/run-log';
import { SummarizerWorkerModule } from '@palimpsest/summarizer-worker';
import { countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, makeSummary } from '@palimpsest/transcript';
import { PostgresSummaryJobStore, TranscriptAssemblerModule } from '@palimpsest/transcript-assembler';
import type { Pool } from 'pg';

export type ServicePorts = {
  readonly config: AllInOneConfig;
  readonly pool: Pool;
  readonly bus: MessageBus;
  readonly tokens: TokenCounter;
  readonly logger: Logger;
};

/** The same modules that run apart in production, over one database and one bus. */
export function serviceModules({ config, pool, bus, tokens, logger }: ServicePorts): DynamicModule[] {
  const clock = systemClock;
  const eventLog = new PostgresEventLog(pool, { onGrown: wakeListeners(bus) });
  const artifactStore = new PostgresArtifactStore(pool);
  const maker = {
    artifacts: artifactStore,
    summarizer: extractiveSummarizer(countTokens, { pause: setImmediate }),
    count: countTokens,
  };
  const assembler = new AssemblerClient(bus);
  const readiness = createReadiness({ database: () => isAnswering(pool), bus: () => bus.isConnected() });
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
    }),
    SummarizerWorkerModule.register({ bus, logger, makeSummary: (job) => makeSummary(job, maker) }),
    ReplayCoordinatorModule.register({
      eventLog,
      artifacts: artifactStore,
      bus,
      jobs: new PostgresForkJobs(pool),
      assembler,
      clock,
      logger,
    }),
    OrchestratorModule.register({
      eventLog,
      bus,
      definitions: new PostgresDefinitionStore(pool),
      timers: new PostgresTimerStore(pool),
      childRuns: new RunLogClient(bus),
      clock,
      logger,
      workflowsDirectory: config.workflowsDirectory,
      conformanceFixtures: config.conformanceFixtures,
      concurrency: config.orchestratorConcurrency,
    }),
    GatewayModule.register(
      {
        database: createDatabase(pool),
        eventLog,
        runLog: new RunLogClient(bus),
        assembler,
        forks: new ReplayClient(bus),
        workflows: new OrchestratorClient(bus),
        artifacts: artifactStore,
        bus,
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
      },
    ),
  ];
}
