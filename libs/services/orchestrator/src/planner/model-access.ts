import type { PlanWindow, ReadWindow, WindowPlan } from '@palimpsest/contracts';
import type { ArtifactStore, Model } from '@palimpsest/kernel';
import type { ModelNames } from '../invocations/model-names.js';

/** The assembler, as the planner asks it. */
export interface WindowSource {
  /** Of a turn that was asked for before, the window that was recorded then. */
  planWindow(query: PlanWindow): Promise<WindowPlan>;
  /** One that was recorded. */
  readWindow(query: Pick<ReadWindow, 'tenantId' | 'runId' | 'iteration'>): Promise<WindowPlan>;
}

/** A model that is configured, and what it takes to feed it. */
export type ModelAccess = {
  readonly model: Model;
  readonly names: ModelNames;
  /** Longest wait for one answer where a node does not say, in milliseconds. */
  readonly timeoutMs: number;
  readonly windows: WindowSource;
  readonly artifacts: Pick<ArtifactStore, 'get' | 'put'>;
};
