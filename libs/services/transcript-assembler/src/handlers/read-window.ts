import { readWindowSchema, type WindowExplanation, type WindowPlan } from '@palimpsest/contracts';
import { NotFoundError, parseRequest, type EventLog } from '@palimpsest/kernel';
import { planPart } from '../domain/plan-part.js';
import { coveredPlaces, FateRanges, WindowExplainer, type SummaryLink } from '../domain/explain-window.js';
import { RunHistory, type RecordedWindow } from '../history/run-history.js';
import { describeWindow, type RunKey } from './window-describer.js';

/** Answers with recorded windows, and why each message is where it is. */
export class ReadWindow {
  constructor(private readonly log: EventLog) {}

  async read(body: unknown): Promise<WindowPlan> {
    const request = parseRequest(readWindowSchema, body);
    return planPart(await describeWindow(this.log, request, await this.find(request)), request.from);
  }

  async explain(body: unknown): Promise<WindowExplanation> {
    const request = parseRequest(readWindowSchema, body);
    const history = new RunHistory(this.log, request);
    const { window } = await this.find(request);
    const links: SummaryLink[] = [];
    if (window.summarySequences.length > 0) {
      const newest = Math.max(...window.summarySequences);
      for await (const { event, summary } of history.summaries({ from: 0, to: newest })) {
        links.push({ sequence: event.sequence, replacedTurns: summary.replacedTurns });
      }
    }
    const explainer = new WindowExplainer(window, coveredPlaces(window.summarySequences, links));
    const fates = new FateRanges(request.runId);
    for await (const { sequence } of history.allRows(window.asOfSequence, window.tokenCounter)) {
      fates.add(sequence, explainer.fateOf(sequence));
    }
    return { fates: fates.ranges };
  }

  private async find(request: RunKey & { readonly iteration: number }): Promise<RecordedWindow> {
    const header = await this.log.header(request.tenantId, request.runId);
    if (!header) throw new NotFoundError('The run', { runId: request.runId });
    const found = await new RunHistory(this.log, request).windowOf(request.iteration, header.head);
    if (!found) throw new NotFoundError('The window', { runId: request.runId, iteration: request.iteration });
    return found;
  }
}
