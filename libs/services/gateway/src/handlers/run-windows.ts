import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject, RunHeader, WindowPlan } from '@palimpsest/contracts';
import type { WindowFormat } from '../domain/requests.js';
import { windowDocument } from '../domain/window-document.js';
import { WINDOW_ASSEMBLER, type WindowAssembler } from '../ports.js';
import { WindowTextsReader } from './window-texts.js';

@Injectable()
export class RunWindows {
  constructor(
    @Inject(WINDOW_ASSEMBLER) private readonly assembler: WindowAssembler,
    @Inject(WindowTextsReader) private readonly texts: WindowTextsReader,
  ) {}

  /** The window of the next iteration as of the run's head, recorded. */
  plan(run: RunHeader, expectedSequence: number | undefined): Promise<WindowPlan> {
    return this.assembler.planWindow({
      tenantId: run.tenantId,
      runId: run.runId,
      asOfSequence: run.head,
      ...(expectedSequence !== undefined && { expectedSequence }),
    });
  }

  recorded(run: RunHeader, iteration: number): Promise<WindowPlan> {
    return this.assembler.readWindow({ tenantId: run.tenantId, runId: run.runId, iteration });
  }

  async document(run: RunHeader, plan: WindowPlan, format: WindowFormat): Promise<JsonObject> {
    const texts = await this.texts.read(run.tenantId, plan);
    return windowDocument({ runId: run.runId, plan, texts, format });
  }

  /** As `document`, with what became of every transcript event, and why. */
  async explained(run: RunHeader, iteration: number, format: WindowFormat): Promise<JsonObject> {
    const query = { tenantId: run.tenantId, runId: run.runId, iteration };
    const [plan, { fates }] = await Promise.all([
      this.assembler.readWindow(query),
      this.assembler.explainWindow(query),
    ]);
    const texts = await this.texts.read(run.tenantId, plan);
    return windowDocument({ runId: run.runId, plan, texts, format, fates });
  }
}
