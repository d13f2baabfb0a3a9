import { TerminalError, type RacePoints } from '@palimpsest/kernel';

/** A process that dies when it reaches a point for the nth time; the next one lives. */
export function killedAt(point: string, time = 1): RacePoints & { readonly reached: () => number } {
  let reached = 0;
  return {
    reached: () => reached,
    reach: (name) => {
      if (name !== point || (reached += 1) !== time) return Promise.resolve();
      return Promise.reject(new ProcessKilledError(point));
    },
  };
}

/** Everybody who reaches the point waits there until so many have. */
export function meetingAt(point: string, parties: number): RacePoints {
  let waiting = 0;
  let open: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (open = resolve));
  return {
    reach: (name) => {
      if (name !== point) return Promise.resolve();
      if ((waiting += 1) === parties) open();
      return all;
    },
  };
}

/** Not one of the kernel's: nobody knows what a dying process leaves. */
class ProcessKilledError extends Error {
  constructor(point: string) {
    super(`Killed at ${point}`);
  }
}

/** The same for a point that must not be reached. */
export const unreachable: RacePoints = {
  reach: (name) => Promise.reject(new TerminalError('internal_error', `Reached ${name}.`)),
};
