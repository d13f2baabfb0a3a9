import {
  ASSEMBLER_SUBJECTS,
  usageSchema,
  verificationSchema,
  windowExplanationSchema,
  windowPlanSchema,
  type PlanWindow,
  type ReadWindow,
  type RunQuery,
  type Usage,
  type UsageQuery,
  type Verification,
  type WindowExplanation,
  type WindowPlan,
} from '@palimpsest/contracts';
import type { MessageBus } from '@palimpsest/kernel';
import { ask } from './ask.js';

const READ_TIMEOUT_MS = 5000;
/** A window may wait for a summary. */
const PLAN_TIMEOUT_MS = 30_000;
/** Every window of a run is derived again. */
const VERIFY_TIMEOUT_MS = 120_000;

/** Windows, over the bus: plans with ids, counts and places, never with text. */
export class AssemblerClient {
  readonly #bus: MessageBus;

  constructor(bus: MessageBus) {
    this.#bus = bus;
  }

  async planWindow(query: PlanWindow): Promise<WindowPlan> {
    const question = { subject: ASSEMBLER_SUBJECTS.planWindow, body: query, timeoutMs: PLAN_TIMEOUT_MS };
    return this.#whole(query, await ask(this.#bus, question, windowPlanSchema));
  }

  async readWindow(query: ReadWindow): Promise<WindowPlan> {
    return this.#whole(query, await this.#part(query));
  }

  /** A window of thousands of entries is larger than a message. It is recorded, so its parts fit together. */
  async #whole(run: RunQuery, { next, ...first }: WindowPlan): Promise<WindowPlan> {
    const { tenantId, runId } = run;
    const entries = [...first.entries];
    const instructions = [...first.instructions];
    for (let from = next; from !== undefined;) {
      const part = await this.#part({ tenantId, runId, iteration: first.window.iteration, from });
      entries.push(...part.entries);
      instructions.push(...part.instructions);
      from = part.next;
    }
    return { ...first, entries, instructions };
  }

  #part(query: ReadWindow): Promise<WindowPlan> {
    const question = { subject: ASSEMBLER_SUBJECTS.readWindow, body: query, timeoutMs: READ_TIMEOUT_MS };
    return ask(this.#bus, question, windowPlanSchema);
  }

  explainWindow(query: ReadWindow): Promise<WindowExplanation> {
    const question = { subject: ASSEMBLER_SUBJECTS.explainWindow, body: query, timeoutMs: READ_TIMEOUT_MS };
    return ask(this.#bus, question, windowExplanationSchema);
  }

  usage(query: UsageQuery): Promise<Usage> {
    const question = { subject: ASSEMBLER_SUBJECTS.usage, body: query, timeoutMs: READ_TIMEOUT_MS };
    return ask(this.#bus, question, usageSchema);
  }

  verify(query: RunQuery): Promise<Verification> {
    const question = { subject: ASSEMBLER_SUBJECTS.verify, body: query, timeoutMs: VERIFY_TIMEOUT_MS };
    return ask(this.#bus, question, verificationSchema);
  }
}
