import { mergeLongPiece, type MergedPiece } from './merge-long-piece.js';
import { countShortPiece, SHORT_PIECE_BYTES } from './merge-short-piece.js';
import { PieceCache } from './piece-cache.js';
import type { PieceEnd } from './piece-endings.js';
import { writeUtf8 } from './utf8.js';
import { hashOf, NO_RANK, type Vocabulary } from './vocabulary.js';

/** A UTF-16 unit makes at most three bytes. */
const BYTES_PER_UNIT = 3;

/** A byte-pair encoding that only counts: a text is cut into pieces, and each piece is merged on its own. */
export class Encoding {
  private readonly cache = new PieceCache();
  private readonly scratch = new Uint8Array(SHORT_PIECE_BYTES * BYTES_PER_UNIT);

  constructor(
    readonly endOfPiece: PieceEnd,
    private readonly vocabulary: Vocabulary,
  ) {}

  count(text: string): number {
    let tokens = 0;
    for (let at = 0; at < text.length;) {
      const end = this.endOfPiece(text, at);
      tokens += this.countPiece(text, at, end);
      at = end;
    }
    return tokens;
  }

  /** Tokens of text[start, end), which is one piece. */
  countPiece(text: string, start: number, end: number): number {
    if (end - start > SHORT_PIECE_BYTES) return this.countLong(Buffer.from(text.slice(start, end), 'utf8'));
    const length = writeUtf8(text, start, end, this.scratch);
    if (length === 1) return 1;
    return length > SHORT_PIECE_BYTES
      ? this.countLong(this.scratch.subarray(0, length))
      : this.countShort(length);
  }

  private countShort(length: number): number {
    const { scratch, vocabulary, cache } = this;
    const hash = hashOf(scratch, 0, length);
    if (vocabulary.rankOfHashed(hash, scratch, 0, length) !== NO_RANK) return 1;
    let count = cache.find(hash, scratch, length);
    if (count === 0) {
      count = countShortPiece(scratch, length, vocabulary);
      cache.store(hash, scratch, { length, count });
    }
    return count;
  }

  /** The tokens of text[start, end), which is one piece longer than a token can be. */
  mergePiece(text: string, start: number, end: number): MergedPiece {
    return mergeLongPiece(Buffer.from(text.slice(start, end), 'utf8'), this.vocabulary);
  }

  private countLong(piece: Uint8Array): number {
    if (this.vocabulary.rankOf(piece, 0, piece.length) !== NO_RANK) return 1;
    return mergeLongPiece(piece, this.vocabulary).tokens;
  }
}
