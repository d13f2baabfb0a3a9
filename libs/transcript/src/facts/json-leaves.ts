/** One leaf (or telling key) of structured text. Offsets are into the scanned text, quotes excluded. */
export type JsonLeaf = {
  readonly path: readonly string[];
  /** The identifier of the nearest record the leaf belongs to, where one is known. */
  readonly subject?: string;
  readonly start: number;
  readonly end: number;
  readonly form: 'string' | 'bare' | 'key';
};

export type LeafVisitor = {
  leaf(leaf: JsonLeaf): void;
  /** True for a text that names a record, such as an order number. */
  names(text: string): boolean;
};

type Frame = { readonly list: boolean; key: string | undefined; subject: string | undefined };

const DEEPEST = 64;
const LONGEST_KEY = 200;

const BLANK = /[\s\0]*/y;
const BARE = /[-+\w.]{1,400}/y;

/** True where structured text may begin: an opening bracket followed by what only data has. */
export function opensJson(text: string, at: number): boolean {
  const opening = text[at];
  if (opening !== '{' && opening !== '[') return false;
  const next = text[skipBlank(text, at + 1)] ?? '';
  if (opening === '{') return next === '"' || next === "'";
  if (/[\p{L}\p{N}_)\]]/u.test(text[at - 1] ?? '')) return false;
  return next === '"' || next === "'" || next === '{' || next === '[' || /[\d-]/.test(next);
}

function skipBlank(text: string, at: number): number {
  BLANK.lastIndex = at;
  BLANK.test(text);
  return BLANK.lastIndex;
}

/** Index of the closing quotation mark, or −1. */
function closingQuote(text: string, open: number, limit: number): number {
  const quote = text[open];
  for (let index = open + 1; index < limit; index += 1) {
    const character = text[index];
    if (character === '\\') index += 1;
    else if (character === quote) return index;
  }
  return -1;
}

/**
 * Reads JSON, and what is near it (single quotes, cut-off ends, several values in a row), from `at`; calls back
 * for every leaf and returns where it stopped. Each character is read once, whatever the text; nothing is
 * parsed, so a value is what stands in the text.
 */
export function scanJson(text: string, at: number, visitor: LeafVisitor): number {
  return new JsonScan(text, visitor).from(at);
}

class JsonScan {
  private readonly frames: Frame[] = [];
  private position = 0;

  constructor(
    private readonly text: string,
    private readonly visitor: LeafVisitor,
  ) {}

  from(at: number): number {
    this.position = at;
    while (this.step()) if (this.frames.length === 0) break;
    return this.position;
  }

  private step(): boolean {
    this.position = skipBlank(this.text, this.position);
    const character = this.text[this.position];
    if (character === undefined) return false;
    if (character === '{' || character === '[') return this.open(character === '[');
    if (character === '}' || character === ']') return this.close();
    if (character === ',') return this.advance(1);
    const frame = this.frames.at(-1);
    if (frame && !frame.list && frame.key === undefined) return this.readKey(frame, character);
    return character === '"' || character === "'" ? this.readString() : this.readBare();
  }

  private advance(by: number): boolean {
    this.position += by;
    return true;
  }

  private open(list: boolean): boolean {
    if (this.frames.length >= DEEPEST) return false;
    const parent = this.frames.at(-1);
    const key = parent && !parent.list ? parent.key : undefined;
    const named = key !== undefined && this.visitor.names(key) ? key : parent?.subject;
    this.frames.push({ list, key: undefined, subject: named });
    return this.advance(1);
  }

  private close(): boolean {
    this.frames.pop();
    this.valueDone();
    return this.advance(1);
  }

  private valueDone(): void {
    const frame = this.frames.at(-1);
    if (frame && !frame.list) frame.key = undefined;
  }

  private readKey(frame: Frame, quote: string): boolean {
    if (quote !== '"' && quote !== "'") return false;
    const open = this.position;
    const close = closingQuote(this.text, open, Math.min(this.text.length, open + LONGEST_KEY));
    if (close < 0) return false;
    const colon = skipBlank(this.text, close + 1);
    if (this.text[colon] !== ':') return false;
    const key = this.text.slice(open + 1, close);
    if (this.visitor.names(key)) this.emit(open + 1, close, 'key');
    frame.key = key;
    this.position = colon + 1;
    return true;
  }

  private readString(): boolean {
    const open = this.position;
    const close = closingQuote(this.text, open, this.text.length);
    if (close < 0) return false;
    this.value(open + 1, close, 'string');
    this.position = close + 1;
    return true;
  }

  private readBare(): boolean {
    BARE.lastIndex = this.position;
    if (!BARE.test(this.text)) return false;
    const end = BARE.lastIndex;
    if (!/^(?:[-+]?\d|true|false|null|None|True|False|NaN)/.test(this.text.slice(this.position, end)))
      return false;
    this.value(this.position, end, 'bare');
    this.position = end;
    return true;
  }

  private value(start: number, end: number, form: 'string' | 'bare'): void {
    const frame = this.frames.at(-1);
    const text = end - start <= 64 ? this.text.slice(start, end) : '';
    // the first value of a record that names it is what its other values belong to
    if (frame && !frame.list && form === 'string' && this.visitor.names(text)) frame.subject ??= text;
    this.emit(start, end, form);
    this.valueDone();
  }

  private emit(start: number, end: number, form: JsonLeaf['form']): void {
    const path: string[] = [];
    for (const frame of this.frames) if (frame.key !== undefined) path.push(frame.key);
    const subject = this.frames.at(-1)?.subject;
    this.visitor.leaf({ path: path.slice(-3), ...(subject !== undefined && { subject }), start, end, form });
  }
}
