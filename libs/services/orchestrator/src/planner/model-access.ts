import type { PlanWindow, WindowPlan } from '@palimpsest/contracts';
import type { ArtifactStore, Model } from '@palimpsest/kernel';

/** The assembler, as the planner asks it. */
export interface WindowSource {
  /** Of a turn that was asked for before, the window that was recorded then. */
  planWindow(query: PlanWindow): Promise<WindowPlan>;
}

/** A model that is configured, and what it takes to feed it. */
export type ModelAccess = {
  readonly model: Model;
  /** Provider and model, as part of every invocation's id: `anthropic:claude-opus-5`. */
  readonly providerKey: string;
  /** Longest wait for one answer where a node does not say, in milliseconds. */
  readonly timeoutMs: number;
  readonly windows: WindowSource;
  readonly artifacts: Pick<ArtifactStore, 'get' | 'put'>;
};
