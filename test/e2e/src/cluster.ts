import { createPool, createDatabase } from '@palimpsest/adapter-postgres';
import { freePort } from '@palimpsest/adapter-nats/testing';
import { createApiKey, type GatewayTables } from '@palimpsest/gateway';
import type { Pool } from 'pg';
import { ProcessFailedError, ServiceProcess, type LogLine, type Variables } from './service-process.js';

export const SERVICES = [
  'artifact-store',
  'run-log',
  'transcript-assembler',
  'replay-coordinator',
  'lineage-registry',
  'summarizer-worker',
  'orchestrator',
  'gateway',
] as const;

export type ServiceName = (typeof SERVICES)[number];

export type ClusterOptions = {
  /** A database that nothing stands in yet. */
  readonly databaseUrl: string;
  /** A server of this cluster alone: subjects and streams have fixed names. */
  readonly natsUrl: string;
  /** How many summarizer workers. Default 1. */
  readonly workers?: number;
  /** For every process. */
  readonly variables?: Variables;
};

const SERVICE_TOKEN = 'a-token-of-this-spec-and-of-nobody-else';

/** Every service as a process of its own, as in production. */
export class Cluster {
  readonly #processes = new Map<ServiceName, ServiceProcess[]>();
  readonly #past: ServiceProcess[] = [];
  #counts: readonly (readonly [ServiceName, number])[] = [];
  #key = '';

  private constructor(
    private readonly options: ClusterOptions,
    private readonly ports: Readonly<Record<'gateway' | 'artifacts', number>>,
    /** For looking into the database from outside. */
    readonly pool: Pool,
  ) {}

  static async start(options: ClusterOptions): Promise<Cluster> {
    const ports = { gateway: await freePort(), artifacts: await freePort() };
    const pool = createPool(options.databaseUrl, { applicationName: 'e2e', maxConnections: 2 });
    const cluster = new Cluster(options, ports, pool);
    try {
      await cluster.#migrate();
      await Promise.all(
        SERVICES.map((service) =>
          cluster.add(service, service === 'summarizer-worker' ? (options.workers ?? 1) : 1),
        ),
      );
      cluster.#key = await cluster.createKey('default');
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  get url(): string {
    return `http://127.0.0.1:${this.ports.gateway}`;
  }

  /** An API key of the tenant `default`. */
  get key(): string {
    return this.#key;
  }

  async createKey(tenantId: string): Promise<string> {
    const database = createDatabase<GatewayTables>(this.pool);
    return (await createApiKey(database, { tenantId, name: 'e2e' })).key;
  }

  of(service: ServiceName): readonly ServiceProcess[] {
    return this.#processes.get(service) ?? [];
  }

  /** Starts instances and waits until they are ready. */
  async add(service: ServiceName, count = 1): Promise<void> {
    const started = Array.from({ length: count }, () => this.#spawn(service));
    this.#processes.set(service, [...this.of(service), ...started]);
    await Promise.all(started.map((instance) => this.#untilReady(service, instance)));
  }

  /** Ends every instance of the service; resolves when they are gone. */
  async kill(service: ServiceName, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const ended = this.of(service);
    this.#processes.set(service, []);
    this.#past.push(...ended);
    await Promise.all(ended.map((instance) => instance.end(signal)));
  }

  /** New instances first, then the old ones are told to go: a rolling update. */
  async replace(service: ServiceName): Promise<void> {
    const old = this.of(service);
    await this.add(service, old.length);
    this.#processes.set(
      service,
      this.of(service).filter((instance) => !old.includes(instance)),
    );
    this.#past.push(...old);
    await Promise.all(old.map((instance) => instance.end('SIGTERM')));
  }

  async restart(service: ServiceName): Promise<void> {
    const count = this.of(service).length;
    await this.kill(service);
    await this.add(service, count);
  }

  async killAll(): Promise<void> {
    this.#counts = SERVICES.map((service) => [service, this.of(service).length] as const);
    await Promise.all(SERVICES.map((service) => this.kill(service)));
  }

  /** As many instances of each service as there were when all were killed. */
  async addAll(): Promise<void> {
    await Promise.all(this.#counts.map(([service, count]) => this.add(service, count)));
  }

  /** Of every process there ever was, oldest process first. */
  logLines(): readonly (LogLine & { readonly app: string })[] {
    return this.#all().flatMap(({ app, lines }) => lines.map((line) => ({ app, ...line })));
  }

  /** Process ids, to see that nobody was restarted. */
  pids(): readonly (number | undefined)[] {
    return SERVICES.flatMap((service) => this.of(service)).map(({ pid }) => pid);
  }

  async stop(): Promise<void> {
    await Promise.all(SERVICES.map((service) => this.kill(service, 'SIGKILL')));
    await this.pool.end();
  }

  #all(): readonly ServiceProcess[] {
    return [...this.#past, ...SERVICES.flatMap((service) => this.of(service))];
  }

  async #migrate(): Promise<void> {
    const migrate = new ServiceProcess('migrate', {
      PALIMPSEST_LOG_LEVEL: 'info',
      DATABASE_URL: this.options.databaseUrl,
    });
    await migrate.end();
    this.#past.push(migrate);
    if (migrate.exitCode !== 0) throw new ProcessFailedError(migrate, 'the schemas are there');
  }

  #spawn(service: ServiceName): ServiceProcess {
    const port = service === 'gateway' ? this.ports.gateway : this.ports.artifacts;
    return new ServiceProcess(service, {
      DATABASE_URL: this.options.databaseUrl,
      NATS_URL: this.options.natsUrl,
      PALIMPSEST_ARTIFACT_STORE_URL: `http://127.0.0.1:${this.ports.artifacts}`,
      PALIMPSEST_SERVICE_TOKEN: SERVICE_TOKEN,
      PALIMPSEST_PORT: String(port),
      PALIMPSEST_HEALTH_PORT: '0',
      ...this.options.variables,
    });
  }

  /** A service says on which port it answers; the gateway answers on its own. */
  async #untilReady(service: ServiceName, instance: ServiceProcess): Promise<void> {
    await instance.until('GET /readyz answers 200', async () => {
      const ready = instance.logged('Ready')[0];
      const url =
        service === 'gateway' ? this.url : `http://127.0.0.1:${String(ready?.fields['healthPort'])}`;
      return ready !== undefined && (await answersReady(url));
    });
  }
}

export async function answersReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`);
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}
