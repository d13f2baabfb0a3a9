import type { InjectOptions } from 'fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Pool } from 'pg';
import {
  InProcessBus,
  MemoryArtifactStore,
  MemoryEventLog,
  MemoryStreamStore,
} from '@palimpsest/adapter-memory';
import { createDatabase } from '@palimpsest/adapter-postgres';
import type { JsonObject } from '@palimpsest/contracts';
import { ServiceUnavailableError, silentLogger, type TokenCounter } from '@palimpsest/kernel';
import { countAll, countTokens } from '@palimpsest/tokens';
import { createGatewayApp, type GatewayAppOptions } from '../create-gateway-app.js';
import { GatewayModule } from '../gateway.module.js';
import type { GatewayOptions, GatewayPorts } from '../gateway-options.js';
import { createApiKey } from '../handlers/api-keys.js';
import type { KeyKind, Scope } from '../domain/api-key.js';
import type { GatewayTables } from '../store/tables.js';
import { hostContext } from './host-context.js';
import { StandInAssembler } from './stand-in-assembler.js';
import { StandInRegistry } from './stand-in-registry.js';
import { StandInRunLog } from './stand-in-run-log.js';
import { StandInWorkflows } from './stand-in-workflows.js';

const countInline: TokenCounter = {
  countAll: async (texts) => texts.map(countAll),
  count: async (text, counter) => countTokens(text, counter),
  close: async () => {},
};

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: JsonObject;
  readonly text: string;
};

export type Ask = Pick<InjectOptions, 'method' | 'headers'> & {
  readonly url: string;
  /** `null`: none. Default: the harness's own key, with every scope. */
  readonly key?: string | null;
  /** Sent as JSON; `payload` goes as it is. */
  readonly json?: unknown;
  readonly payload?: string | Buffer;
};

export type GatewayHarness = {
  readonly app: NestFastifyApplication;
  readonly ports: GatewayPorts;
  readonly runLog: StandInRunLog;
  readonly registry: StandInRegistry;
  readonly key: string;
  ask(ask: Ask): Promise<Answer>;
  newKey(tenantId: string, scopes?: readonly Scope[], kind?: KeyKind): Promise<string>;
  /** A run of the harness's tenant. */
  newRun(context?: JsonObject): Promise<string>;
  close(): Promise<void>;
};

export type HarnessOptions = Partial<GatewayOptions> & {
  readonly ports?: Partial<GatewayPorts>;
  readonly app?: GatewayAppOptions;
};

/** A spec asks as fast as it can; those of the limits set their own. */
const NO_RATE_LIMITS = { keyPerSecond: 0, tenantPerSecond: 0, globalPerSecond: 0, anonymousPerSecond: 0 };

/** The gateway on memory adapters and a real database for its keys. */
export async function startGateway(pool: Pool, options: HarnessOptions = {}): Promise<GatewayHarness> {
  const database = createDatabase<GatewayTables>(pool);
  const { ports: replaced, app: appOptions, ...gatewayOptions } = options;
  const eventLog = replaced?.eventLog ?? new MemoryEventLog();
  const runLog = new StandInRunLog(eventLog);
  const registry = new StandInRegistry();
  const ports: GatewayPorts = {
    ...memoryPorts(eventLog, runLog),
    registry: registry.port,
    database,
    ...replaced,
  };
  const module = GatewayModule.register(ports, {
    context: hostContext,
    rateLimits: NO_RATE_LIMITS,
    ...gatewayOptions,
  });
  const app = await createGatewayApp(module, appOptions);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  const newKey: GatewayHarness['newKey'] = async (tenantId, scopes, kind = 'live') =>
    (await createApiKey(database, { tenantId, name: 'spec', kind, ...(scopes && { scopes }) })).key;
  const key = await newKey('acme');
  const ask = (question: Ask): Promise<Answer> => inject(app, { key, ...question });
  return {
    app,
    ports,
    runLog,
    registry,
    key,
    ask,
    newKey,
    newRun: async (context = {}) => {
      const json = { workflowId: 'palimpsest-external', configurable: { context } };
      const { body } = await ask({ method: 'POST', url: '/v1/runs', json });
      return textIn(body, 'runId');
    },
    close: () => app.close(),
  };
}

function memoryPorts(
  eventLog: GatewayPorts['eventLog'],
  runLog: StandInRunLog,
): Omit<GatewayPorts, 'database' | 'registry'> {
  let runs = 0;
  let requests = 0;
  return {
    eventLog,
    runLog,
    assembler: new StandInAssembler(eventLog),
    forks: {
      fork: () => Promise.reject(new ServiceUnavailableError('The replay coordinator')),
      forkAgain: () => Promise.reject(new ServiceUnavailableError('The replay coordinator')),
      verify: async () => ({
        ok: true,
        windowsChecked: 0,
        artifactsChecked: 0,
        summarizerCalls: 0,
        windowsDigest: '',
      }),
      diff: () => Promise.reject(new ServiceUnavailableError('The replay coordinator')),
    },
    workflows: new StandInWorkflows(),
    artifacts: new MemoryArtifactStore(),
    bus: new InProcessBus({ store: new MemoryStreamStore() }),
    tokens: countInline,
    ids: { runId: () => `run_${(runs += 1)}`, requestId: () => `req_${(requests += 1)}` },
    logger: silentLogger,
    readiness: async () => ({ ready: true, checks: { database: 'ok' } }),
  };
}

async function inject(app: NestFastifyApplication, ask: Ask): Promise<Answer> {
  const { key, json, payload, headers, ...rest } = ask;
  const body = json === undefined ? payload : JSON.stringify(json);
  const response = await app
    .getHttpAdapter()
    .getInstance()
    .inject({
      ...rest,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: body }),
    });
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: String(response.headers['content-type']).includes('application/json')
      ? (JSON.parse(response.body || '{}') as JsonObject)
      : {},
  };
}

/** A member of an answer that has to be text; empty where it is not. */
export function textIn(body: JsonObject, name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : '';
}
