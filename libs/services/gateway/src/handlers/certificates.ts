import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { nodeContentHash } from '@palimpsest/adapter-postgres';
import {
  CERTIFICATE_FORMAT,
  type CertificateLine,
  type RecordedEvent,
  type RunHeader,
} from '@palimpsest/contracts';
import {
  ARTIFACT_STORE,
  artifactsNamedBy,
  artifactStates,
  certificateStatement,
  certifiedEvent,
  certifiedRun,
  chainAncestors,
  ChainWalk,
  CLOCK,
  EVENT_LOG,
  nextArtifactsDigest,
  NO_ARTIFACTS,
  type ArtifactStore,
  type BrokenLink,
  type Clock,
  type EventLog,
  type EventPage,
} from '@palimpsest/kernel';
import { BrokenChainError, NoHostKeyError, UnchainedRunError } from '../domain/certificate-errors.js';
import { HOST_KEY, type HostKey } from '../ports.js';

/** A run as of the request, and the key that signs for it. */
type Asked = { readonly run: RunHeader & { readonly link: string }; readonly key: HostKey };

/** Writes certificates line by line: of a run no more than a page is held, and the ids of its artifacts. */
@Injectable()
export class Certificates {
  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(ARTIFACT_STORE) private readonly artifacts: Pick<ArtifactStore, 'get'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(HOST_KEY) private readonly hostKey: HostKey | null,
  ) {}

  /** @throws NoHostKeyError, UnchainedRunError before anything is read */
  asked(run: RunHeader): Asked {
    const { link } = run;
    if (!this.hostKey) throw new NoHostKeyError();
    if (link === undefined) throw new UnchainedRunError(run.runId);
    return { run: { ...run, link }, key: this.hostKey };
  }

  /**
   * The certificate of a run up to its head as of the request. Its first page is made before this resolves, so that a
   * log that cannot be read is still answered with an error; an error after that ends the stream without its end.
   */
  async open(asked: Asked): Promise<Readable> {
    const parts = this.#parts(asked);
    const first = await parts.next();
    return Readable.from(rest(first, parts), { objectMode: false });
  }

  async *#parts({ run, key }: Asked): AsyncGenerator<string, void> {
    const ancestors = (await chainAncestors(this.log, run)).map(certifiedRun);
    const runs = { run: certifiedRun(run), ancestors };
    const walk = new ChainWalk(nodeContentHash, [...ancestors, run]);
    const named = new Set<string>();
    let head = textOf([{ line: 'run', format: CERTIFICATE_FORMAT, ...runs }]);
    for await (const page of this.#pages(run)) {
      yield head + textOf(page.map((event) => lineOf(run, walk, event)));
      head = '';
      for (const event of page) artifactsNamedBy(event).forEach((id) => named.add(id));
    }
    const { events, link } = this.#headOf(run, walk);
    if (head !== '') yield head;
    let artifactsDigest = NO_ARTIFACTS;
    for await (const artifact of this.#statesOf(run, named)) {
      artifactsDigest = nextArtifactsDigest(nodeContentHash, artifactsDigest, artifact);
      yield textOf([{ line: 'artifact', artifact }]);
    }
    const end = { issuedAt: this.clock.now().toISOString(), events, artifacts: named.size, link };
    const value = key.sign(certificateStatement({ ...runs, ...end, artifactsDigest }));
    const signature = { algorithm: 'Ed25519', keyId: key.keyId, value } as const;
    yield textOf([{ line: 'end', ...end, signature }]);
  }

  async *#pages({ tenantId, runId, head }: RunHeader): AsyncGenerator<readonly RecordedEvent[], void> {
    for (let from: number | undefined = 0; from !== undefined && from <= head;) {
      const page: EventPage = await this.log.readRun({
        tenantId,
        runId,
        fromSequence: from,
        withChain: true,
      });
      yield page.events.filter(({ sequence }) => sequence <= head);
      from = page.next;
    }
  }

  #headOf(
    { runId, link }: Asked['run'],
    walk: ChainWalk,
  ): { readonly events: number; readonly link: string } {
    const broken = walk.endsAt(link);
    if (broken) throw new BrokenChainError(runId, broken);
    return { events: walk.next, link };
  }

  #statesOf({ tenantId }: RunHeader, artifactIds: Iterable<string>): ReturnType<typeof artifactStates> {
    return artifactStates({ artifacts: this.artifacts, hash: nodeContentHash }, { tenantId, artifactIds });
  }
}

async function* rest(
  first: IteratorResult<string, void>,
  parts: AsyncGenerator<string, void>,
): AsyncGenerator<string, void> {
  if (first.done) return;
  yield first.value;
  yield* parts;
}

/** A host signs nothing that it has not looked at. */
function lineOf({ runId }: RunHeader, walk: ChainWalk, event: RecordedEvent): CertificateLine {
  const broken: BrokenLink | undefined = walk.takes(event);
  if (broken) throw new BrokenChainError(runId, broken);
  if (!event.chain) throw new UnchainedRunError(runId);
  return certifiedEvent(event, event.chain);
}

function textOf(lines: readonly CertificateLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
