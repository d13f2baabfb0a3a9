// The demo shows a loop where there is no provider: the bundled server is what it shows it on, and no part of a host.
// eslint-disable-next-line palimpsest/layers
import { handOffUntil, LoopBrain, startWireServer } from '@palimpsest/adapter-model/testing';
import type { Environment } from '../../output/output.js';
import type { Reporter } from './loop-definitions.js';

/** The model that decides the demo's turns. */
export type DemoModel = {
  readonly isBundled: boolean;
  /** Who it is, for a person. */
  readonly name: string;
  /** What points the services at it. */
  readonly variables: Environment;
  /** Requests that it was asked so far; undefined where only the provider knows. */
  requests(): number | undefined;
  close(): Promise<void>;
};

const PREFIX = 'PALIMPSEST_MODEL_';
const LATENCY_MS = 30;

/** The provider that the environment names, else a server of this process that speaks the wire format of one. */
export function openDemoModel(
  environment: Environment,
  reporters: readonly Reporter[],
): DemoModel | Promise<DemoModel> {
  return environment[`${PREFIX}PROVIDER`] ? namedModel(environment) : bundledModel(reporters);
}

function namedModel(environment: Environment): DemoModel {
  const variables = Object.fromEntries(
    Object.entries(environment).filter(([name]) => name.startsWith(PREFIX)),
  );
  const { [`${PREFIX}PROVIDER`]: provider, [`${PREFIX}NAME`]: model, [`${PREFIX}BASE_URL`]: url } = variables;
  return {
    isBundled: false,
    name: `${model ?? '(no model named)'}, ${provider}${url === undefined ? '' : ` at ${withoutCredentials(url)}`}`,
    variables,
    requests: () => undefined,
    close: () => Promise.resolve(),
  };
}

/** A URL may carry a password. */
function withoutCredentials(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '(no URL)';
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
    variables: {
      [`${PREFIX}PROVIDER`]: 'openai-compatible',
      [`${PREFIX}BASE_URL`]: server.baseUrl,
      [`${PREFIX}NAME`]: 'bundled',
    },
    requests: () => server.requests.length,
    close: () => server.close(),
  };
}
