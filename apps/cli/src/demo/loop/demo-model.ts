// The demo shows a loop where there is no provider: the bundled server is what it shows it on, and no part of a host.
// eslint-disable-next-line palimpsest/layers
import { handOffUntil, LoopBrain, startWireServer } from '@palimpsest/adapter-model/testing';
import { modelConfigOf, modelRule, modelVariables, readConfig, type ModelConfig } from '@palimpsest/host';
import type { Environment } from '../../output/output.js';
import type { Reporter } from './loop-definitions.js';

/** The model that decides the demo's turns. */
export type DemoModel = {
  readonly isBundled: boolean;
  /** Who it is, for a person. */
  readonly name: string;
  /** Where it is asked, without credentials; undefined where the provider has a default. */
  readonly baseUrl: string | undefined;
  /** What points the services at it. */
  readonly variables: Environment;
  /** Requests that it was asked so far; undefined where only the provider knows. */
  requests(): number | undefined;
  close(): Promise<void>;
};

const PREFIX = 'PALIMPSEST_MODEL_';
const LATENCY_MS = 30;

/**
 * The provider that the environment names, else a server of this process that speaks the wire format of one.
 * @throws ConfigurationError where the environment names half of one
 */
export function openDemoModel(
  environment: Environment,
  reporters: readonly Reporter[],
): DemoModel | Promise<DemoModel> {
  const named = modelConfigOf(readConfig(modelVariables, environment, [modelRule]));
  return named ? namedModel(named, environment) : bundledModel(reporters);
}

function namedModel({ model, provider, baseUrl }: ModelConfig, environment: Environment): DemoModel {
  const variables = Object.fromEntries(
    Object.entries(environment).filter(([name]) => name.startsWith(PREFIX)),
  );
  const at = baseUrl === undefined ? '' : ` at ${new URL(baseUrl).host}`;
  return {
    isBundled: false,
    name: `${model}, ${provider}${at}`,
    baseUrl: baseUrl === undefined ? undefined : withoutCredentials(baseUrl),
    variables,
    requests: () => undefined,
    close: () => Promise.resolve(),
  };
}

/** A URL may carry a password, before its host and in its query. */
function withoutCredentials(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

async function bundledModel(reporters: readonly Reporter[]): Promise<DemoModel> {
  const workers = reporters.map(({ workflowId }) => workflowId);
  const brain = new LoopBrain({
    decide: handOffUntil(workers.length + 1, ...workers),
    latencyMs: LATENCY_MS,
  });
  const server = await startWireServer({ respond: brain.respond });
  return {
    isBundled: true,
    name: 'a server of this process that speaks the wire format of OpenAI and plays a part',
    baseUrl: server.baseUrl,
    variables: {
      [`${PREFIX}PROVIDER`]: 'openai-compatible',
      [`${PREFIX}BASE_URL`]: server.baseUrl,
      [`${PREFIX}NAME`]: 'bundled',
    },
    requests: () => server.requests.length,
    close: () => server.close(),
  };
}
