import type { MockAnswer, ProgramMock } from '@palimpsest/contracts';
import type { MockProgramStore } from './mock-program-store.js';

type Entry = { readonly answer: MockAnswer; takenBy?: string };

/** Programs of one process's life, for tests. */
export class MemoryMockProgramStore implements MockProgramStore {
  readonly #programs = new Map<string, Entry[]>();

  program({ tenantId, nodeId, program }: ProgramMock): Promise<void> {
    this.#programs.set(
      JSON.stringify([tenantId, nodeId]),
      program.map((answer) => ({ answer })),
    );
    return Promise.resolve();
  }

  take({
    tenantId,
    nodeId,
    invocationId,
  }: Parameters<MockProgramStore['take']>[0]): Promise<MockAnswer | undefined> {
    const entries = this.#programs.get(JSON.stringify([tenantId, nodeId])) ?? [];
    const entry =
      entries.find(({ takenBy }) => takenBy === invocationId) ??
      entries.find(({ takenBy }) => takenBy === undefined);
    if (entry) entry.takenBy = invocationId;
    return Promise.resolve(entry?.answer);
  }
}
