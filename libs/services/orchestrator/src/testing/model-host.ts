import { MemoryArtifactStore } from '@palimpsest/adapter-memory';
import { createModel } from '@palimpsest/adapter-model';
import {
  startWireServer,
  type WireReply,
  type WireRequest,
  type WireServer,
} from '@palimpsest/adapter-model/testing';
import type { ModelAccess } from '../planner/model-access.js';
import { SpecWindows } from './spec-windows.js';
import type { WorkflowHarness } from './workflow-harness.js';

export type ModelHost = {
  readonly server: WireServer;
  readonly windows: SpecWindows;
  readonly artifacts: MemoryArtifactStore;
  readonly access: ModelAccess;
  /** What the provider says from now on. */
  respond: (request: WireRequest) => WireReply | Promise<WireReply>;
  close(): Promise<void>;
};

const NAMES = { provider: 'openai-compatible', model: 'm-1', allowed: ['m-2'] } as const;

/** A model on a server that speaks a provider's wire format, and windows for it. */
export async function openModelHost(harness: WorkflowHarness): Promise<ModelHost> {
  const artifacts = new MemoryArtifactStore();
  const windows = new SpecWindows(harness, artifacts);
  const server = await startWireServer({ respond: (request) => host.respond(request) });
  const options = { provider: 'openai-compatible', baseUrl: server.baseUrl, model: 'm-1' } as const;
  const model = createModel({ ...options, maxAttempts: 1, maxRepairs: 1 });
  const host: ModelHost = {
    server,
    windows,
    artifacts,
    access: { model, names: NAMES, timeoutMs: 60_000, windows, artifacts },
    respond: () => decide({ kind: 'terminate', reason: 'goal-reached' }),
    close: () => server.close(),
  };
  return host;
}

export function decide(value: Extract<WireReply, { kind: 'object' }>['value']): WireReply {
  return { kind: 'object', value, usage: { input: 100, output: 10 } };
}

/** Decisions so far that a request shows: what a scripted provider goes by. */
export function turnsIn({ messages }: WireRequest): number {
  return messages.filter(({ role, text }) => role === 'assistant' && text.startsWith('turn ')).length;
}
