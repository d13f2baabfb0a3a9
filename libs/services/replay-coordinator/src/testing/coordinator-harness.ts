import {
  InProcessBus,
  MemoryArtifactStore,
  MemoryEventLog,
  MemoryStreamStore,
} from '@palimpsest/adapter-memory';
import type { ForkRun, JsonValue, RecordedEvent, RunQuery, Verification } from '@palimpsest/contracts';
import { noRacePoints, readEvents, silentLogger, type Logger, type RacePoints } from '@palimpsest/kernel';
import { ForkWorks } from '../fork/fork-works.js';
import { forkRun, forkRunAgain } from '../handlers/fork-run.js';
import { verifyRun } from '../handlers/verify-run.js';
import type { Definitions, MockCalls, ReplayPorts } from '../replay-ports.js';
import { MemoryForkJobs } from '../store/memory-fork-jobs.js';
import { SOURCE, SourceRun, TENANT } from './source-run.js';

export const FORK = 'fork-run';

/** A coordinator over stores in memory, which outlive it: `coordinator` makes another one on the same stores. */
export class CoordinatorHarness {
  readonly eventLog = new MemoryEventLog();
  readonly artifacts = new MemoryArtifactStore();
  readonly jobs = new MemoryForkJobs();
  readonly bus = new InProcessBus({ store: new MemoryStreamStore() });
  readonly source = new SourceRun(this.eventLog, this.artifacts);
  readonly verified: string[] = [];
  mocks: MockCalls | undefined;
  definitions: Definitions | undefined;
  logger: Logger = silentLogger;
  now = new Date('2026-01-02T00:00:00.000Z');
  verification: Verification = {
    ok: true,
    windowsChecked: 2,
    artifactsChecked: 3,
    summarizerCalls: 0,
    windowsDigest: 'd',
  };

  coordinator(races: RacePoints = noRacePoints) {
    const ports = this.ports(races);
    const works = new ForkWorks(ports);
    const asked = { tenantId: TENANT, runId: SOURCE, forkRunId: FORK };
    return {
      works,
      fork: (command: Partial<ForkRun> & Pick<ForkRun, 'mode'>): Promise<JsonValue> =>
        forkRun(ports, works, { ...asked, ...command } as JsonValue),
      forkAgain: (command: Partial<ForkRun> & Pick<ForkRun, 'mode'>): Promise<JsonValue> =>
        forkRunAgain(ports, works, { ...asked, ...command } as JsonValue),
      verify: (runId: string): Promise<JsonValue> => verifyRun(ports, { tenantId: TENANT, runId }),
    };
  }

  ports(races: RacePoints): ReplayPorts {
    const { eventLog, artifacts, jobs, bus } = this;
    const verify = (query: RunQuery): Promise<Verification> => {
      this.verified.push(query.runId);
      return Promise.resolve(this.verification);
    };
    const clock = { now: () => this.now };
    const mocks = {
      ...(this.mocks && { mocks: this.mocks }),
      ...(this.definitions && { definitions: this.definitions }),
    };
    const stores = { eventLog, artifacts, jobs, bus };
    return { ...stores, ...mocks, assembler: { verify }, clock, logger: this.logger, races };
  }

  header(runId: string = FORK) {
    return this.eventLog.header(TENANT, runId);
  }

  async events(runId: string = FORK): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    const range = { tenantId: TENANT, runId, from: 0, to: Infinity };
    for await (const event of readEvents(this.eventLog, range)) events.push(event);
    return events;
  }

  openJobs() {
    return this.jobs.open(new Date(this.now.getTime() + 1), 10);
  }
}

/** A process that dies when it reaches a point for the nth time. */
export function killedAt(point: string, time = 1): RacePoints {
  let reached = 0;
  return {
    reach(name) {
      if (name === point) reached += 1;
      return name === point && reached >= time
        ? Promise.reject(new Error(`killed at ${name}`))
        : Promise.resolve();
    },
  };
}
