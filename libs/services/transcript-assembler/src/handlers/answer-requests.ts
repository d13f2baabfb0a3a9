import { ASSEMBLER_SUBJECTS, type JsonValue } from '@palimpsest/contracts';
import type { BusSubscription, MessageBus } from '@palimpsest/kernel';
import { planPart } from '../domain/plan-part.js';
import type { PlanWindow } from './plan-window.js';
import type { ReadWindow } from './read-window.js';
import type { ReportUsage } from './report-usage.js';
import type { SummaryDesk } from './summary-desk.js';
import type { VerifyRun } from './verify-run.js';

const QUEUE = 'transcript-assembler';

export type AssemblerHandlers = {
  readonly planWindow: PlanWindow;
  readonly readWindow: ReadWindow;
  readonly reportUsage: ReportUsage;
  readonly verifyRun: VerifyRun;
  readonly summaries: SummaryDesk;
};

/** Subscribes the handlers to the assembler's subjects. */
export function answerRequests(bus: MessageBus, handlers: AssemblerHandlers): Promise<BusSubscription[]> {
  const answer = (subject: string, handler: (body: JsonValue) => Promise<object>): Promise<BusSubscription> =>
    bus.respond(subject, QUEUE, async (body) => (await handler(body)) as JsonValue);
  return Promise.all([
    answer(ASSEMBLER_SUBJECTS.planWindow, async (body) => planPart(await handlers.planWindow.handle(body))),
    answer(ASSEMBLER_SUBJECTS.readWindow, (body) => handlers.readWindow.read(body)),
    answer(ASSEMBLER_SUBJECTS.explainWindow, (body) => handlers.readWindow.explain(body)),
    answer(ASSEMBLER_SUBJECTS.usage, (body) => handlers.reportUsage.handle(body)),
    answer(ASSEMBLER_SUBJECTS.verify, (body) => handlers.verifyRun.handle(body)),
    answer(ASSEMBLER_SUBJECTS.claimSummary, (body) => handlers.summaries.claim(body)),
    answer(ASSEMBLER_SUBJECTS.completeSummary, (body) => handlers.summaries.complete(body)),
  ]);
}
