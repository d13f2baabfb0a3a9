import type { Clock } from '../ports/clock.js';

const LOOKS = 1000;

/** What every `Clock` keeps, one that stands still included. */
export function clockContract(name: string, open: () => Clock): void {
  describe(`Clock: ${name}`, () => {
    it('tells an instant that a log can record', () => {
      const now = open().now();
      expect(new Date(now.toISOString())).toEqual(now);
    });

    it('does not go backwards between two looks', () => {
      const clock = open();
      const looks = Array.from({ length: LOOKS }, () => clock.now().getTime());
      expect(looks).toEqual([...looks].sort((a, b) => a - b));
    });

    it('cannot be set through what it gave', () => {
      const clock = open();
      const given = clock.now();
      const told = given.getTime();
      given.setTime(0);
      expect(clock.now().getTime()).toBeGreaterThanOrEqual(told);
    });
  });
}
