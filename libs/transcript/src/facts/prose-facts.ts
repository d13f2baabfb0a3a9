import { classifyValue } from './classify-value.js';
import type { FactCollector } from './fact-collector.js';
import type { ValueKind } from './fact-kinds.js';
import { isFunctionWord, isMonth, sameWords, wordsOf, type Word } from './words.js';

/** Lines longer than this are read in pieces, so that no step sees more at once. */
const LONGEST_PIECE = 4096;
const LONGEST_FIELD = 80;
const ERROR_LINE = 160;

const FIELD =
  /^[\s*•>#-]{0,16}(?:\d{1,3}[.)]\s{1,4})?[*_`]{0,3}([\p{L}][\p{L}\p{N} _/()'’.-]{0,40}?)[*_`]{0,3}\s{0,4}(?:[:=]|：|->|→)[*_`]{0,3}\s{1,8}(\S.{0,200})$/u;
const LIST_MARK = /^[\s*•>#-]{0,16}(?:\d{1,3}[.)]\s)?/;
const ERROR =
  /\b(?:error|exception|fail(?:ed|ure|s)?|traceback|fatal|panic|denied|refused|not found|no such|cannot|unable to|invalid|timed? ?out|exit (?:code|status) [1-9])\b/i;
/** `TypeError:`, `ENOENT`. */
const ERROR_NAME = /[a-z]Error\b|\bE[A-Z]{4,}\b/;
const COMMAND_LINE = /^\s{0,8}(?:\$|>|#|❯)\s+(\S.{1,160})$/;
const CODE_SPAN = /`([^`\n]{2,120})`/g;

export type ProsePlace = {
  /** Says what a value is where the line says nothing. */
  readonly label: string;
  /** True for what a tool returned: its errors and commands are kept. */
  readonly output: boolean;
  /** True for what a person says: its words may take up values that stand elsewhere. */
  readonly said: boolean;
};

/** Reads every value of a passage of text into `facts`. Linear in its length, whatever the text. */
export function readProse(text: string, place: ProsePlace, facts: FactCollector): void {
  let from = 0;
  let heading = '';
  while (from < text.length) {
    const feed = text.indexOf('\n', from);
    const to = feed < 0 ? text.length : feed;
    for (let start = from; start < to;) {
      const end = pieceEnd(text, start, to);
      heading = readLine(text.slice(start, end), { ...place, label: heading || place.label }, facts);
      start = end;
    }
    from = to + 1;
  }
}

function pieceEnd(text: string, start: number, to: number): number {
  if (to - start <= LONGEST_PIECE) return to;
  const blank = text.lastIndexOf(' ', start + LONGEST_PIECE);
  if (blank > start) return blank;
  const end = start + LONGEST_PIECE;
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? end - 1 : end;
}

/** Returns the label that the lines below it stand under, if the line is a heading. */
function readLine(line: string, place: ProsePlace, facts: FactCollector): string {
  const bare = line.trim();
  if (bare === '') return '';
  const field = line.length <= 300 ? FIELD.exec(line) : null;
  const [, label, value] = field ?? [];
  if (label && value) readField(label, value, facts);
  if (place.output) readOutput(line, facts);
  for (const [, code] of line.matchAll(CODE_SPAN))
    if (code?.includes(' ')) facts.add('command', 'code', code);
  readWords(line, { ...place, label: label ?? place.label }, facts);
  return isHeading(bare) ? bare.replace(/^[\s*•>#\d.)-]+|[*_:：\s]+$/g, '') : '';
}

function isHeading(line: string): boolean {
  return line.length <= 40 && /[:：][*_]{0,3}$/.test(line);
}

function readField(label: string, rest: string, facts: FactCollector): void {
  const value = rest.replace(/[*_`\s.,;]+$/, '').replace(/^[*_`\s]+/, '');
  if (value === '' || value.length > LONGEST_FIELD || /[\0]/.test(value)) return;
  if (!/\s/.test(value)) {
    const kind = classifyValue(value);
    if (kind) return; // the word scan finds it, with this label
    facts.add('word', label, value);
    return;
  }
  if (value.split(/\s+/).length <= 6 && /^[\p{L}\p{N}]/u.test(value)) facts.add('phrase', label, value);
}

function readOutput(line: string, facts: FactCollector): void {
  const command = COMMAND_LINE.exec(line);
  if (command?.[1]) facts.add('command', 'command', command[1].trimEnd());
  if (line.length > 2000 || !(ERROR.test(line) || ERROR_NAME.test(line))) return;
  const text = line.trim();
  const end = text.length <= ERROR_LINE ? text.length : Math.max(text.lastIndexOf(' ', ERROR_LINE), 40);
  const value = text.slice(0, end);
  if (!value.includes('\0') && value.isWellFormed()) facts.add('error', 'error', value);
}

function readWords(line: string, place: ProsePlace, facts: FactCollector): void {
  const words = wordsOf(line);
  if (place.said) mentionWords(words, facts);
  const listMark = LIST_MARK.exec(line)?.[0].length ?? 0;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (!word || (word.start < listMark && /^\d+$/.test(word.text))) continue;
    const found = dateAt(words, index) ?? nameAt(line, words, index) ?? valueAt(line, words, index);
    if (!found) continue;
    facts.add(found.kind, labelBefore(line, words, index) || place.label, line.slice(word.start, found.end));
    index = found.last;
  }
}

function mentionWords(words: readonly Word[], facts: FactCollector): void {
  let previous = '';
  for (const { text } of words) {
    const word = sameWords(text);
    if (!isFunctionWord(word)) facts.mention(word);
    if (previous !== '') facts.mention(`${previous} ${word}`);
    previous = word;
  }
}

type Found = { readonly kind: ValueKind; readonly end: number; readonly last: number };

/** "May 20th, 2024", "20 May". */
function dateAt(words: readonly Word[], index: number): Found | undefined {
  const [first, second, third] = [words[index], words[index + 1], words[index + 2]];
  if (!first || !isNear(first, second)) return undefined;
  const monthFirst = isMonthName(first.text) && /^\d{1,4}(?:st|nd|rd|th)?$/i.test(second.text);
  const dayFirst = /^\d{1,2}(?:st|nd|rd|th)?$/i.test(first.text) && isMonthName(second.text);
  if (!monthFirst && !dayFirst) return undefined;
  const year = isNear(second, third) && /^(?:19|20)\d\d$/.test(third.text);
  return { kind: 'date', end: year ? third.end : second.end, last: index + (year ? 2 : 1) };
}

function isNear(left: Word, right: Word | undefined): right is Word {
  return right !== undefined && right.start - left.end <= 2;
}

function isMonthName(word: string): boolean {
  return /^\p{Lu}/u.test(word) && isMonth(word);
}

/** Capitalised words in a row; one alone only inside a sentence. */
function nameAt(line: string, words: readonly Word[], index: number): Found | undefined {
  const first = words[index];
  if (!isNameWord(first) || isFunctionWord(first.text)) return undefined;
  let last = index;
  while (last - index < 3 && isNameWord(words[last + 1]) && adjacent(line, words, last + 1)) last += 1;
  const { end } = words[last] ?? first;
  // what a colon follows is a label, not a value
  if (/^[*_]{0,3}[:：]/.test(line.slice(end, end + 4))) return undefined;
  const alone = last === index && (first.text.length < 2 || isSentenceStart(line, first.start));
  return alone ? undefined : { kind: 'name', end, last };
}

function isNameWord(word: Word | undefined): word is Word {
  return (
    word !== undefined &&
    /^\p{Lu}[\p{Ll}\p{M}'’-]+(?:\p{Lu}\p{Ll}+)?$/u.test(word.text) &&
    classifyValue(word.text) === undefined
  );
}

function adjacent(line: string, words: readonly Word[], index: number): boolean {
  const [left, right] = [words[index - 1], words[index]];
  return left !== undefined && right !== undefined && line.slice(left.end, right.start) === ' ';
}

function isSentenceStart(line: string, at: number): boolean {
  return /(?:^|[.!?:…]|^[\s*•>#\d.)-]+)["'“‘(*\s]*$/u.test(line.slice(Math.max(0, at - 12), at));
}

function valueAt(line: string, words: readonly Word[], index: number): Found | undefined {
  const word = words[index];
  const kind = word && classifyValue(word.text);
  if (!word || !kind) return undefined;
  if (kind === 'code' && isShouted(words, index)) return undefined;
  if (kind !== 'number' && kind !== 'amount') return { kind, end: word.end, last: index };
  // a number's noun tells what it counts: "2 bags", "30 kg"
  const unit = unitAfter(line, words, index);
  if (unit) return { kind: 'amount', end: unit.end, last: index + 1 };
  return kind === 'number' && isBareCount(line, word) ? undefined : { kind, end: word.end, last: index };
}

/** `option 2`, `1)`: a small bare number counts or lists, and says nothing alone. */
function isBareCount(line: string, word: Word): boolean {
  return word.text.length < 3 && !/[:=]\s*$/.test(line.slice(0, word.start));
}

/** Capitals among capitals are loud, not a code. */
function isShouted(words: readonly Word[], index: number): boolean {
  return [words[index - 1], words[index + 1]].some(
    (word) => word !== undefined && /^[A-Z]{2,}$/.test(word.text),
  );
}

function unitAfter(line: string, words: readonly Word[], index: number): Word | undefined {
  const [word, next] = [words[index], words[index + 1]];
  if (!word || !next || line.slice(word.end, next.start) !== ' ') return undefined;
  return /^[\p{Ll}µ°%][\p{L}-]{0,15}$/u.test(next.text) && !isFunctionWord(next.text) ? next : undefined;
}

/** The nearest words before a value that say what it is: at most two, of the same clause. */
function labelBefore(line: string, words: readonly Word[], index: number): string {
  const label: string[] = [];
  let right = words[index]?.start ?? 0;
  for (const word of words.slice(Math.max(0, index - 6), index).reverse()) {
    const gap = line.slice(word.end, right);
    if (label.length === 2 || /[,;.!?。，；|]/.test(gap) || (label.length > 0 && /[()[\]{}]/.test(gap)))
      break;
    right = word.start;
    const filler = isFunctionWord(word.text);
    if (filler ? label.length > 0 : !canLabel(line, word, label.length === 0)) break;
    if (!filler) label.unshift(word.text);
  }
  return label.join(' ');
}

/** An ordinary word; a value or a name is no label of the value right after it. */
function canLabel(line: string, word: Word, next: boolean): boolean {
  const { text } = word;
  if (text.length > 24 || !/\p{L}/u.test(text) || /[/\\@]/.test(text)) return false;
  if (next && isNameWord(word) && !isSentenceStart(line, word.start)) return false;
  return classifyValue(text) === undefined;
}
