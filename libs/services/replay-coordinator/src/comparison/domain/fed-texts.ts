import type { WindowPlanned } from '@palimpsest/contracts';

/** What the log says of the texts that windows feed, by the place of the event that each stands for. */
export type RecordedTexts = {
  /** Messages and a loop's turns, ascending: place → artifact. */
  readonly turns: ReadonlyMap<number, string>;
  readonly summaries: ReadonlyMap<number, string>;
  readonly instructions: ReadonlyMap<number, string>;
};

type Placed = { readonly sequence: number; readonly text: string };

/**
 * The artifacts that a window feeds, in order and with their form: instructions and pins older than the oldest turn,
 * summaries, then everything else by its place. Equal lists are equal texts; no text is read for it.
 */
export function fedTexts(window: WindowPlanned, texts: RecordedTexts): readonly string[] {
  const turns = fedTurns(window, texts);
  const oldest = turns.reduce((least, { sequence }) => Math.min(least, sequence), Infinity);
  const fixed = [...pinsOf(window), ...instructionsOf(window, texts)];
  const older = fixed.filter(({ sequence }) => sequence < oldest);
  const later = [...turns, ...fixed.filter(({ sequence }) => sequence >= oldest)];
  const summaries = window.summarySequences.map((place) => `summary ${texts.summaries.get(place) ?? place}`);
  return [...textsByPlace(older), ...summaries, ...textsByPlace(later)];
}

function fedTurns(window: WindowPlanned, { turns }: RecordedTexts): readonly Placed[] {
  const { asOfSequence, tailFromSequence } = window;
  const apart = new Set(window.islands.flat());
  const pending = new Set(window.pending.flat());
  const cuts = new Map(window.cuts.map(({ sequence, artifactId }) => [sequence, artifactId]));
  const fed: Placed[] = [];
  for (const [sequence, artifactId] of turns) {
    const isFed = sequence >= tailFromSequence ? sequence <= asOfSequence : apart.has(sequence);
    if (!isFed || pending.has(sequence)) continue;
    const cut = cuts.get(sequence);
    const full = cut === undefined ? `full ${artifactId}` : `cut ${cut}`;
    fed.push({ sequence, text: isElided(window, sequence) ? 'elided' : full });
  }
  return fed;
}

function isElided({ elided }: WindowPlanned, sequence: number): boolean {
  return elided.some(([first, last]) => first <= sequence && sequence <= last);
}

function pinsOf({ pins = [] }: WindowPlanned): readonly Placed[] {
  return pins.map(({ sequence, artifactId }) => ({ sequence, text: `pin ${artifactId}` }));
}

function instructionsOf({ asOfSequence }: WindowPlanned, { instructions }: RecordedTexts): readonly Placed[] {
  return [...instructions]
    .filter(([sequence]) => sequence <= asOfSequence)
    .map(([sequence, artifactId]) => ({ sequence, text: `instruction ${artifactId}` }));
}

function textsByPlace(placed: readonly Placed[]): readonly string[] {
  return placed.toSorted((a, b) => a.sequence - b.sequence).map(({ text }) => text);
}
