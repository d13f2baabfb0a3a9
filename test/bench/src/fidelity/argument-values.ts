import type { MessageContent } from '@palimpsest/contracts';

/** Every string and number in the arguments of a message's calls, as text; calls that are no JSON give none. */
export function argumentValues(message: MessageContent): readonly string[] {
  return (message.toolCalls ?? []).flatMap((call) => {
    try {
      return leaves(JSON.parse(call.arguments));
    } catch {
      return [];
    }
  });
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(leaves);
}

const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

/** True where the value stands in the text as a whole word: `7` does not stand in `17`. */
export function standsIn(text: string, value: string): boolean {
  const opens = WORD_CHARACTER.test(value[0] ?? '');
  const closes = WORD_CHARACTER.test(value.at(-1) ?? '');
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const before = opens && WORD_CHARACTER.test(text[at - 1] ?? '');
    const after = closes && WORD_CHARACTER.test(text[at + value.length] ?? '');
    if (!before && !after) return true;
  }
  return false;
}
