import type { ModelName, ModelUsage } from '@palimpsest/kernel';
import type { RunKey } from '../orchestrator-ports.js';
import type {
  Claim,
  ClaimRequest,
  InvocationKey,
  InvocationStore,
  KeptAnswer,
  KeptCall,
  Settlement,
} from './invocation-store.js';

type Row = {
  readonly run: string;
  readonly place: { readonly nodeId: string; readonly ordinal: number; readonly name: ModelName };
  readonly createdAt: Date;
  readonly usages: readonly ModelUsage[];
  readonly answer?: KeptAnswer;
  readonly cacheKey?: string;
  readonly lease?: { readonly owner: string; readonly until: Date };
};

/** Invocations of one process's life, for tests. */
export class MemoryInvocationStore implements InvocationStore {
  readonly #rows = new Map<string, Row>();

  claim({ owner, now, until, nodeId, ordinal, name, ...key }: ClaimRequest): Promise<Claim> {
    const row = this.#rows.get(keyOf(key));
    if (row?.answer) {
      const { answer, usages, cacheKey } = row;
      return Promise.resolve({
        kind: 'answered',
        answer,
        usages,
        ...(cacheKey !== undefined && { cacheKey }),
      });
    }
    const { lease } = row ?? {};
    if (lease && lease.until > now && lease.owner !== owner) return Promise.resolve({ kind: 'taken' });
    const place = { run: runOf(key), place: { nodeId, ordinal, name } };
    this.#rows.set(keyOf(key), { ...place, createdAt: now, usages: [], ...row, lease: { owner, until } });
    return Promise.resolve({ kind: 'claimed' });
  }

  renew({ owner, until, ...key }: Parameters<InvocationStore['renew']>[0]): Promise<boolean> {
    const row = this.#rows.get(keyOf(key));
    if (row?.lease?.owner !== owner) return Promise.resolve(false);
    this.#rows.set(keyOf(key), { ...row, lease: { owner, until } });
    return Promise.resolve(true);
  }

  settle({ owner, answer, usages, cacheKey, ...key }: Settlement): ReturnType<InvocationStore['settle']> {
    const row = this.#rows.get(keyOf(key));
    if (!row) return Promise.resolve({ usages, ...(answer && { answer }) });
    const { lease, ...rest } = row;
    const kept = rest.answer ?? answer;
    const isFirst = kept !== undefined && rest.answer === undefined;
    const settled = {
      ...rest,
      usages: [...rest.usages, ...usages],
      ...(kept && { answer: kept }),
      ...(isFirst && cacheKey !== undefined && { cacheKey }),
    };
    this.#rows.set(keyOf(key), lease && lease.owner !== owner ? { ...settled, lease } : settled);
    return Promise.resolve({ usages: settled.usages, ...(kept && { answer: kept }) });
  }

  keptCalls(run: RunKey): Promise<readonly KeptCall[]> {
    const kept = [...this.#rows.values()].filter((row) => row.run === runOf(run) && row.answer);
    return Promise.resolve(
      kept.flatMap(({ place: { nodeId, ordinal, name }, cacheKey }) =>
        cacheKey === undefined ? [] : [{ ...name, nodeId, ordinal, cacheKey }],
      ),
    );
  }

  purge(before: Date, limit: number): Promise<number> {
    const old = [...this.#rows].filter(([, { createdAt }]) => createdAt < before).slice(0, limit);
    for (const [key] of old) this.#rows.delete(key);
    return Promise.resolve(old.length);
  }
}

function runOf({ tenantId, runId }: RunKey): string {
  return JSON.stringify([tenantId, runId]);
}

function keyOf({ tenantId, runId, invocationId }: InvocationKey): string {
  return JSON.stringify([tenantId, runId, invocationId]);
}
