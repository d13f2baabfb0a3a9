import type { InstructionEntry, WindowEntry, WindowPlan } from '@palimpsest/contracts';
import { planPart } from './plan-part.js';

const entry = (sequence: number): WindowEntry => ({
  kind: 'turn',
  eventId: `evt-run_1-${sequence}`,
  sequence,
  turn: sequence,
  role: 'user',
  artifactId: `art_${'a'.repeat(32)}`,
  form: 'full',
  tokens: 3,
  toolCallIds: [],
});

const instruction = (sequence: number): InstructionEntry => ({
  eventId: `evt-run_1-${sequence}`,
  sequence,
  artifactId: `art_${'b'.repeat(32)}`,
});

const plan = {
  eventId: 'evt-run_1-99',
  entries: Array.from({ length: 7 }, (_, at) => entry(at + 10)),
  instructions: Array.from({ length: 5 }, (_, at) => instruction(at)),
  summarizedRanges: [{ eventId: 'evt-run_1-9', summaryRef: 'art_s', replacedTurns: ['evt-run_1-8'] }],
} as unknown as WindowPlan;

function partsOf(maxBytes: number): WindowPlan[] {
  const parts = [planPart(plan, 0, maxBytes)];
  for (let next = parts[0]?.next; next !== undefined; next = parts.at(-1)?.next) {
    parts.push(planPart(plan, next, maxBytes));
  }
  return parts;
}

describe('planPart', () => {
  it('leaves a plan whole that one message can carry', () => {
    expect(planPart(plan)).toEqual(plan);
  });

  it.each([1, 150, 300, 500, 1000, 1500])(
    'gives everything once, in order, in parts of %i bytes',
    (maxBytes) => {
      const parts = partsOf(maxBytes);
      expect(parts.length).toBeGreaterThan(1);
      expect(parts.flatMap(({ entries }) => entries)).toEqual(plan.entries);
      expect(parts.flatMap(({ instructions }) => instructions)).toEqual(plan.instructions);
      expect(parts.flatMap(({ summarizedRanges }) => summarizedRanges)).toEqual(plan.summarizedRanges);
      expect(new Set(parts.map(({ eventId }) => eventId))).toEqual(new Set([plan.eventId]));
    },
  );

  it('is empty behind the end', () => {
    expect(planPart(plan, 12)).toMatchObject({ entries: [], instructions: [] });
    expect(planPart(plan, 12)).not.toHaveProperty('next');
  });
});
