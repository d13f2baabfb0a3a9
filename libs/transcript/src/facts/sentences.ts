import type { ValueKind } from './fact-kinds.js';

const LONGEST = 180;
const SHORTEST = 12;

/** What a user binds the agent to. */
const RULE =
  /\b(?:must|mustn['’]t|never|always|only|don['’]?t|do not|can['’]?t|cannot|may not|should|shouldn['’]t|needs? to|need (?:an?|the|my)\b|requires?|required|prefer(?:s|red|ably)?|wants?|would like|['’]d like|rather|avoid|without|at (?:least|most)|no (?:more|less|later|earlier) than|unless|except|instead of|make sure|ensure|limit(?:ed)? to|not allowed|forbid(?:den)?|insists?|important that)\b/i;

/** What sounds like a rule and only says what somebody does not know or have. */
const IGNORANCE =
  /\b(?:don['’]?t|do not|can['’]?t|cannot) (?:really |actually |quite )?(?:remember|know|recall|have|see|think|find|understand|mind)\b/gi;

/** What was settled. */
const DECISION =
  /\b(?:decided?|decision|agreed?|confirmed|chosen|chose|opted|going with|go(?:es)? with|settled|approved?|accepted?|rejected|declined|concluded|root cause|the (?:fix|cause|solution) is|proceed(?:ed|ing)? with|has been|have been|successfully|turns out)\b/i;

/** Openings that say nothing. */
const FILLER =
  /^(?:(?:hi|hello|hey|thanks?(?: you)?(?: so much)?|sure|yes|yeah|ok(?:ay)?|great|alright|well|so|and|but|also|please|actually|sorry|oh|perfect|got it|i see|i understand|i think|it seems|note that|please note|unfortunately|however|certainly|of course|that['’]s (?:fine|great|correct))\b[\s,.!:–—-]*)+/i;

export type Sentence = { readonly kind: ValueKind; readonly start: number; readonly end: number };

const BREAK = /[.!?;]+(?=\s|$)|[。！？；]|\n/gu;

/**
 * The sentences of a passage that state a constraint or a decision, without their opening courtesies and cut at
 * a clause where they are long. Offsets into the passage.
 */
export function telling(passage: string, speaker: 'user' | 'assistant'): Sentence[] {
  const found: Sentence[] = [];
  let from = 0;
  const take = (to: number): void => {
    const sentence = weigh(passage, { from, to }, speaker);
    if (sentence) found.push(sentence);
  };
  for (const stop of passage.matchAll(BREAK)) {
    take(stop.index + (stop[0] === '\n' ? 0 : stop[0].length));
    from = stop.index + stop[0].length;
  }
  take(passage.length);
  return found;
}

function weigh(
  passage: string,
  range: { readonly from: number; readonly to: number },
  speaker: 'user' | 'assistant',
): Sentence | undefined {
  const raw = passage.slice(range.from, Math.min(range.to, range.from + 2000));
  const lead = /^[\s*•>#\d.)-]*/.exec(raw)?.[0].length ?? 0;
  const filler = FILLER.exec(raw.slice(lead, lead + 200))?.[0].length ?? 0;
  const start = lead + filler;
  const body = raw.slice(start).trimEnd();
  if (body.length < SHORTEST || body.endsWith('?')) return undefined;
  const rule =
    speaker === 'user' ? RULE.exec(body.replace(IGNORANCE, (words) => ' '.repeat(words.length))) : null;
  const hit = rule ?? DECISION.exec(body);
  if (!hit) return undefined;
  const clip = clause(body, hit.index);
  return {
    kind: rule ? 'rule' : 'decision',
    start: range.from + start + clip.from,
    end: range.from + start + clip.to,
  };
}

/** The part of a long sentence around its telling word, from clause to clause. */
function clause(body: string, hit: number): { from: number; to: number } {
  if (body.length <= LONGEST) return { from: 0, to: trimEnd(body, body.length) };
  const before = Math.max(0, hit - LONGEST / 3);
  const from = hit <= LONGEST / 3 ? 0 : afterBreak(body, before, hit);
  const room = from + LONGEST;
  if (body.length <= room) return { from, to: trimEnd(body, body.length) };
  const comma = Math.max(
    body.lastIndexOf(', ', room),
    body.lastIndexOf(' – ', room),
    body.lastIndexOf('; ', room),
  );
  const to = comma > hit + LONGEST / 3 ? comma : Math.max(body.lastIndexOf(' ', room), hit);
  return { from, to: trimEnd(body, to) };
}

function afterBreak(body: string, low: number, high: number): number {
  const comma = body.indexOf(', ', low);
  if (comma >= 0 && comma < high) return comma + 2;
  const blank = body.indexOf(' ', low);
  return blank >= 0 && blank < high ? blank + 1 : high;
}

function trimEnd(body: string, to: number): number {
  let end = to;
  while (end > 0 && /[\s.,;:!]/.test(body[end - 1] ?? '')) end -= 1;
  return end;
}
