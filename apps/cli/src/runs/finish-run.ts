import type { CommonOptions, Session } from '../program/session.js';

/** `palimpsest finish <run>` */
export async function finishRun(runId: string, options: CommonOptions, session: Session): Promise<void> {
  const run = await (await session.api(options)).finish(runId);
  if (options.json) session.output.json(run);
  else session.output.line(`${run.runId}  ${run.status}`);
}
