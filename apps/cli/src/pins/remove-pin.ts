import type { CommonOptions, Session } from '../program/session.js';

type Wanted = { readonly runId: string; readonly pinId: string };

/** `palimpsest pin remove <run> <pin>` */
export async function removePin(
  { runId, pinId }: Wanted,
  options: CommonOptions,
  session: Session,
): Promise<void> {
  const removed = await (await session.api(options)).removePin(runId, pinId);
  if (options.json) session.output.json(removed);
  else session.output.line(`${removed.pinId}  removed`);
}
