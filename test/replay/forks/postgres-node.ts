import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  AssemblerClient,
  OrchestratorClient,
  RegistryClient,
  ReplayClient,
  RunLogClient,
} from '@palimpsest/adapter-clients';
import { InProcessBus, MemoryStreamStore } from '@palimpsest/adapter-memory';
import {
  artifactStoreMigrations,
  createDatabase,
  PostgresArtifactStore,
  PostgresEventLog,
  runLogMigrations,
} from '@palimpsest/adapter-postgres';
import type { JsonObject } from '@palimpsest/contracts';
import { createApiKey, createGatewayApp, GatewayModule, gatewayMigrations } from '@palimpsest/gateway';
import { noRacePoints, silentLogger, systemClock, type RacePoints } from '@palimpsest/kernel';
import {
  PostgresForkJobs,
  ReplayCoordinatorModule,
  replayCoordinatorMigrations,
} from '@palimpsest/replay-coordinator';
import { MemoryCheckpoints, RunLogModule } from '@palimpsest/run-log';
import { countAll, countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, makeSummary } from '@palimpsest/transcript';
import {
  assemblerMigrations,
  PostgresSummaryJobStore,
  TranscriptAssemblerModule,
} from '@palimpsest/transcript-assembler';
import type { Pool } from 'pg';

export const MIGRATIONS = [
  runLogMigrations,
  artifactStoreMigrations,
  assemblerMigrations,
  replayCoordinatorMigrations,
  gatewayMigrations,
];

export type Answer = { readonly status: number; readonly replayed: boolean; readonly body: JsonObject };

export type Ask = {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly json?: unknown;
  /** `Idempotency-Key`. */
  readonly idempotencyKey?: string;
};

export type NodeOptions = {
  /** Of the coordinator. */
  readonly races?: RacePoints;
  readonly gatewayRaces?: RacePoints;
  /** After which another attempt may take an idempotency key over. */
  readonly leaseMs?: number;
  /** Greatest budgets that the host gives, in every unit. */
  readonly maxBudget?: number;
};

const HOST_CONTEXT = {
  tokenCounter: 'o200k_base',
  strategy: 'sliding-window',
  keepLastTurns: 1,
  defaultBudgets: { o200k_base: 300, cl100k_base: 300, chars: 1200 },
  maxBudgets: { o200k_base: 8000, cl100k_base: 8000, chars: 32_000 },
} as const;

function budgetsUpTo(most: number | undefined): object {
  return most === undefined ? {} : { maxBudgets: { o200k_base: most, cl100k_base: most, chars: most } };
}

const NO_RATE_LIMITS = { keyPerSecond: 0, tenantPerSecond: 0, globalPerSecond: 0, anonymousPerSecond: 0 };

@Module({})
class NodeModule {}

/** One process with all services that a fork passes through. Several on one database have only that in common. */
export class PostgresNode {
  readonly log: PostgresEventLog;
  readonly artifacts: PostgresArtifactStore;
  readonly bus = new InProcessBus({ store: new MemoryStreamStore() });
  readonly forks = new ReplayClient(this.bus);
  #app: NestFastifyApplication | undefined;
  #key = '';

  private constructor(
    private readonly pool: Pool,
    private readonly options: NodeOptions,
  ) {
    this.log = new PostgresEventLog(pool);
    this.artifacts = new PostgresArtifactStore(pool);
  }

  static async start(pool: Pool, tenantId: string, options: NodeOptions = {}): Promise<PostgresNode> {
    const node = new PostgresNode(pool, options);
    const app = await createGatewayApp({ module: NodeModule, imports: node.#modules() });
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    node.#app = app;
    const made = await createApiKey(createDatabase(pool), { tenantId, name: 'spec', kind: 'live' });
    node.#key = made.key;
    return node;
  }

  async ask({ method = 'POST', url, json, idempotencyKey }: Ask): Promise<Answer> {
    const http = this.#app?.getHttpAdapter().getInstance();
    if (!http) throw new TypeError('The node is not started.');
    const response = await http.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { payload: JSON.stringify(json) }),
    });
    return {
      status: response.statusCode,
      replayed: response.headers['openwop-idempotent-replay'] === 'true',
      body: JSON.parse(response.body || '{}') as JsonObject,
    };
  }

  async close(): Promise<void> {
    await this.#app?.close();
    await this.bus.close();
  }

  #modules() {
    const { bus, log: eventLog, artifacts, pool } = this;
    const { races = noRacePoints, gatewayRaces = noRacePoints, leaseMs = 60_000, maxBudget } = this.options;
    const shared = { bus, eventLog, logger: silentLogger, clock: systemClock };
    const assembler = new AssemblerClient(bus);
    const maker = { artifacts, summarizer: extractiveSummarizer(countTokens), count: countTokens };
    return [
      RunLogModule.register({ ...shared, checkpoints: new MemoryCheckpoints() }),
      TranscriptAssemblerModule.register({
        ...shared,
        artifactStore: artifacts,
        jobs: new PostgresSummaryJobStore(pool),
        makeSummaryHere: (job) => makeSummary(job, maker),
        summaryDeadlineMs: 1,
      }),
      ReplayCoordinatorModule.register({
        ...shared,
        artifacts,
        jobs: new PostgresForkJobs(pool),
        assembler,
        races,
      }),
      GatewayModule.register(
        {
          ...shared,
          database: createDatabase(pool),
          runLog: new RunLogClient(bus),
          assembler,
          forks: this.forks,
          workflows: new OrchestratorClient(bus),
          registry: new RegistryClient(bus),
          artifacts,
          tokens: COUNT_INLINE,
          ids: { runId: () => `run_${randomUUID()}`, requestId: () => `req_${randomUUID()}` },
          readiness: async () => ({ ready: true, checks: {} }),
          races: gatewayRaces,
        },
        {
          context: { ...HOST_CONTEXT, ...budgetsUpTo(maxBudget) },
          rateLimits: NO_RATE_LIMITS,
          idempotencyLeaseMs: leaseMs,
        },
      ),
    ];
  }
}

const COUNT_INLINE = {
  countAll: async (texts: readonly string[]) => texts.map(countAll),
  count: async (text: string, counter: Parameters<typeof countTokens>[1]) => countTokens(text, counter),
  close: async () => {},
};
