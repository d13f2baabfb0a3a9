import type { JsonValue } from '@palimpsest/contracts';
import {
  handOffUntil,
  LoopBrain,
  startWireServer,
  type LoopCall,
  type WireReply,
  type WireRequest,
  type WireServer,
} from '@palimpsest/adapter-model/testing';
import type { ApiClient } from '../api-client.js';
import { Closers } from '../closers.js';
import type { Deployment } from '../deployment.js';
import type { Variables } from '../service-process.js';
import { loopDefinition, register, type LoopWorkflow } from './loop-workflows.js';

/** What the model does in the runs of one workflow. */
export type LoopScript = {
  readonly decide: (turn: number, request: WireRequest) => JsonValue;
  readonly disturb?: (call: LoopCall) => WireReply | undefined;
};

/** A deployment whose model is a server of this test, which plays a part for each workflow. */
export type LoopBench<Deployed extends Deployment> = {
  readonly deployed: Deployed;
  readonly api: ApiClient;
  readonly brain: LoopBrain;
  readonly server: WireServer;
  /** Decides what calls of summarizers get; undefined: a summary. */
  onSummary: ((call: LoopCall) => WireReply | undefined) | undefined;
  /** Registers a loop that follows the script; its prompt names the workflow. */
  addLoop(loop: Omit<LoopWorkflow, 'prompt'>, script: LoopScript): Promise<void>;
  stop(): Promise<void>;
};

const SCRIPT_NAME = /Task: play ([\w-]+)/;

/** For a loop at a small budget in characters, on a model that is asked over HTTP. */
export function loopVariables(server: WireServer): Variables {
  return {
    PALIMPSEST_LOG_LEVEL: 'debug',
    OPENWOP_TEST_SEAM_ENABLED: 'true',
    PALIMPSEST_CONFORMANCE_FIXTURES: 'true',
    PALIMPSEST_IDEMPOTENCY_LEASE_MS: '1000',
    PALIMPSEST_MODEL_PROVIDER: 'openai-compatible',
    PALIMPSEST_MODEL_BASE_URL: server.baseUrl,
    PALIMPSEST_MODEL_NAME: 'scripted',
    PALIMPSEST_MODEL_MAX_ATTEMPTS: '2',
    PALIMPSEST_MODEL_TIMEOUT_MS: '2000',
    PALIMPSEST_SUMMARIZER: 'model',
    PALIMPSEST_DEFAULT_COUNTER: 'chars',
    PALIMPSEST_DEFAULT_BUDGET: String(LOOP_BUDGET),
    PALIMPSEST_DEFAULT_KEEP_LAST_TURNS: '2',
  };
}

/** Code points. */
export const LOOP_BUDGET = 1600;

export function startLoopBench<Deployed extends Deployment>(
  start: (variables: Variables) => Promise<Deployed>,
  more: Variables = {},
): Promise<LoopBench<Deployed>> {
  return Closers.around(async (closers) => {
    const scripts = new Map<string, LoopScript>();
    const scriptOf = ({ messages }: WireRequest) =>
      scripts.get(SCRIPT_NAME.exec(messages[0]?.text ?? '')?.[1] ?? '');
    const otherwise = handOffUntil(2, 'conformance-noop');
    const brain: LoopBrain = new LoopBrain({
      decide: (turn, request) => (scriptOf(request)?.decide ?? otherwise)(turn, request),
      disturb: (call) =>
        call.purpose === 'summary' ? bench.onSummary?.(call) : scriptOf(call.request)?.disturb?.(call),
      latencyMs: 50,
    });
    const server = await startWireServer({ respond: brain.respond });
    closers.add(() => server.close());
    const deployed = await start({ ...loopVariables(server), ...more });
    closers.add(() => deployed.stop());
    const bench: LoopBench<Deployed> = {
      deployed,
      api: deployed.api,
      brain,
      server,
      onSummary: undefined,
      addLoop: async (loop, script) => {
        scripts.set(loop.workflowId, script);
        await register(deployed.api, loopDefinition({ ...loop, prompt: `play ${loop.workflowId}` }));
      },
      stop: () => closers.close(),
    };
    return bench;
  });
}
