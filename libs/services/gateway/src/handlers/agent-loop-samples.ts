import { Inject, Injectable } from '@nestjs/common';
import {
  CAP_BREACHED,
  INTERRUPT_RESOLVED,
  ORCHESTRATOR_DECIDED,
  type JsonObject,
  type RecordedEvent,
  type RunHeader,
} from '@palimpsest/contracts';
import { EVENT_LOG, type EventLog } from '@palimpsest/kernel';
import type { AgentLoopRequest } from '../domain/agent-loop-sample.js';
import type { Caller } from '../domain/api-key.js';
import { awaitedOf } from '../domain/workflow-snapshot.js';
import { AgentLoopStarts } from './agent-loop-starts.js';
import { AnswerInterrupts } from './answer-interrupts.js';
import { SettledRuns } from './settled-runs.js';

/** What the loop's log says once it has come to rest. */
export type AgentLoopRun = {
  readonly runId: string;
  readonly decisions: readonly JsonObject[];
  /** The turn that went on once its decision was ratified. */
  readonly resumedIteration?: number;
  /** The cap that ended it. */
  readonly bound?: JsonObject;
};

/** Below the time that clients of the protocol's suite wait for an answer. */
const WITHIN_MS = 15_000;
const TYPES = [ORCHESTRATOR_DECIDED, INTERRUPT_RESOLVED, CAP_BREACHED];

/** Loops of the engine itself, started, waited for and ratified on behalf of a conformance test. */
@Injectable()
export class AgentLoopSamples {
  constructor(
    @Inject(AgentLoopStarts) private readonly starts: AgentLoopStarts,
    @Inject(SettledRuns) private readonly settled: SettledRuns,
    @Inject(AnswerInterrupts) private readonly answers: AnswerInterrupts,
    @Inject(EVENT_LOG) private readonly log: EventLog,
  ) {}

  async run(caller: Caller, request: AgentLoopRequest, gone: AbortSignal): Promise<AgentLoopRun> {
    const started = await this.starts.start(caller, request);
    const isAsked = (header: RunHeader): boolean => awaitedOf(header) !== undefined;
    const rested = await this.settled.settled(started, { until: isAsked, withinMs: WITHIN_MS, gone });
    if (request.resume) await this.ratify(caller, rested, gone);
    return this.outcomeOf(rested);
  }

  private async ratify(caller: Caller, run: RunHeader, gone: AbortSignal): Promise<void> {
    const awaited = awaitedOf(run);
    if (!awaited) return;
    const decidedBy = `key:${caller.keyId}`;
    const answer = { resumeValue: { action: 'accept' }, decidedBy, attempt: {} };
    await this.answers.ofNode(run, awaited.nodeId, answer);
    await this.settled.settled(run, { until: () => false, withinMs: WITHIN_MS, gone });
  }

  private async outcomeOf({ tenantId, runId }: RunHeader): Promise<AgentLoopRun> {
    // At most one decision a turn: they fit one page.
    const { events } = await this.log.readRun({ tenantId, runId, fromSequence: 0, types: TYPES });
    const ofType = (type: string) => events.filter((event) => event.type === type);
    const decided = ofType(ORCHESTRATOR_DECIDED);
    const resumedIteration = iterationAfter(ofType(INTERRUPT_RESOLVED)[0], decided);
    const [breach] = ofType(CAP_BREACHED);
    return {
      runId,
      decisions: decided.map(({ payload }) => payload),
      ...(resumedIteration !== undefined && { resumedIteration }),
      ...(breach && { bound: breach.payload }),
    };
  }
}

function iterationAfter(
  answer: RecordedEvent | undefined,
  decided: readonly RecordedEvent[],
): number | undefined {
  const next = answer && decided.find(({ sequence }) => sequence > answer.sequence);
  return next && Number(next.payload['iteration']);
}
