import type { CallsVerified, RunQuery } from '@palimpsest/contracts';
import { NotFoundError, readEvents, type EventLog } from '@palimpsest/kernel';
import { workflowStateOf } from '@palimpsest/workflow';
import type { KnownDefinitions } from '../definitions/known-definitions.js';
import { callKey } from '../invocations/call-key.js';
import type { InvocationStore, KeptCall } from '../invocations/invocation-store.js';
import type { RunKey } from '../orchestrator-ports.js';
import { DefinitionMissingError } from '../runs/advance-run.js';
import { CallWriters } from './call-writers.js';
import { decidedCalls, type DecidedCall } from './decided-calls.js';
import { nameThen, remadeRequest, type Feed } from './remade-request.js';

export type CallVerificationPorts = {
  readonly eventLog: Pick<EventLog, 'header' | 'readRun'>;
  readonly definitions: Pick<KnownDefinitions, 'version'>;
  readonly invocations: Pick<InvocationStore, 'keptCalls'>;
  readonly feed?: Feed | undefined;
};

/**
 * Makes the request of every answered call of a run again, from its log, its windows and its definition, and compares its
 * cache key with the one that was kept with the answer (host specification §6.8). What a fork shares with its source, or
 * repeats, is compared with the calls of the run that made them. @throws NotFoundError, DefinitionMissingError
 */
export async function verifyCalls(ports: CallVerificationPorts, query: RunQuery): Promise<CallsVerified> {
  const { tenantId, runId } = query;
  const header = await ports.eventLog.header(tenantId, runId);
  if (!header) throw new NotFoundError('The run', { runId });
  const state = workflowStateOf(header.state);
  if (!state) return { checked: 0, unkept: 0 };
  const version = await ports.definitions.version(state.workflowDigest);
  if (!version) throw new DefinitionMissingError(state.workflowDigest);
  const kept = new KeptCallsOfRuns(ports, query);
  let verified: CallsVerified = { checked: 0, unkept: 0 };
  const events = readEvents(ports.eventLog, { tenantId, runId, from: 0, to: header.head });
  for await (const call of decidedCalls(version.definition, events)) {
    verified = withCall(verified, call, await verdictOn(ports, query, { call, kept: await kept.of(call) }));
  }
  return verified;
}

/** `unkept`: there is nothing to compare with, or nothing to compare. */
type Verdict = 'same' | 'another' | 'unkept';

function withCall(
  { checked, unkept, firstDifference }: CallsVerified,
  { nodeId, sequence, ordinal, asked }: DecidedCall,
  verdict: Verdict,
): CallsVerified {
  if (verdict === 'unkept')
    return { checked, unkept: unkept + 1, ...(firstDifference && { firstDifference }) };
  const isTurn = asked[0]?.question.kind === 'decide';
  const here = { sequence, nodeId, ...(isTurn && { iteration: ordinal }) };
  const first = firstDifference ?? (verdict === 'another' ? here : undefined);
  return { checked: checked + 1, unkept, ...(first && { firstDifference: first }) };
}

/** A call that could not be made at first may have been made from a later state, and by another model after a restart. */
async function verdictOn(
  { feed }: CallVerificationPorts,
  run: RunKey,
  { call, kept }: { readonly call: DecidedCall; readonly kept: readonly KeptCall[] },
): Promise<Verdict> {
  if (kept.length === 0) return 'unkept';
  let compared = false;
  for (const then of call.asked) {
    const request = await remadeRequest(feed, run, then);
    if (!request) continue;
    const keys = kept.map((each) => [callKey(nameThen(then, each), request), each.cacheKey] as const);
    if (keys.some(([now, recorded]) => now === recorded)) return 'same';
    compared ||= keys.some(([now]) => now !== undefined);
  }
  return compared ? 'another' : 'unkept';
}

/** Kept calls by the run that made them, and their place in it. */
class KeptCallsOfRuns {
  readonly #writers: CallWriters;
  readonly #calls = new Map<string, ReadonlyMap<string, readonly KeptCall[]>>();

  constructor(
    private readonly ports: CallVerificationPorts,
    private readonly run: RunKey,
  ) {
    this.#writers = new CallWriters((runId) => ports.eventLog.header(run.tenantId, runId));
  }

  async of({ nodeId, ordinal, sequence }: DecidedCall): Promise<readonly KeptCall[]> {
    const writer = await this.#writers.writerOf(this.run.runId, sequence);
    const calls = this.#calls.get(writer) ?? (await this.#read(writer));
    return calls.get(placeOf({ nodeId, ordinal })) ?? [];
  }

  async #read(runId: string): Promise<ReadonlyMap<string, readonly KeptCall[]>> {
    const { tenantId } = this.run;
    const calls = new Map<string, readonly KeptCall[]>();
    for (const call of await this.ports.invocations.keptCalls({ tenantId, runId }))
      calls.set(placeOf(call), [...(calls.get(placeOf(call)) ?? []), call]);
    this.#calls.set(runId, calls);
    return calls;
  }
}

function placeOf({ nodeId, ordinal }: Pick<KeptCall, 'nodeId' | 'ordinal'>): string {
  return JSON.stringify([nodeId, ordinal]);
}
