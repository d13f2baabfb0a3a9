/** What there is to fill: at most `max`, as `size` counts; `first` is the room to try first. */
export type Within = {
  readonly max: number;
  readonly size: (text: string) => number;
  readonly first: number;
};

/** Makes a text for a room. What comes on top (a frame, escapes) shows only when it is made. */
export type ShownIn = (room: number) => string;

/** Rounds after which a text that fits is not made any longer. */
const ROUNDS = 6;

/** Of runs without the flag `FULL_ARGUMENTS`: a text that is too long loses a fifth of its room, however little it is. */
export function firstWithin(shownIn: ShownIn, { max, size, first }: Within): string | undefined {
  for (let room = first; room > 0; room = Math.floor(room * 0.8) - 1) {
    const text = shownIn(room);
    if (size(text) <= max) return text;
  }
  return undefined;
}

/** A text that is too long is shrunk in proportion; one that fits is made longer by what is left, until that goes too far. */
export function longestWithin(shownIn: ShownIn, { max, size, first }: Within): string | undefined {
  let longest: { readonly text: string; readonly taken: number } | undefined;
  let room = first;
  for (let round = 0; room > 0 && (!longest || round < ROUNDS); round += 1) {
    const text = shownIn(room);
    const taken = size(text);
    if (taken > max) {
      if (longest) break;
      // what a try gives grows in steps: something more is taken off each time
      room = Math.min(Math.floor((room * max) / taken), room - 1) - round;
    } else {
      if (longest && taken <= longest.taken) break;
      longest = { text, taken };
      if (taken === max) break;
      room += max - taken;
    }
  }
  return longest?.text;
}
