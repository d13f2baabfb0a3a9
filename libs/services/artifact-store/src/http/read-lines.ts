import { Readable } from 'node:stream';
import type { ArtifactReadLine } from '@palimpsest/contracts';
import { toWireError, type ArtifactReading, type ArtifactStore, type WireError } from '@palimpsest/kernel';

type Line = ArtifactReadLine<ArtifactReading, WireError>;

/** Artifacts in memory at once, for one reader. */
const READ_BATCH = 32;

type ReadRequest = {
  readonly store: ArtifactStore;
  readonly tenantId: string;
  readonly artifactIds: readonly string[];
  /** Told of an error that comes after the first lines. */
  readonly onFailure: (error: unknown) => void;
};

/** The readings as they are read; waits for the first of them, so that a refusal still has its status. */
export async function streamReadings(request: ReadRequest): Promise<Readable> {
  const lines = readingLines(request);
  const first = await lines.next();
  return Readable.from(first.done ? [] : restOf(first.value, lines, request.onFailure), {
    objectMode: false,
  });
}

export function formatLine(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}

async function* readingLines({ store, tenantId, artifactIds }: ReadRequest): AsyncGenerator<string> {
  let count = 0;
  for (let start = 0; start < artifactIds.length; start += READ_BATCH) {
    const found = await store.get(tenantId, artifactIds.slice(start, start + READ_BATCH));
    count += found.size;
    for (const reading of found.values()) yield formatLine({ reading });
  }
  yield formatLine({ end: { count } });
}

/** The status is sent by now: a failure is the last line. */
async function* restOf(
  first: string,
  lines: AsyncGenerator<string>,
  onFailure: ReadRequest['onFailure'],
): AsyncGenerator<string> {
  yield first;
  try {
    yield* lines;
  } catch (error) {
    onFailure(error);
    yield formatLine({ error: toWireError(error) });
  }
}
