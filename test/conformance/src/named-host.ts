import { Host } from './client/host.js';
import type { Scenario } from './scenario.js';

export type NamedHost = { readonly host: Host; isChosen(scenario: Scenario): boolean };

/** The host, and where given the rows, that whoever started this named in the environment. */
export function namedHost(): NamedHost {
  const { OPENWOP_BASE_URL = '', OPENWOP_API_KEY = '', OPENWOP_CONFORMANCE_ONLY = '' } = process.env;
  const only = OPENWOP_CONFORMANCE_ONLY.split(',').filter((name) => name !== '');
  return {
    host: new Host({ baseUrl: OPENWOP_BASE_URL, apiKey: OPENWOP_API_KEY }),
    isChosen: ({ name }) => only.length === 0 || only.includes(name),
  };
}
