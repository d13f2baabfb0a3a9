import type { AnswerDefect, ModelMessage } from '@palimpsest/kernel';
import type { SchemaProblem } from './schema-check.js';

type Unfit = { readonly defect: AnswerDefect; readonly problems: readonly SchemaProblem[] };

/** No provider takes an empty message. */
const NO_ANSWER = '(no answer)';

/** The answer that does not fit, and what is wrong with it: appended, so that what was sent before stays a prefix. */
export function repairMessages(text: string, unfit: Unfit): readonly ModelMessage[] {
  return [
    { role: 'assistant', text: text.trim() === '' ? NO_ANSWER : text },
    { role: 'user', text: complaint(unfit) },
  ];
}

function complaint({ defect, problems }: Unfit): string {
  switch (defect) {
    case 'empty':
      return 'Your answer was empty. Answer again, in full.';
    case 'truncated':
      return 'Your answer was cut off. Answer again with one JSON object, and shorter.';
    case 'not-json':
      return 'Your answer is not JSON. Answer again with one JSON object and nothing else.';
    case 'schema-mismatch':
      return [
        'Your answer does not fit the schema:',
        ...problems.map(({ place, text }) => `- ${place || '(the whole)'}: ${text}`),
        'Answer again with one JSON object that does, and nothing else.',
      ].join('\n');
    default:
      return defect satisfies never;
  }
}
