import type { CommonOptions, Session } from '../program/session.js';
import { printableAnswer } from '../output/text.js';
import { reportLines } from './report-lines.js';

export type ReportOptions = CommonOptions & { readonly family: string };

/** `palimpsest rollout report <environment> --family <name>` */
export async function showReport(
  environment: string,
  options: ReportOptions,
  session: Session,
): Promise<void> {
  const { output } = session;
  const report = await (await session.api(options)).registry.rolloutReport(environment, options.family);
  if (options.json) output.json(report);
  else output.lines(reportLines(printableAnswer(report), output));
}
