import { count } from '../output/text.js';
import { UsageError } from '../program/cli-error.js';
import type { CommonOptions, Session } from '../program/session.js';

export type EraseOptions = CommonOptions & { readonly yes?: true };

type Wanted = { readonly runId: string; readonly artifactId: string | undefined };

/** `palimpsest erase <run> [artifact]` */
export async function eraseContent(wanted: Wanted, options: EraseOptions, session: Session): Promise<void> {
  if (!options.yes)
    throw new UsageError(
      'nothing was erased: what is erased cannot be brought back',
      'If that is what you want, say it again with --yes.',
    );
  const { runId, artifactId } = wanted;
  await (artifactId === undefined
    ? eraseRun(runId, options, session)
    : eraseArtifact({ runId, artifactId }, options, session));
}

async function eraseArtifact(
  { runId, artifactId }: { readonly runId: string; readonly artifactId: string },
  options: EraseOptions,
  session: Session,
): Promise<void> {
  const { output } = session;
  const answer = await (await session.api(options)).eraseArtifact(runId, artifactId);
  if (options.json) return output.json(answer);
  output.lines(answer.artifactIds.map((id) => `${id}  erased`));
  const beside = answer.artifactIds.length - 1;
  if (beside > 0) output.note(`${count(beside)} of these stood for ${artifactId}.`);
}

async function eraseRun(runId: string, options: EraseOptions, session: Session): Promise<void> {
  const { output } = session;
  const { erased, kept, ...answer } = await (await session.api(options)).eraseContent(runId);
  if (options.json) return output.json({ ...answer, erased, kept });
  output.line(`${answer.runId}  ${count(erased)} pieces of content erased now`);
  if (kept > 0)
    output.note(`${count(kept)} are used by other runs; they go when the last of these is erased.`);
}
