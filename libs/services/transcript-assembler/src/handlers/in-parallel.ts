/** The answers to all of `items`, in their order, with at most `most` at work at once. */
export async function inParallel<Item, Answer>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const left = [...items.entries()];
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) answers[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane));
  return answers;
}
