export type JsonText =
  { readonly value: unknown } | { readonly place: { readonly line: number; readonly column: number } };

/** Parses JSON, or says where it breaks. The engine's own message is not passed on: it quotes the text. */
export function parseJson(text: string): JsonText {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    return { place: placeIn(text, position === undefined ? text.trimEnd().length : Number(position)) };
  }
}

function placeIn(text: string, position: number): { line: number; column: number } {
  const before = text.slice(0, position).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
