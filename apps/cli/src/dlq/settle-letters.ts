import type { StreamSpec } from '@palimpsest/contracts';
import { hasCode, type MessageBus } from '@palimpsest/kernel';
import type { Output } from '../output/output.js';
import { plural, printable } from '../output/text.js';
import { EXIT, UsageError, type ExitCode } from '../program/cli-error.js';
import type { Session } from '../program/session.js';
import { ALL_LETTERS, type SettleOptions } from './dlq-options.js';
import { NoSuchLetterError, streamsOf, withLetterBus } from './letter-bus.js';

/** What is done with a message: false where it has no letter, or no longer. */
type Settle = (bus: MessageBus, stream: StreamSpec, id: string) => Promise<boolean>;

type Settled = { readonly stream: string; readonly id: string };

type Report = {
  readonly settled: readonly Settled[];
  /** Their bodies were not kept. */
  readonly refused: readonly Settled[];
  readonly missing: readonly string[];
};

/** `palimpsest dlq retry` */
export function retryLetters(
  ids: readonly string[],
  options: SettleOptions,
  session: Session,
): Promise<ExitCode> {
  const retry: Settle = (bus, stream, id) => bus.retryDeadLetter(stream, id);
  return settle({ ids, options, session, done: 'retried' }, retry);
}

/** `palimpsest dlq drop` */
export function dropLetters(
  ids: readonly string[],
  options: SettleOptions,
  session: Session,
): Promise<ExitCode> {
  const drop: Settle = (bus, stream, id) => bus.dropDeadLetter(stream, id);
  return settle({ ids, options, session, done: 'dropped' }, drop);
}

type Command = {
  readonly ids: readonly string[];
  readonly options: SettleOptions;
  readonly session: Session;
  readonly done: 'retried' | 'dropped';
};

async function settle(command: Command, act: Settle): Promise<ExitCode> {
  const { ids, options, session, done } = command;
  if (Boolean(options.all) === ids.length > 0)
    throw new UsageError('name the messages, or all of them with --all');
  const report = await withLetterBus(options, session.environment, (bus) => settleAll(bus, command, act));
  const [missing] = report.missing;
  if (missing !== undefined && ids.length === 1) throw new NoSuchLetterError(missing);
  if (options.json) {
    const { settled, ...rest } = report;
    session.output.json({ [done]: settled, ...rest });
  } else tell(report, done, session.output);
  return report.missing.length + report.refused.length > 0 ? EXIT.server : EXIT.done;
}

/** Of `--all`, what is there now: a message that dies again meanwhile is another letter. */
async function settleAll(bus: MessageBus, { ids, options }: Command, act: Settle): Promise<Report> {
  const settled: Settled[] = [];
  const refused: Settled[] = [];
  for (const stream of streamsOf(options)) {
    const named = options.all ? await idsOf(bus, stream) : [...new Set(ids)];
    for (const id of named) {
      const outcome = await outcomeOf(() => act(bus, stream, id));
      if (outcome === 'settled') settled.push({ stream: stream.name, id });
      if (outcome === 'refused') refused.push({ stream: stream.name, id });
    }
  }
  const found = new Set([...settled, ...refused].map(({ id }) => id));
  return { settled, refused, missing: [...new Set(ids)].filter((id) => !found.has(id)) };
}

async function idsOf(bus: MessageBus, stream: StreamSpec): Promise<readonly string[]> {
  const letters = await bus.deadLetters(stream, ALL_LETTERS);
  return [...new Set(letters.map(({ id }) => id))];
}

async function outcomeOf(act: () => Promise<boolean>): Promise<'settled' | 'refused' | 'missing'> {
  try {
    return (await act()) ? 'settled' : 'missing';
  } catch (error) {
    if (hasCode(error, 'validation_error')) return 'refused';
    throw error;
  }
}

function tell({ settled, refused, missing }: Report, done: Command['done'], output: Output): void {
  output.line(`${plural(settled.length, 'message')} ${done}.`);
  for (const { stream, id } of refused)
    output.note(`The body of ${printable(id)} (${stream}) was not kept: it cannot be retried, only dropped.`);
  for (const id of missing) output.note(`There is no dead letter ${printable(id)}.`);
}
