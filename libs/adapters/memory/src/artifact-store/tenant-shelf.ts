import type { ArtifactType } from '@palimpsest/contracts';
import { ValidationError, type RunErasure, type SealedArtifact } from '@palimpsest/kernel';

type Shelved = {
  readonly type: ArtifactType;
  readonly createdAt: Date;
  /** Absent once erased. */
  content?: { readonly bytes: Uint8Array; readonly sha256: Uint8Array };
};

/** What one tenant has stored. Every change is one synchronous step, as a transaction would be. */
export class TenantShelf {
  readonly artifacts = new Map<string, Shelved>();
  private readonly linked = new Map<string, Set<string>>();
  private readonly sourcesOfRun = new Map<string, Set<string>>();
  private readonly forksOfRun = new Map<string, Set<string>>();
  /** Of each run, the artifacts and the sources that it gave up. */
  private readonly givenUp = new Map<string, Set<string>>();
  private readonly derivedFrom = new Map<string, Set<string>>();

  put(runId: string, sealed: readonly SealedArtifact[], at: Date): void {
    this.checkSources(sealed);
    for (const { artifactId, type, bytes, sha256, derivedFrom } of sealed) {
      if (!this.artifacts.has(artifactId))
        this.artifacts.set(artifactId, { type, createdAt: at, content: { bytes, sha256 } });
      add(this.linked, runId, artifactId);
      this.givenUp.get(runId)?.delete(artifactId);
      for (const source of derivedFrom) add(this.derivedFrom, source, artifactId);
    }
    const sources = sealed.flatMap((artifact) => artifact.derivedFrom);
    for (const source of sources) if (!this.artifacts.get(source)?.content) this.erase(source);
  }

  linkFork(forkRunId: string, sourceRunId: string): void {
    add(this.sourcesOfRun, forkRunId, sourceRunId);
    add(this.forksOfRun, sourceRunId, forkRunId);
  }

  refersTo(runId: string, artifactId: string): boolean {
    const ancestry = closureOf(runId, this.sourcesOfRun);
    return ancestry.some((run) => this.linked.get(run)?.has(artifactId));
  }

  erase(artifactId: string): readonly string[] {
    if (!this.artifacts.has(artifactId)) return [];
    const erased = closureOf(artifactId, this.derivedFrom);
    for (const id of erased) delete this.artifacts.get(id)?.content;
    return erased;
  }

  eraseRun(runId: string): RunErasure {
    for (const held of [...this.heldBy(runId, this.linked), ...this.heldBy(runId, this.sourcesOfRun)])
      add(this.givenUp, runId, held);
    const ancestry = closureOf(runId, this.sourcesOfRun);
    const released = new Set(
      ancestry.flatMap((run) => this.heldBy(run, this.linked).filter(this.isGivenUpBy(run))),
    );
    const there = [...released].filter((artifactId) => this.artifacts.get(artifactId)?.content);
    for (const artifactId of released) if (!this.isUsed(artifactId)) this.erase(artifactId);
    const kept = there.filter((artifactId) => this.artifacts.get(artifactId)?.content).length;
    return { erased: there.length - kept, kept };
  }

  erasedOf(runId: string): readonly string[] {
    const ancestry = closureOf(runId, this.sourcesOfRun);
    const named = new Set(ancestry.flatMap((run) => this.heldBy(run, this.linked)));
    return [...named].filter((artifactId) => !this.artifacts.get(artifactId)?.content).sort();
  }

  /** By a run that stored it, or by a fork that reads it through its source. */
  private isUsed(artifactId: string): boolean {
    const holders = [...this.linked].filter(([, held]) => held.has(artifactId)).map(([run]) => run);
    return holders.some(
      (holder) =>
        !this.isGivenUpBy(holder)(artifactId) ||
        closureOf(holder, this.forksOfRun)
          .slice(1)
          .some((fork) => this.readsItsSource(fork)),
    );
  }

  private readsItsSource(fork: string): boolean {
    return !this.heldBy(fork, this.sourcesOfRun).every(this.isGivenUpBy(fork));
  }

  private heldBy(runId: string, held: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
    return [...(held.get(runId) ?? [])];
  }

  private isGivenUpBy(runId: string): (held: string) => boolean {
    return (held) => this.givenUp.get(runId)?.has(held) ?? false;
  }

  private checkSources(sealed: readonly SealedArtifact[]): void {
    const known = new Set(sealed.map((artifact) => artifact.artifactId));
    for (const source of sealed.flatMap((artifact) => artifact.derivedFrom))
      if (!known.has(source) && !this.artifacts.has(source))
        throw new ValidationError('An artifact derives from one that is not stored.', { artifactId: source });
  }
}

function add(sets: Map<string, Set<string>>, key: string, member: string): void {
  const set = sets.get(key);
  if (set) set.add(member);
  else sets.set(key, new Set([member]));
}

/** The start, then all that is reached from it; a set that is walked while it grows visits each once. */
function closureOf(start: string, next: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const reached = new Set([start]);
  for (const node of reached) for (const neighbour of next.get(node) ?? []) reached.add(neighbour);
  return [...reached];
}
