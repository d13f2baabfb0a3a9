/** Somebody who gives leases durably, one at a time in a workgroup. */
export type Contender = {
  readonly name: string;
  /** Prepares a client; each call of the answer takes a lease and gives it back. */
  client(place: ClientPlace): Promise<() => Promise<void>>;
};

export type ClientPlace = { readonly workgroupId: string; readonly clientId: string };

export type Load = {
  readonly clients: number;
  /** All in one workgroup, or each in one of its own. */
  readonly spread: 'one workgroup' | 'a workgroup each';
};

let rounds = 0;

/** Leases a second that the clients take together, each giving back its own before the next. */
export async function leaseRate(contender: Contender, load: Load, forMs: number): Promise<number> {
  rounds += 1;
  const cycles = await clientsOf(contender, load, `round${rounds}`);
  const started = performance.now();
  const done = await Promise.all(
    cycles.map(async (cycle) => {
      let count = 0;
      for (; performance.now() - started < forMs; count += 1) await cycle();
      return count;
    }),
  );
  return done.reduce((sum, count) => sum + count, 0) / ((performance.now() - started) / 1000);
}

async function clientsOf(
  contender: Contender,
  { clients, spread }: Load,
  round: string,
): Promise<readonly (() => Promise<void>)[]> {
  const cycles: (() => Promise<void>)[] = [];
  for (let client = 0; client < clients; client += 1) {
    const clientId = `${round}-${client}`;
    const workgroupId = spread === 'one workgroup' ? round : clientId;
    cycles.push(await contender.client({ workgroupId, clientId }));
  }
  return cycles;
}
