import { ValidationError } from './errors/known-errors.js';
import { TerminalError } from './errors/palimpsest-error.js';

const LINE_FEED = 10;

/**
 * The lines of an NDJSON stream as they arrive, blank ones left out. Never holds more than one line. `exact`: a line is
 * as `JSON.stringify` writes it, so that none says one thing to us and another to who takes the first of two equal keys.
 */
export async function* ndjsonLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
  { exact = false }: { readonly exact?: boolean } = {},
): AsyncGenerator<unknown, void, undefined> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let rest = chunk;
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      size += end;
      if (size > maxLineBytes) throw new LineTooLongError(maxLineBytes);
      yield* parsedLine([...pieces, rest.subarray(0, end)], { size, exact });
      pieces = [];
      size = 0;
      rest = rest.subarray(end + 1);
    }
    pieces.push(rest);
    size += rest.length;
    if (size > maxLineBytes) throw new LineTooLongError(maxLineBytes);
  }
  yield* parsedLine(pieces, { size, exact });
}

class LineTooLongError extends TerminalError {
  constructor(maxBytes: number) {
    super('payload_too_large', 'A line is longer than is taken.', { details: { maxBytes } });
  }
}

/** The parser's own message is dropped: it quotes the text. */
function* parsedLine(
  pieces: readonly Uint8Array[],
  { size, exact }: { readonly size: number; readonly exact: boolean },
): Generator<unknown> {
  const bytes = new Uint8Array(size);
  let place = 0;
  for (const piece of pieces) {
    bytes.set(piece, place);
    place += piece.length;
  }
  const text = decoded(bytes).trim();
  if (text === '') return;
  const value = parsed(text);
  if (exact && JSON.stringify(value) !== text)
    throw new ValidationError('A line is written as none of ours is.');
  yield value;
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NoJsonLineError();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NoJsonLineError();
  }
}

class NoJsonLineError extends ValidationError {
  constructor() {
    super('A line is not JSON in UTF-8.');
  }
}
