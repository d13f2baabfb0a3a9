import { Readable } from 'node:stream';
import { ARTIFACT_TRANSFER, type ArtifactReadLine } from '@palimpsest/contracts';
import {
  fromWireError,
  ndjsonLines,
  ServiceUnavailableError,
  type ArtifactReading,
  type EncodedArtifact,
  type WireError,
} from '@palimpsest/kernel';

type Line = ArtifactReadLine<ArtifactReading, WireError>;

/** A put holds at most this much content: a good part of what the store takes in one body. */
const PUT_BYTES = 32 * 1024 * 1024;

/** Puts that the store takes, in order; each is whole or not at all. */
export function putBatches(artifacts: readonly EncodedArtifact[]): readonly (readonly EncodedArtifact[])[] {
  const batches: EncodedArtifact[][] = [];
  let room = 0;
  for (const artifact of artifacts) {
    const last = batches.at(-1);
    if (!last || last.length === ARTIFACT_TRANSFER.maxBatch || artifact.bytes.length > room) {
      batches.push([artifact]);
      room = PUT_BYTES - artifact.bytes.length;
    } else {
      last.push(artifact);
      room -= artifact.bytes.length;
    }
  }
  return batches;
}

/** The content is JSON already: it goes out as it is. */
export function putBody(artifacts: readonly EncodedArtifact[]): Readable {
  return Readable.from(putChunks(artifacts), { objectMode: false });
}

function* putChunks(artifacts: readonly EncodedArtifact[]): Generator<Uint8Array> {
  for (const { type, origin, derivedFrom, bytes } of artifacts) {
    const head = `{"type":${JSON.stringify(type)},"origin":${JSON.stringify(origin)},"derivedFrom":${JSON.stringify(derivedFrom)},"content":`;
    yield Buffer.concat([Buffer.from(head), bytes, Buffer.from('}\n')]);
  }
}

/** The readings of an answer; one that was cut off is no answer. */
export async function readingsOf(body: Readable): Promise<readonly ArtifactReading[]> {
  const readings: ArtifactReading[] = [];
  for await (const line of ndjsonLines(body, ARTIFACT_TRANSFER.maxLineBytes)) {
    const known = line as Line;
    if ('error' in known) throw fromWireError(known.error);
    if ('end' in known) return readings;
    readings.push(known.reading);
  }
  throw new ServiceUnavailableError('The artifact store');
}
