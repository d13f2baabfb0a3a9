import { ValidationError } from './errors/known-errors.js';
import { TerminalError } from './errors/palimpsest-error.js';

const LINE_FEED = 10;

/** The lines of an NDJSON stream as they arrive, blank ones left out. Never holds more than one line. */
export async function* ndjsonLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<unknown, void, undefined> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let rest = chunk;
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      size += end;
      if (size > maxLineBytes) throw new LineTooLongError(maxLineBytes);
      yield* parsedLine([...pieces, rest.subarray(0, end)], size);
      pieces = [];
      size = 0;
      rest = rest.subarray(end + 1);
    }
    pieces.push(rest);
    size += rest.length;
    if (size > maxLineBytes) throw new LineTooLongError(maxLineBytes);
  }
  yield* parsedLine(pieces, size);
}

class LineTooLongError extends TerminalError {
  constructor(maxBytes: number) {
    super('payload_too_large', 'A line is longer than is taken.', { details: { maxBytes } });
  }
}

/** The parser's own message is dropped: it quotes the text. */
function* parsedLine(pieces: readonly Uint8Array[], size: number): Generator<unknown> {
  const bytes = new Uint8Array(size);
  let place = 0;
  for (const piece of pieces) {
    bytes.set(piece, place);
    place += piece.length;
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.trim() === '') return;
    yield JSON.parse(text);
  } catch {
    throw new ValidationError('A line is not JSON in UTF-8.');
  }
}
