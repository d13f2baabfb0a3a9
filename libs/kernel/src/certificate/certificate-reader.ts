import {
  certificateLineSchema,
  type CertificateEndLine,
  type CertificateEventLine,
  type CertificateRunLine,
  type CertifiedArtifact,
} from '@palimpsest/contracts';
import { toHex, type ChainHash } from '../event-log/chain.js';
import { isCausedEarlier } from '../event-log/causes.js';
import { ChainWalk, type BrokenLink, type ChainRun } from '../event-log/verify-chain.js';
import { eventOfLine } from './certificate-lines.js';
import { certificateStatement, nextArtifactsDigest, NO_ARTIFACTS } from './certificate-statement.js';
import { artifactsNamedBy } from './named-artifacts.js';

/** What is trusted, and what is at hand. */
export type CertificateCheck = {
  readonly hash: ChainHash;
  /** Undefined: no key of this id is trusted. Absent: nobody's is, and the signature is not looked at. */
  readonly isSigned?:
    ((keyId: string, said: Uint8Array, signature: string) => boolean | undefined) | undefined;
  /** Canonical JSON of an artifact's content, where it is at hand. Others are not looked at: their hashes are signed. */
  readonly artifactBytes?: ((artifactId: string) => Promise<Uint8Array | undefined>) | undefined;
};

export type CertificateDifference = {
  readonly what:
    | 'form'
    | 'order'
    | 'cut off'
    | BrokenLink['what']
    | 'cause'
    | 'artifact list'
    | 'artifact'
    | 'counts'
    | 'key'
    | 'signature';
  /** The event that it is about. */
  readonly sequence?: number;
  readonly artifactId?: string;
  /** Where in a line its form is wrong. */
  readonly path?: string;
};

type Step = CertificateDifference | undefined;

/**
 * Takes a certificate line by line and says at the first one that is not as it was issued. Holds one link and the ids of
 * the artifacts that were named.
 */
export class CertificateReader {
  readonly compared = { artifacts: 0 };
  readonly absent = { erased: 0, missing: 0, damaged: 0 };
  run: CertificateRunLine | undefined;
  end: CertificateEndLine | undefined;
  #walk: ChainWalk | undefined;
  #runIds: ReadonlySet<string> = new Set();
  readonly #named = new Set<string>();
  #unlisted: Iterator<string> | undefined;
  #artifacts = 0;
  #digest = NO_ARTIFACTS;

  constructor(private readonly check: CertificateCheck) {}

  get events(): number {
    return this.#walk?.next ?? 0;
  }

  get artifacts(): number {
    return this.#artifacts;
  }

  async takes(line: unknown): Promise<Step> {
    const parsed = certificateLineSchema.safeParse(line);
    if (!parsed.success) return { what: 'form', path: parsed.error.issues[0]?.path.join('.') ?? '' };
    const { data } = parsed;
    if (this.end || (data.line === 'run') === (this.run !== undefined)) return { what: 'order' };
    switch (data.line) {
      case 'run':
        return this.#begin(data);
      case 'event':
        return this.#event(data);
      case 'artifact':
        return this.#artifact(data.artifact);
      case 'end':
        return this.#finish(data);
    }
  }

  /** After the last line. */
  ends(): Step {
    return this.end ? undefined : { what: 'cut off' };
  }

  #begin(line: CertificateRunLine): Step {
    this.run = line;
    const runs = [...line.ancestors, line.run] as readonly ChainRun[];
    this.#runIds = new Set(runs.map(({ runId }) => runId));
    this.#walk = new ChainWalk(this.check.hash, runs);
    return undefined;
  }

  #event(line: CertificateEventLine): Step {
    if (this.#unlisted) return { what: 'order' };
    const event = eventOfLine(line);
    const broken = this.#walk?.takes(event);
    if (broken) return broken;
    const { sequence } = event;
    if (!isCausedEarlier(this.#runIds, { sequence, ...event.chain })) return { what: 'cause', sequence };
    for (const id of artifactsNamedBy(event)) this.#named.add(id);
    return undefined;
  }

  async #artifact(artifact: CertifiedArtifact): Promise<Step> {
    const { artifactId } = artifact;
    if (this.#nextUnlisted() !== artifactId) return { what: 'artifact list', artifactId };
    this.#artifacts += 1;
    this.#digest = nextArtifactsDigest(this.check.hash, this.#digest, artifact);
    if ('absent' in artifact) {
      this.absent[artifact.absent] += 1;
      return undefined;
    }
    const bytes = await this.check.artifactBytes?.(artifactId);
    if (!bytes) return undefined;
    this.compared.artifacts += 1;
    const isSame = toHex(this.check.hash.sha256(bytes)) === artifact.sha256;
    return isSame ? undefined : { what: 'artifact', artifactId };
  }

  #finish(line: CertificateEndLine): Step {
    this.end = line;
    const artifactId = this.#nextUnlisted();
    if (artifactId !== undefined) return { what: 'artifact list', artifactId };
    return this.#walk?.endsAt(line.link) ?? this.#miscounted(line) ?? this.#unsigned(line);
  }

  #miscounted({ events, artifacts }: CertificateEndLine): Step {
    return events === this.events && artifacts === this.#artifacts ? undefined : { what: 'counts' };
  }

  #unsigned({ signature, ...end }: CertificateEndLine): Step {
    const { isSigned } = this.check;
    if (!isSigned || !this.run) return undefined;
    const { run, ancestors } = this.run;
    const said = certificateStatement({ run, ancestors, ...end, artifactsDigest: this.#digest });
    const signed = isSigned(signature.keyId, said, signature.value);
    if (signed === undefined) return { what: 'key' };
    return signed ? undefined : { what: 'signature' };
  }

  /** The next of the named artifacts, in the order in which events first name them. */
  #nextUnlisted(): string | undefined {
    this.#unlisted ??= this.#named.values();
    const next = this.#unlisted.next();
    return next.done ? undefined : next.value;
  }
}
