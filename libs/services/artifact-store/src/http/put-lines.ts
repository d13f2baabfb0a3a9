import type { Readable } from 'node:stream';
import { ARTIFACT_TRANSFER, type ArtifactPutLine } from '@palimpsest/contracts';
import { ndjsonLines, TerminalError, ValidationError, type NewArtifact } from '@palimpsest/kernel';

/**
 * Reads a put's body. A refused body is still read to its end, unkept: closing the connection under a client
 * that writes would take the answer from it.
 */
export async function readPutLines(body: Readable): Promise<readonly NewArtifact[]> {
  try {
    const artifacts: NewArtifact[] = [];
    for await (const line of ndjsonLines(limited(body), ARTIFACT_TRANSFER.maxLineBytes)) {
      artifacts.push(artifactOf(line));
      if (artifacts.length > ARTIFACT_TRANSFER.maxBatch)
        throw tooLarge('A put holds too many artifacts.', { maxArtifacts: ARTIFACT_TRANSFER.maxBatch });
    }
    return artifacts;
  } catch (error) {
    body.resume();
    throw error;
  }
}

async function* limited(body: Readable): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > ARTIFACT_TRANSFER.maxBodyBytes)
      throw tooLarge('The body of a put is too large.', { maxBytes: ARTIFACT_TRANSFER.maxBodyBytes });
    yield chunk;
  }
}

/** The shape only: the store checks type, content and sources for every caller alike. */
function artifactOf(line: unknown): NewArtifact {
  if (typeof line !== 'object' || line === null || Array.isArray(line))
    throw new ValidationError('A line of a put must be an object.');
  const { type, content, origin = '', derivedFrom = [], ...others } = line as ArtifactPutLine;
  if (Object.keys(others).length > 0 || content === undefined || !Array.isArray(derivedFrom))
    throw new ValidationError('A line of a put has type, origin, content and derivedFrom, and nothing else.');
  return { type, origin, content, derivedFrom } as NewArtifact;
}

function tooLarge(message: string, details: Readonly<Record<string, number>>): TerminalError {
  return new TerminalError('payload_too_large', message, { details });
}
