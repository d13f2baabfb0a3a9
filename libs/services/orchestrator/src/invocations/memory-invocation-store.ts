import type { ModelUsage } from '@palimpsest/kernel';
import type {
  Claim,
  ClaimRequest,
  InvocationKey,
  InvocationStore,
  KeptAnswer,
  Settlement,
} from './invocation-store.js';

type Row = {
  readonly createdAt: Date;
  readonly usages: readonly ModelUsage[];
  readonly answer?: KeptAnswer;
  readonly lease?: { readonly owner: string; readonly until: Date };
};

/** Invocations of one process's life, for tests. */
export class MemoryInvocationStore implements InvocationStore {
  readonly #rows = new Map<string, Row>();

  claim({ owner, now, until, ...key }: ClaimRequest): Promise<Claim> {
    const row = this.#rows.get(keyOf(key));
    if (row?.answer) return Promise.resolve({ kind: 'answered', answer: row.answer, usages: row.usages });
    const { lease } = row ?? {};
    if (lease && lease.until > now && lease.owner !== owner) return Promise.resolve({ kind: 'taken' });
    this.#rows.set(keyOf(key), { createdAt: now, usages: [], ...row, lease: { owner, until } });
    return Promise.resolve({ kind: 'claimed' });
  }

  renew({ owner, until, ...key }: Parameters<InvocationStore['renew']>[0]): Promise<boolean> {
    const row = this.#rows.get(keyOf(key));
    if (row?.lease?.owner !== owner) return Promise.resolve(false);
    this.#rows.set(keyOf(key), { ...row, lease: { owner, until } });
    return Promise.resolve(true);
  }

  settle({ owner, answer, usages, ...key }: Settlement): ReturnType<InvocationStore['settle']> {
    const row = this.#rows.get(keyOf(key));
    if (!row) return Promise.resolve({ usages, ...(answer && { answer }) });
    const { lease, ...rest } = row;
    const kept = rest.answer ?? answer;
    const settled = { ...rest, usages: [...rest.usages, ...usages], ...(kept && { answer: kept }) };
    this.#rows.set(keyOf(key), lease && lease.owner !== owner ? { ...settled, lease } : settled);
    return Promise.resolve({ usages: settled.usages, ...(kept && { answer: kept }) });
  }

  purge(before: Date, limit: number): Promise<number> {
    const old = [...this.#rows].filter(([, { createdAt }]) => createdAt < before).slice(0, limit);
    for (const [key] of old) this.#rows.delete(key);
    return Promise.resolve(old.length);
  }
}

function keyOf({ tenantId, runId, invocationId }: InvocationKey): string {
  return JSON.stringify([tenantId, runId, invocationId]);
}
