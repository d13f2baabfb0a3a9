export type JsonText =
  { readonly value: unknown } | { readonly place: { readonly line: number; readonly column: number } };

/** Parses JSON, or says where it breaks. The engine's own message is not passed on: it quotes the text. */
export function parseJson(text: string): JsonText {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { place: placeIn(text, breakingPoint(text.trimEnd())) };
  }
}

/**
 * Where the first letter stands that cannot go on what is before it, or the end of a text that breaks off.
 * Not every engine's error has a position, so it is searched for: every prefix that holds that letter is
 * wrong, every shorter one is only incomplete.
 */
function breakingPoint(text: string): number {
  let [incomplete, wrong] = [0, text.length + 1];
  while (wrong - incomplete > 1) {
    const middle = Math.floor((incomplete + wrong) / 2);
    if (isWrong(text.slice(0, middle))) wrong = middle;
    else incomplete = middle;
  }
  return wrong - 1;
}

function isWrong(prefix: string): boolean {
  try {
    JSON.parse(prefix);
    return false;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const position = /at position (\d+)/.exec(message)?.[1];
    return !message.startsWith('Unexpected end') && Number(position) !== prefix.length;
  }
}

function placeIn(text: string, position: number): { line: number; column: number } {
  const before = text.slice(0, position).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
