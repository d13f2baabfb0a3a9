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

  planWindow(query: PlanWindow): Promise<WindowPlan> {
    const question = { subject: ASSEMBLER_SUBJECTS.planWindow, body: query, timeoutMs: PLAN_TIMEOUT_MS };
    return ask(this.#bus, question, windowPlanSchema);
  }

  readWindow(query: ReadWindow): Promise<WindowPlan> {
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
