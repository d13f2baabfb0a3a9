import type { AnswerOf } from '@palimpsest/client';
import { count } from '../output/text.js';
import type { Palette } from '../output/palette.js';
import { EXIT, type ExitCode } from '../program/cli-error.js';
import type { CommonOptions, Session } from '../program/session.js';

type Verification = AnswerOf<'verifyRun'>;

/** `palimpsest verify <run>` */
export async function verifyRun(runId: string, options: CommonOptions, session: Session): Promise<ExitCode> {
  const { output } = session;
  const verification = await (await session.api(options)).verify(runId);
  if (options.json) output.json(verification);
  else output.lines(verificationLines(verification, output.colours));
  return verification.ok ? EXIT.done : EXIT.negative;
}

export function verificationLines(verification: Verification, { green, red }: Palette): string[] {
  const {
    windowsChecked,
    artifactsChecked,
    comparedWith: source,
    firstDifference: difference,
  } = verification;
  return [
    verification.ok ? green(verifiedText(windowsChecked)) : red('not verified'),
    ...(difference ? [`first difference: ${differenceText(difference)}`] : []),
    ...(verification.log ? logLines(verification.log) : []),
    ...(windowsChecked > 0
      ? [`windows derived again: ${count(windowsChecked)}, from ${count(artifactsChecked)} pieces of content`]
      : []),
    ...(source ? sourceLines(source) : []),
    ...(verification.modelCalls ? [callsLine(verification.modelCalls)] : []),
    `summaries that this run had made: ${count(verification.summarizerCalls)}`,
    ...(windowsChecked > 0 ? [`digest of all windows: ${verification.windowsDigest}`] : []),
  ];
}

function verifiedText(windows: number): string {
  return windows > 0
    ? 'verified: log and content give every window again, byte for byte'
    : 'verified: log and content are as recorded; the run has no windows';
}

type Source = NonNullable<Verification['comparedWith']>;

/** What a fork shares is not compared: these are the source's own events. */
function sourceLines({ runId, sharedEvents, events, windows, summaries }: Source): string[] {
  const compared = `${count(windows)} windows, ${count(summaries)} summaries, ${count(events)} events in all`;
  return [
    ...(sharedEvents > 0 ? [`events that are those of ${runId} itself: ${count(sharedEvents)}`] : []),
    ...(events > 0 ? [`compared with ${runId}: ${compared}`] : []),
  ];
}

/** Their requests, made again: the run itself asks no model for it. */
function callsLine({ checked, unkept }: NonNullable<Verification['modelCalls']>): string {
  const lost = unkept > 0 ? `; of ${count(unkept)} nothing is kept any more` : '';
  return `requests to models rebuilt and compared: ${count(checked)}${lost}`;
}

type Log = NonNullable<Verification['log']>;

const CHAIN: Readonly<Record<Log['chain'], string>> = {
  whole: 'of one chain of hashes',
  broken: 'then the chain of hashes is broken',
  none: 'in no chain of hashes: the run is older than those, so a change of an event need not show',
  'not checked': 'the chain of hashes was not checked to its end',
};

function logLines({ eventsChecked, chain, link, artifacts }: Log): string[] {
  const { readable, erased } = artifacts;
  return [
    `events as recorded: ${count(eventsChecked)}, ${CHAIN[chain]}`,
    ...(link === undefined ? [] : [`link of the head: ${link}`]),
    `content as stored: ${count(readable)} pieces${erased > 0 ? `; ${count(erased)} were erased` : ''}`,
  ];
}

function differenceText({ iteration, sequence, what }: NonNullable<Verification['firstDifference']>): string {
  const places = [
    ...(iteration === undefined ? [] : [`window ${iteration}`]),
    ...(sequence === undefined ? [] : [`event ${sequence}`]),
  ];
  return [...places, what].join(', ');
}
