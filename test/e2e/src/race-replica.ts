import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { OrchestratorClient, RegistryClient, RunLogClient } from '@palimpsest/adapter-clients';
import { InProcessBus, MemoryArtifactStore } from '@palimpsest/adapter-memory';
import { createDatabase, PostgresEventLog, PostgresStreamStore } from '@palimpsest/adapter-postgres';
import { createApiKey, createGatewayApp, GatewayModule, type GatewayTables } from '@palimpsest/gateway';
import {
  ServiceUnavailableError,
  silentLogger,
  systemClock,
  type AppendRequest,
  type AppendResult,
  type EventLog,
  type MessageBus,
  type RacePoints,
} from '@palimpsest/kernel';
import {
  OrchestratorModule,
  PostgresDefinitionStore,
  PostgresInvocationStore,
  PostgresTimerStore,
} from '@palimpsest/orchestrator';
import { PostgresCheckpoints, RunLogModule } from '@palimpsest/run-log';
import type { Pool } from 'pg';

/** A command's events are decided and not durable: whoever else writes to the run comes first. */
export const COMMAND_DECIDED = 'run-log.decided';

export type Replica = {
  readonly app: NestFastifyApplication;
  readonly bus: MessageBus;
  newKey(): Promise<string>;
  close(): Promise<void>;
};

export type ReplicaOptions = {
  readonly races: RacePoints;
  /** The replica that executes runs and knows the workflows; absent: this one. */
  readonly executor?: Replica;
};

/** Gateway, run log and orchestrator on a bus of their own; replicas meet in the database. */
export async function startReplica(pool: Pool, { races, executor }: ReplicaOptions): Promise<Replica> {
  const bus = new InProcessBus({ store: new PostgresStreamStore(pool), logger: silentLogger });
  const common = { bus, clock: systemClock, logger: silentLogger };
  const eventLog = new PostgresEventLog(pool);
  const database = createDatabase<GatewayTables>(pool);
  const orchestrator = OrchestratorModule.register({
    ...common,
    eventLog,
    definitions: new PostgresDefinitionStore(pool),
    timers: new PostgresTimerStore(pool),
    invocations: new PostgresInvocationStore(pool),
    tokens: { countAll: () => Promise.reject(new ServiceUnavailableError('A service that no race needs')) },
    childRuns: new RunLogClient(bus),
    conformanceFixtures: true,
    races,
  });
  const runLog = RunLogModule.register({
    ...common,
    eventLog: new StoppingEventLog(pool, races),
    checkpoints: new PostgresCheckpoints(pool),
  });
  const gateway = gatewayOf({ pool, bus, eventLog, races, directoryBus: executor?.bus ?? bus });
  const app = await createGatewayApp({
    ...gateway,
    imports: [runLog, ...(executor ? [] : [orchestrator])],
  });
  await app.init();
  return {
    app,
    bus,
    newKey: async () => (await createApiKey(database, { tenantId: 'default', name: 'e2e' })).key,
    close: async () => {
      await app.close();
      await bus.close();
    },
  };
}

type GatewayParts = {
  readonly pool: Pool;
  readonly bus: InProcessBus;
  readonly eventLog: EventLog;
  readonly races: RacePoints;
  readonly directoryBus: MessageBus;
};

function gatewayOf({ directoryBus, ...parts }: GatewayParts): ReturnType<typeof GatewayModule.register> {
  const { pool, bus, eventLog, races } = parts;
  const unused = () => Promise.reject(new ServiceUnavailableError('A service that no race needs'));
  return GatewayModule.register(
    {
      database: createDatabase<GatewayTables>(pool),
      eventLog,
      runLog: new RunLogClient(bus),
      workflows: new OrchestratorClient(directoryBus),
      registry: new RegistryClient(bus),
      assembler: { planWindow: unused, readWindow: unused, explainWindow: unused, usage: unused },
      forks: { fork: unused, forkAgain: unused, verify: unused, diff: unused },
      artifacts: new MemoryArtifactStore(),
      bus,
      tokens: { countAll: unused, count: unused, close: async () => undefined },
      ids: { runId: () => `run_${crypto.randomUUID()}`, requestId: () => `req_${crypto.randomUUID()}` },
      logger: silentLogger,
      readiness: async () => ({ ready: true, checks: {} }),
      races,
    },
    { context: CONTEXT },
  );
}

const CONTEXT = {
  tokenCounter: 'chars',
  strategy: 'none',
  keepLastTurns: 1,
  defaultBudgets: { o200k_base: 1000, cl100k_base: 1000, chars: 1000 },
  maxBudgets: { o200k_base: 1000, cl100k_base: 1000, chars: 1000 },
} as const;

/** The log as the run log's commands see it. */
class StoppingEventLog extends PostgresEventLog {
  constructor(
    pool: Pool,
    private readonly races: RacePoints,
  ) {
    super(pool);
  }

  override async append(request: AppendRequest): Promise<AppendResult> {
    await this.races.reach(`${COMMAND_DECIDED} ${request.events[0]?.type ?? ''}`);
    return super.append(request);
  }
}
