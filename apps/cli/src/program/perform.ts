import { openSession, type Session } from './session.js';

/** What a command does; without an exit code it is done. */
export type Action<Arguments extends readonly unknown[]> = (
  ...args: [...Arguments, Session]
) => Promise<number | void>;

/** Loads a command's code and runs it. */
export async function perform<Arguments extends readonly unknown[]>(
  load: () => Promise<Action<Arguments>>,
  ...args: Arguments
): Promise<void> {
  const [action, session] = await Promise.all([load(), openSession()]);
  process.exitCode = (await action(...args, session)) ?? 0;
}
