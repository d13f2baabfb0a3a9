import type { PalimpsestApi } from '../client/palimpsest-api.js';
import type { RegistryApi } from '../client/registry-api.js';
import { Output } from '../output/output.js';
import type { Session } from '../program/session.js';

export type Heard = { out: string; err: string };

/** A session against a registry that a spec plays, and what a command printed in it. No terminal: all columns are shown. */
export function registrySession(registry: Partial<RegistryApi>): {
  readonly session: Session;
  readonly printed: Heard;
} {
  const printed: Heard = { out: '', err: '' };
  const api = { registry } as unknown as PalimpsestApi;
  return {
    printed,
    session: {
      output: new Output(
        { write: (text) => (printed.out += text) },
        { write: (text) => (printed.err += text) },
        {},
      ),
      environment: {},
      api: async () => api,
    },
  };
}
