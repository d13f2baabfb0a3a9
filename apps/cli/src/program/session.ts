import { EXIT } from './cli-error.js';
import { Output, type Environment } from '../output/output.js';
import type { PalimpsestApi } from '../client/palimpsest-api.js';
import type { TargetOptions } from '../credentials/resolve-target.js';

export type CommonOptions = TargetOptions & { readonly json?: boolean };

/** What a command works with. */
export type Session = {
  readonly output: Output;
  readonly environment: Environment;
  /** The API of the server that options, environment or credentials name. */
  api(options: TargetOptions): Promise<PalimpsestApi>;
};

export async function openSession(): Promise<Session> {
  const { processEnvironment } = await import('@palimpsest/host');
  const environment = processEnvironment();
  return {
    output: new Output(process.stdout, process.stderr, environment),
    environment,
    api: async (options) => {
      // Commands that serve end otherwise: they have something to finish.
      process.once('SIGINT', () => process.exit(EXIT.interrupted));
      const [{ resolveTarget }, { PalimpsestClient }, { PalimpsestApi }] = await Promise.all([
        import('../credentials/resolve-target.js'),
        import('@palimpsest/client'),
        import('../client/palimpsest-api.js'),
      ]);
      return new PalimpsestApi(new PalimpsestClient(resolveTarget(options, environment, process.cwd())));
    },
  };
}
