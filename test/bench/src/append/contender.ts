/** Somebody who appends events durably, version-checked where it can. */
export type Contender = {
  readonly name: string;
  /** A writer to a fresh log of its own; each call is one append of so many events. */
  writer(id: string): (events: number) => Promise<void>;
};

export type Load = { readonly writers: number; readonly eventsPerAppend: number; readonly forMs: number };

let rounds = 0;

/** Events a second that the writers get recorded together, each waiting for its own append. */
export async function throughput(contender: Contender, load: Load): Promise<number> {
  rounds += 1;
  const writers = Array.from({ length: load.writers }, (_, place) =>
    contender.writer(`round${rounds}_writer${place}`),
  );
  const started = performance.now();
  const appends = await Promise.all(
    writers.map(async (append) => {
      let done = 0;
      for (; performance.now() - started < load.forMs; done += 1) await append(load.eventsPerAppend);
      return done;
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  return (appends.reduce((sum, done) => sum + done, 0) * load.eventsPerAppend) / seconds;
}
