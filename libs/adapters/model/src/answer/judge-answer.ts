import type { JsonValue } from '@palimpsest/contracts';
import type { AnswerDefect } from '@palimpsest/kernel';
import { extractJson } from './extract-json.js';
import type { SchemaCheck, SchemaProblem } from './schema-check.js';

export type GivenAnswer = { readonly text: string; readonly finish: 'stop' | 'length' };

export type Judgement =
  | { readonly kind: 'text'; readonly text: string; readonly finish: 'stop' | 'length' }
  | { readonly kind: 'object'; readonly value: JsonValue }
  | { readonly kind: 'unfit'; readonly defect: AnswerDefect; readonly problems: readonly SchemaProblem[] };

/** Whether an answer is what was asked for: without a check, a text. */
export function judgeAnswer(given: GivenAnswer, check: SchemaCheck | undefined): Judgement {
  if (given.text.trim() === '') return unfit('empty');
  if (!check) return { kind: 'text', ...given };
  const cutOff = given.finish === 'length';
  const found = extractJson(given.text, { wholeOnly: cutOff });
  if (!found) return unfit(cutOff ? 'truncated' : 'not-json');
  const problems = check(found.value);
  if (problems.length > 0) return unfit('schema-mismatch', problems);
  return { kind: 'object', value: found.value };
}

function unfit(defect: AnswerDefect, problems: readonly SchemaProblem[] = []): Judgement {
  return { kind: 'unfit', defect, problems };
}
