import type { JsonValue } from '@palimpsest/contracts';
import { RE2JS } from 're2js';
import { evaluated, NOT_EVALUATED, type Evaluated } from './evaluated.js';

const MOST_PATTERN = 1000;
const MOST_TEXT = 64 * 1024;
const MOST_COMPILED = 500;
const compiled = new Map<string, RE2JS>();

/** A pattern's instructions times a text's characters: some tens of milliseconds. */
const MOST_STEPS = 20_000_000;

/**
 * A pattern of RE2, found anywhere in a text; what is no text does not match. In time linear in the text, and in the
 * pattern, which may spell `{1000}`: both together are bounded.
 */
export function regexMatches(pattern: string, text: JsonValue): Evaluated<boolean> {
  const program = programOf(pattern);
  if (!program || (typeof text === 'string' && !isSearchable(program, text))) return NOT_EVALUATED;
  return evaluated(typeof text === 'string' && program.matcher(text).find());
}

function isSearchable(program: RE2JS, { length }: string): boolean {
  return length <= MOST_TEXT && length * program.programSize() <= MOST_STEPS;
}

/** Why a pattern is refused; undefined where it compiles. */
export function problemOfRegex(pattern: string): string | undefined {
  return programOf(pattern) ? undefined : 'is no regular expression of RE2, or is too long';
}

function programOf(pattern: string): RE2JS | undefined {
  const known = compiled.get(pattern);
  if (known) return known;
  if (pattern.length > MOST_PATTERN) return undefined;
  try {
    const program = RE2JS.compile(pattern);
    if (compiled.size >= MOST_COMPILED) compiled.clear();
    compiled.set(pattern, program);
    return program;
  } catch {
    return undefined;
  }
}
