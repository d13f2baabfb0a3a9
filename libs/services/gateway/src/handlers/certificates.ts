import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { nodeContentHash } from '@palimpsest/adapter-postgres';
import { CERTIFICATE_FORMAT, type CertificateLine, type RunHeader } from '@palimpsest/contracts';
import {
  ARTIFACT_STORE,
  artifactsNamedBy,
  artifactStates,
  certificateStatement,
  certifiedRun,
  chainAncestors,
  CLOCK,
  EVENT_LOG,
  eventPages,
  nextArtifactsDigest,
  NO_ARTIFACTS,
  type ArtifactStore,
  type Clock,
  type EventLog,
} from '@palimpsest/kernel';
import { NoHostKeyError, UnchainedRunError } from '../domain/certificate-errors.js';
import { SignedEvents } from '../domain/signed-events.js';
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
    const signed = new SignedEvents(run, ancestors);
    const named = new Set<string>();
    let head = textOf([{ line: 'run', format: CERTIFICATE_FORMAT, ...runs }]);
    const { tenantId, runId, head: to, link } = run;
    const range = { tenantId, runId, from: 0, to, withChain: true };
    for await (const page of eventPages(this.log, range)) {
      yield head + textOf(page.map((event) => signed.lineOf(event)));
      head = '';
      for (const event of page) artifactsNamedBy(event).forEach((id) => named.add(id));
    }
    const events = signed.endAt(link);
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

function textOf(lines: readonly CertificateLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
