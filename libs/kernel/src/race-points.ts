/**
 * A named moment between two steps, where a test may stop, fail or kill the process. In production every
 * point does nothing. Each name's comment, where it is declared, says what is held at that moment.
 */
export interface RacePoints {
  reach(name: string): Promise<void>;
}

export const noRacePoints: RacePoints = { reach: () => Promise.resolve() };
