import type { CountTokens, SummaryRequest } from '@palimpsest/kernel';
import { renderMessage, renderSummary } from '@palimpsest/transcript';

/** Characters of one message that are counted: a summary is far smaller. */
const LOOK_AT = 64 * 1024;

/** Whether a summary counts less than all that it stands for. Counts no more of that than it has to. */
export function isSmaller(text: string, request: SummaryRequest, count: CountTokens): boolean {
  const { tokenCounter, absorbed, messages } = request;
  let left = count(renderSummary(text), tokenCounter);
  for (const source of [
    ...absorbed.map(({ text: earlier }) => renderSummary(earlier)),
    ...messages.map(renderMessage),
  ]) {
    left -= count(source.slice(0, LOOK_AT), tokenCounter);
    if (left < 0) return true;
  }
  return false;
}
