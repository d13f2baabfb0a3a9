/** Words that carry no label: articles, pronouns, auxiliaries, prepositions, courtesies. */
const FUNCTION_WORDS = new Set(
  (
    'a an the this that these those my your his her its our their mine yours i you he she it we they me him them us ' +
    'is are was were be been being am do does did done have has had having will would shall should can could may ' +
    'might must of in on at to for from by with as into onto over under about after before between than then so ' +
    'and or but nor if because while when where which who whom whose what how why there here not no yes ok okay ' +
    'please thanks thank sorry sure hi hello hey just also only too very really well now again still already ' +
    'some any all each every both either neither such own same other another more most less least much many ' +
    "i'm i'd i'll i've it's that's there's let's don't doesn't didn't can't won't isn't aren't you're we're e.g i.e etc " +
    'following based using per via'
  ).split(' '),
);

const MONTHS = new Set(
  (
    'january february march april may june july august september october november december ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec'
  ).split(' '),
);

export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word.toLowerCase());
}

export function isMonth(word: string): boolean {
  return MONTHS.has(word.toLowerCase());
}

export type Word = { readonly text: string; readonly start: number; readonly end: number };

/** An address, or a run of what is neither blank, bracket, quotation mark nor list punctuation; a comma inside a number stays. */
const WORD =
  /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s\0"'`<>()[\]{}|，。；]+|(?:[^\s\0,;!?()[\]{}<>"`|“”«»、。，；：！？（）「」]|,(?=\d{3}(?!\d)))+/giu;
/** In a script that is written without blanks, what is written in Latin letters stands apart. */
const LATIN_RUN = /[A-Za-z0-9_$€£#@~%/\\.+:=&-]+/g;
const UNSPACED = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\ud840-\ud87f]/;
const LEADING = /^[*'’‘.:=&~_…-]*(?=[\p{L}\p{N}/$€£¥#@\\])/u;

function trimmed(text: string, start: number): Word | undefined {
  let from = start;
  let to = start + text.length;
  const lead = leadOf(text);
  from += lead;
  while (to > from && ".:*'’‘=&~…?!,;-".includes(text[to - start - 1] ?? ' ')) to -= 1;
  return to > from ? { text: text.slice(from - start, to - start), start: from, end: to } : undefined;
}

/** What to skip at the beginning: emphasis and quotation marks, line numbers, but not what makes a path, an option or a dunder name. */
function leadOf(text: string): number {
  const quotes = /^[*'’‘]*(?:\d{1,6}:(?=[\p{L}_]))?/u.exec(text)?.[0].length ?? 0;
  const rest = text.slice(quotes, quotes + 4);
  if (/^(?:\.{1,2}\/|~\/|--?[a-z]|__|-\d)/i.test(rest) || quotes > 0) return quotes;
  return LEADING.exec(text)?.[0].length ?? 0;
}

/** The words of one line, with their places, in order. Linear. */
export function wordsOf(line: string): Word[] {
  const words: Word[] = [];
  for (const match of line.matchAll(WORD)) {
    if (UNSPACED.test(match[0])) {
      for (const run of match[0].matchAll(LATIN_RUN)) push(words, run[0], match.index + run.index);
    } else push(words, match[0], match.index);
  }
  return words;
}

function push(words: Word[], text: string, start: number): void {
  const word = trimmed(text, start);
  if (word) words.push(word);
}

/** One spelling for texts of the same words: `one_way`, `One-way`, `one way`. */
export function sameWords(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, ' ');
}
