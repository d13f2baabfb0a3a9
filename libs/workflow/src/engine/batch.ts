import type { JsonObject, NewRunEvent, WorkflowRunState } from '@palimpsest/contracts';
import { foldWorkflowRun } from '../fold/fold-workflow-run.js';
import { BATCH_BYTES, BATCH_EVENTS, STATE_BYTES } from './engine-limits.js';
import { jsonBytes } from './json-size.js';

/** A payload may come back in the state twice, with names around it. */
const GROWTH_PER_EVENT = 1024;

/** Events of one append, and the state that they make. */
export class Batch {
  readonly events: NewRunEvent[] = [];
  #bytes = 0;
  /** Never below the state's size; exact where it was needed. */
  #stateBytes: number | undefined;

  constructor(
    public state: WorkflowRunState,
    public head: number,
    readonly timestamp: string,
  ) {}

  get full(): boolean {
    return this.events.length >= BATCH_EVENTS || this.#bytes >= BATCH_BYTES;
  }

  add(event: NewRunEvent): void {
    const bytes = jsonBytes(event.payload);
    this.head += 1;
    this.state = foldWorkflowRun(this.state, { ...event, sequence: this.head, timestamp: this.timestamp });
    this.events.push(event);
    this.#bytes += bytes;
    if (this.#stateBytes !== undefined) this.#stateBytes += 2 * bytes + GROWTH_PER_EVENT;
  }

  /** Measuring takes as long as writing the state: it is left out while it cannot matter. */
  stateIsTooLarge(): boolean {
    if (this.#stateBytes === undefined || this.#stateBytes > STATE_BYTES) {
      this.#stateBytes = jsonBytes(this.state as unknown as JsonObject);
    }
    return this.#stateBytes > STATE_BYTES;
  }
}
