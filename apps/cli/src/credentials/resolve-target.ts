import type { Target } from '@palimpsest/client';
import { readCliTargetConfig } from '@palimpsest/host';
import { CliError, EXIT, UsageError } from '../program/cli-error.js';
import type { Environment } from '../output/output.js';
import { NAME_ANOTHER, nearestCredentials, readCredentials, type Credentials } from './credentials-file.js';

export type TargetOptions = { readonly url?: string; readonly key?: string; readonly credentials?: string };

/**
 * Which server, and which key: options, else the environment, else the credentials file. A key from the file
 * goes to the file's server only.
 */
export function resolveTarget(options: TargetOptions, environment: Environment, folder: string): Target {
  const { url: namedUrl, key: namedKey } = named(options, environment);
  const file = credentialsFor(options, folder);
  const url = namedUrl ?? file?.url;
  if (url === undefined) throw new NoServerKnownError();
  const root = serverRoot(url);
  const fileKey = file && serverRoot(file.url) === root ? file.key : undefined;
  return { url: root, key: namedKey ?? fileKey };
}

function credentialsFor({ credentials }: TargetOptions, folder: string): Credentials | undefined {
  if (credentials !== undefined) return readCredentials(credentials, NAME_ANOTHER);
  const path = nearestCredentials(folder);
  return path === undefined ? undefined : readCredentials(path);
}

/** An empty variable counts as unset. */
function named(
  { url, key }: TargetOptions,
  environment: Environment,
): { readonly url: string | undefined; readonly key: string | undefined } {
  const set = readCliTargetConfig(environment);
  return { url: url ?? set.url, key: key ?? set.key };
}

class NoServerKnownError extends CliError {
  constructor() {
    super('no server is known here', {
      code: 'no_server',
      exitCode: EXIT.server,
      hint:
        'Run "palimpsest start" in this folder, or set PALIMPSEST_URL and PALIMPSEST_API_KEY.\n' +
        '"palimpsest demo" needs neither.',
    });
  }
}

/** Without `/v1` and trailing slashes, which people copy along. */
function serverRoot(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new UsageError('the URL of the server is no http(s) URL', 'It is like http://127.0.0.1:8080.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}`;
}
