import { nodeContentHash } from '@palimpsest/adapter-postgres';
import type { LogVerification, RecordedEvent, RunHeader } from '@palimpsest/contracts';
import {
  artifactsNamedBy,
  artifactStates,
  beginsOtherwise,
  chainAncestors,
  ChainWalk,
  isCausedEarlier,
  readEvents,
  type ArtifactStore,
  type BrokenLink,
  type EventLog,
} from '@palimpsest/kernel';
import { HeaderFold } from './header-fold.js';
import { whatDiffers, type LogDifference } from './log-differences.js';

export type LogPorts = { readonly eventLog: EventLog; readonly artifacts: Pick<ArtifactStore, 'get'> };

export type CheckedLog = {
  readonly log: LogVerification;
  readonly firstDifference?: LogDifference;
  /** Of the run's row, where the log has no difference. */
  readonly rowDifference?: LogDifference;
};

/** Events whose content is looked at together. */
const STRETCH = 500;

/**
 * Reads a run's log once, from 0 to its head as of `header`: dense sequences, causes, the chain where there is one, and
 * the content that events name. Ends at the first difference. Holds a page, and the ids of what was named. Where the log has
 * no difference, what the run's row says is compared with what the log adds up to.
 */
export async function checkLog(ports: LogPorts, header: RunHeader): Promise<CheckedLog> {
  const check = new LogCheck(ports, header, await chainAncestors(ports.eventLog, header));
  const firstDifference = await check.run();
  const log = check.report(firstDifference);
  if (firstDifference) return { log, firstDifference };
  const rowDifference = check.rowDiffers();
  return { log, ...(rowDifference && { rowDifference }) };
}

class LogCheck {
  readonly #walk: ChainWalk;
  readonly #runIds: ReadonlySet<string>;
  readonly #row: HeaderFold;
  /** What was named, and by which event first; `#fresh` is what was not looked at yet. */
  readonly #named = new Set<string>();
  #fresh = new Map<string, number>();
  readonly #artifacts = { readable: 0, erased: 0 };
  #next = 0;
  #chain: LogVerification['chain'] = 'not checked';

  constructor(
    private readonly ports: LogPorts,
    private readonly header: RunHeader,
    ancestors: readonly RunHeader[],
  ) {
    const runs = [...ancestors, header];
    this.#walk = new ChainWalk(nodeContentHash, runs);
    this.#runIds = new Set(runs.map(({ runId }) => runId));
    this.#row = new HeaderFold(header);
  }

  async run(): Promise<LogDifference | undefined> {
    const { tenantId, runId, head } = this.header;
    const range = { tenantId, runId, from: 0, to: head, withChain: true };
    for await (const event of readEvents(this.ports.eventLog, range)) {
      const difference = this.#eventDiffers(event);
      // Content that an earlier event names comes first.
      if (difference) return (await this.#contentDiffers()) ?? difference;
      this.#row.takes(event);
      this.#next += 1;
      const found = this.#next % STRETCH === 0 ? await this.#contentDiffers() : undefined;
      if (found) return found;
    }
    return (await this.#contentDiffers()) ?? this.#headDiffers() ?? (await this.#surplus());
  }

  rowDiffers(): LogDifference | undefined {
    return this.#row.differs();
  }

  report(difference: LogDifference | undefined): LogVerification {
    const { link } = this.header;
    const log = { eventsChecked: difference?.sequence ?? this.#next, artifacts: this.#artifacts };
    const chain = this.#chain;
    return { ...log, chain, ...(chain === 'whole' && link !== undefined && { link }) };
  }

  #eventDiffers(event: RecordedEvent): LogDifference | undefined {
    const { sequence } = event;
    if (sequence !== this.#next) return this.#breaks('sequence', this.#next);
    const difference = this.#linkDiffers(event);
    if (difference) return difference;
    if (!isCausedEarlier(this.#runIds, event)) return whatDiffers('cause', sequence);
    for (const id of artifactsNamedBy(event)) {
      if (this.#named.has(id)) continue;
      this.#named.add(id);
      this.#fresh.set(id, sequence);
    }
    return undefined;
  }

  /** A run that says it has no chain has no event with a link. */
  #linkDiffers(event: RecordedEvent): LogDifference | undefined {
    const unchained = this.header.link === undefined;
    if (unchained && !event.chain)
      return beginsOtherwise(this.header, event) ? whatDiffers('beginning', this.#next) : undefined;
    const broken = unchained ? { sequence: this.#next, what: 'head' as const } : this.#walk.takes(event);
    return broken && this.#breaks(broken.what, broken.sequence);
  }

  #breaks(what: BrokenLink['what'], sequence: number): LogDifference {
    this.#chain = 'broken';
    return whatDiffers(what, sequence);
  }

  async #contentDiffers(): Promise<LogDifference | undefined> {
    const fresh = this.#fresh;
    this.#fresh = new Map();
    const asked = { tenantId: this.header.tenantId, artifactIds: fresh.keys() };
    const states = artifactStates({ artifacts: this.ports.artifacts, hash: nodeContentHash }, asked);
    for await (const state of states) {
      if (!('absent' in state)) this.#artifacts.readable += 1;
      else if (state.absent === 'erased') this.#artifacts.erased += 1;
      else return whatDiffers(state.absent, fresh.get(state.artifactId) ?? this.#next);
    }
    return undefined;
  }

  #headDiffers(): LogDifference | undefined {
    const { head, link } = this.header;
    if (this.#next !== head + 1) return this.#breaks('sequence', this.#next);
    const broken = link === undefined ? undefined : this.#walk.endsAt(link);
    if (broken) return this.#breaks('head', broken.sequence);
    this.#chain = link === undefined ? 'none' : 'whole';
    return undefined;
  }

  /** An append makes its events and their head visible at once, so that an event is never beyond a head read later. */
  async #surplus(): Promise<LogDifference | undefined> {
    const { tenantId, runId, head } = this.header;
    const page = await this.ports.eventLog.readRun({ tenantId, runId, fromSequence: head + 1, limit: 1 });
    const [event] = page.events;
    if (!event) return undefined;
    const now = await this.ports.eventLog.header(tenantId, runId);
    return now && now.head >= event.sequence ? undefined : whatDiffers('surplus', event.sequence);
  }
}
