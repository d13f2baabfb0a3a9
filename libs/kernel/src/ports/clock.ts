/** The only source of time; domain code gets times as arguments. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
