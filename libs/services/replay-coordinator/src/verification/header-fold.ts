import {
  foldOwnLoop,
  ownLoopStatusAfter,
  RUN_STARTED,
  startedOwnLoop,
  type JsonObject,
  type JsonValue,
  type OwnLoopState,
  type RecordedEvent,
  type RunHeader,
  type RunStatus,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { canonicalStored } from '@palimpsest/kernel';
import { foldWorkflowRun, runStatusOf } from '@palimpsest/workflow';
import { runKindOf } from '../domain/run-kind.js';
import { whatDiffers, type LogDifference } from './log-differences.js';

type Standing = { readonly status: RunStatus; readonly state: JsonValue };

/**
 * What a run's row says, beside what its log adds up to, event by event up to its head. Compared where the log itself is as
 * it was recorded, and begins with a start: of any other there is nothing to add up. Holds one state.
 */
export class HeaderFold {
  #last: RecordedEvent | undefined;
  #started: JsonObject | undefined;
  #ownLoop: OwnLoopState | undefined;
  #workflow: WorkflowRunState | undefined;
  #isFoldable = true;

  constructor(private readonly header: RunHeader) {}

  takes(event: RecordedEvent): void {
    if (event.sequence === 0 && event.type === RUN_STARTED) this.#started = event.payload;
    this.#last = event;
    if (!this.#started || !this.#isFoldable) return;
    try {
      this.#fold(event, this.#started);
    } catch {
      // A log without a chain may say anything. What adds up to nothing is not what the row was made of.
      this.#isFoldable = false;
    }
  }

  /** At the head, as that is what the row is of. */
  differs(): LogDifference | undefined {
    const { head, workflowId } = this.header;
    if (!this.#last || !this.#started) return undefined;
    const named = this.#started['workflowId'];
    if (named !== undefined && named !== workflowId) return whatDiffers('workflow', head);
    if (this.header.updatedAt !== this.#changedAt(this.#last)) return whatDiffers('change', head);
    if (this.#isIncomplete()) return undefined;
    const standing = this.#standing(this.#last);
    if (!standing) return whatDiffers('state', head);
    if (standing.status !== this.header.status) return whatDiffers('status', head);
    const isSame = this.#comparable(standing.state) === this.#comparable(this.header.state);
    return isSame ? undefined : whatDiffers('state', head);
  }

  /** A fork that has nothing of its own yet was changed when it was made. */
  #changedAt({ timestamp }: RecordedEvent): string {
    const { origin, head, createdAt } = this.header;
    return origin && head < origin.fromSequence ? createdAt : timestamp;
  }

  get #isOwnLoop(): boolean {
    return runKindOf(this.header.workflowId) === 'own-loop';
  }

  #fold(event: RecordedEvent, started: JsonObject): void {
    if (this.#isOwnLoop) this.#ownLoop = foldOwnLoop(this.#ownLoop ?? startedOwnLoop(started), event);
    else this.#workflow = foldWorkflowRun(this.#workflow, event);
  }

  /** The row of a fork is brought up to its log with the last event that it has from its source. */
  #isIncomplete(): boolean {
    const { origin, head, state } = this.header;
    const target = memberOf(state, 'replayTarget');
    return origin !== undefined && typeof target === 'number' && head < target;
  }

  #standing({ type }: RecordedEvent): Standing | undefined {
    if (!this.#isFoldable) return undefined;
    if (this.#workflow) return { status: runStatusOf(this.#workflow), state: this.#workflow as JsonValue };
    const { origin, head } = this.header;
    // A fork that has nothing of its own yet goes on, wherever it left its source.
    const status = origin && head < origin.fromSequence ? 'running' : ownLoopStatusAfter(type);
    return { status, state: this.#ownLoop as unknown as JsonValue };
  }

  /**
   * The text that is compared. Of a fork not how far it was to repeat, which its log does not tell; of one that the host
   * executes neither its times, as those of what it shares were moved to when it was made.
   */
  #comparable(state: JsonValue): string {
    if (!this.header.origin || !isObject(state)) return canonicalStored(state);
    const { replayTarget: _target, ...rest } = state;
    return canonicalStored(this.#isOwnLoop ? rest : timeless(rest));
  }
}

function timeless({ activeMs: _ms, activeSince: _since, nodes = {}, ...rest }: JsonObject): JsonObject {
  if (!isObject(nodes)) return { ...rest, nodes };
  const statuses = Object.entries(nodes).map(([id, node]) => [id, memberOf(node, 'status') ?? null]);
  return { ...rest, nodes: Object.fromEntries(statuses) as JsonObject };
}

function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  return isObject(value) ? value[name] : undefined;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
