import type { Seeded } from './seeded.js';

const PLACES = ['Aarhus', 'Bergen', 'Cork', 'Delft', 'Evora', 'Faro', 'Gdansk', 'Hull'] as const;
const THINGS = ['pallet', 'crate', 'reel', 'drum', 'trolley', 'cage'] as const;
const STATES = ['held', 'released', 'missing', 'recounted', 'in transit', 'damaged'] as const;
const VERBS = ['recount', 'release', 'trace', 'hold', 'reroute', 'relabel'] as const;
const WHY = [
  'the scanner at the dock reads it twice',
  'the manifest names another weight',
  'the seal was broken on arrival',
  'nobody signed for it',
  'the label is of last year',
] as const;

/** What people, a model and tools say in a depot that does not exist. */
export function invented(random: Seeded) {
  const id = (): string => `${random.of(['SHP', 'DEP', 'LOT'])}-${random.between(1000, 9999)}`;
  const item = (): string => `${random.of(THINGS)} ${id()} at ${random.of(PLACES)}`;
  const sentence = (): string => `${random.of(VERBS)} ${item()}: ${random.of(WHY)}.`;
  const record = (): object => ({
    id: id(),
    depot: random.of(PLACES),
    state: random.of(STATES),
    weightKg: random.between(2, 900),
    path: `/depots/${random.of(PLACES).toLowerCase()}/${random.between(1, 40)}`,
  });
  const many = <Made>(count: number, make: () => Made): Made[] => Array.from({ length: count }, make);
  return {
    request: (): string => `Please ${sentence()} Tell me by ${random.between(8, 18)}:30.`,
    rule: (): string => `Never release a ${random.of(THINGS)} of ${random.of(PLACES)} without ${id()}.`,
    thought: (sentences: number): string => `I will ${many(sentences, sentence).join(' Then I ')}`,
    rows: (count: number): string => JSON.stringify({ rows: many(count, record), next: id() }),
    logLines: (count: number): string =>
      many(count, () => `${random.between(10, 23)}:${random.between(10, 59)} ${sentence()}`).join('\n'),
    lookUp: (): string => JSON.stringify({ shipment: id(), depot: random.of(PLACES) }),
    report: (sentences: number): string =>
      JSON.stringify({
        to: random.of(PLACES),
        subject: `About ${id()}`,
        body: many(sentences, sentence).join(' '),
      }),
  };
}

export type Invented = ReturnType<typeof invented>;
