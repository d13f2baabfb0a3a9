import { z } from 'zod';

/**
 * A change of what is derived from a log: decisions of the engine, plans of windows, cuts, renderings, ranges of summaries.
 * A run keeps the way of its first day: `run.started` names the flags in force then, and code that changed asks for them.
 */
export type ReplayFlag = {
  /** Dense from 1, and never given to another change. */
  readonly number: number;
  readonly name: string;
  /** Version of the host that first started runs with it. */
  readonly since: string;
  /** In one sentence: what is derived otherwise, and why. */
  readonly reason: string;
};

/** Flags by name, as code asks for them. */
export const FLAG = {
  FULL_ARGUMENTS: 1,
} as const satisfies Record<string, number>;

/** All there ever were. Appended to; an entry neither changes nor goes as long as there are runs from before it. */
export const REPLAY_FLAGS: readonly ReplayFlag[] = [
  {
    number: FLAG.FULL_ARGUMENTS,
    name: 'FULL_ARGUMENTS',
    since: '0.1.0',
    reason:
      'Cut arguments of a call take all the room they are given: a try that was too long by a few escapes lost a fifth of it, and one that was too short stayed so.',
  },
];

/** As `run.started` and the state of a run hold them: strictly ascending; absent where there are none. */
export const replayFlagsSchema = z
  .array(z.int().min(1))
  .min(1)
  .refine(
    (flags) => flags.every((flag, place) => place === 0 || flag > (flags[place - 1] ?? 0)),
    'must ascend',
  );

export type ReplayFlags = readonly number[];

/** A run from before there were flags. */
export const NO_REPLAY_FLAGS: ReplayFlags = [];

/** What a new run starts with. */
export const CURRENT_REPLAY_FLAGS: ReplayFlags = REPLAY_FLAGS.map(({ number }) => number);

export function hasFlag(flags: ReplayFlags, flag: (typeof FLAG)[keyof typeof FLAG]): boolean {
  return flags.includes(flag);
}

/** Flags that a newer version has given to a run: whoever does not know them cannot derive it. */
export function unknownFlags(flags: ReplayFlags): ReplayFlags {
  return flags.filter((flag) => !REPLAY_FLAGS.some(({ number }) => number === flag));
}

/** As a member of a payload or a state. */
export function replayFlagsMember(flags: ReplayFlags | undefined): { replayFlags?: number[] } {
  return flags && flags.length > 0 ? { replayFlags: [...flags] } : {};
}
