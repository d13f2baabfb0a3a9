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

function verificationLines(verification: Verification, { green, red }: Palette): string[] {
  const {
    windowsChecked,
    artifactsChecked,
    comparedWith: source,
    firstDifference: difference,
  } = verification;
  return [
    verification.ok
      ? green('verified: log and content give every window again, byte for byte')
      : red('not verified'),
    ...(difference ? [`first difference: ${differenceText(difference)}`] : []),
    `windows derived again: ${count(windowsChecked)}, from ${count(artifactsChecked)} pieces of content`,
    ...(source
      ? [
          `compared with ${source.runId}: ${count(source.windows)} windows, ${count(source.summaries)} summaries`,
        ]
      : []),
    `summarizer calls: ${count(verification.summarizerCalls)}`,
    `digest of all windows: ${verification.windowsDigest}`,
  ];
}

function differenceText({ iteration, sequence, what }: NonNullable<Verification['firstDifference']>): string {
  const places = [
    ...(iteration === undefined ? [] : [`window ${iteration}`]),
    ...(sequence === undefined ? [] : [`event ${sequence}`]),
  ];
  return [...places, what].join(', ');
}
