type Planned = { readonly window: { readonly iteration: number } };

/**
 * Of windows in log order, those that were fed: one an iteration, its newest. A loop that leaves its source between a
 * window and its decision plans that window again under its own settings; the one before it was never fed there.
 */
export async function* newestOfIterations<Window extends Planned>(
  windows: AsyncIterable<Window>,
): AsyncGenerator<Window, void> {
  let newest: Window | undefined;
  for await (const next of windows) {
    if (newest && newest.window.iteration !== next.window.iteration) yield newest;
    newest = next;
  }
  if (newest) yield newest;
}
