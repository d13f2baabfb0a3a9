/** What a terminal would act upon, but line feeds, which part the lines. */
export const MOVES = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const SPOIL = '\u001b[2J\n\r\u009b1A\u202e';

const MOMENT = /^\d{4}-\d{2}-\d{2}T/;

/** An answer in which every text, at any depth, ends in what moves the cursor; moments stay, as they are read. */
export function spoiltTexts<Answer>(answer: Answer): Answer {
  return spoilt(answer) as Answer;
}

function spoilt(value: unknown): unknown {
  if (typeof value === 'string') return MOMENT.test(value) ? value : `${value}${SPOIL}`;
  if (Array.isArray(value)) return value.map(spoilt);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, spoilt(member)]));
}
