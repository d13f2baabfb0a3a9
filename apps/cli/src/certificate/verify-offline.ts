import { createReadStream, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeContentHash } from '@palimpsest/adapter-postgres';
import { CERTIFICATE_LINE_BYTES, type JsonObject, type JsonValue } from '@palimpsest/contracts';
import { signatureCheckOf } from '@palimpsest/host';
import {
  canonicalJson,
  hasCode,
  ndjsonLines,
  verifyCertificate,
  type CertificateCheck,
} from '@palimpsest/kernel';
import { EXIT, UsageError, type ExitCode } from '../program/cli-error.js';
import type { Session } from '../program/session.js';
import { verdictLines } from './verdict-lines.js';

export type OfflineOptions = {
  readonly offline: string;
  readonly hostKey?: readonly string[];
  readonly artifacts?: string;
  readonly json?: boolean;
};

/** `palimpsest verify --offline <file>`: asks no server. */
export async function verifyOffline(options: OfflineOptions, { output }: Session): Promise<ExitCode> {
  const { offline, hostKey, artifacts, json } = options;
  const check: CertificateCheck = {
    hash: nodeContentHash,
    ...(hostKey && { isSigned: trusting(hostKey) }),
    ...(artifacts !== undefined && { artifactBytes: bytesIn(artifacts) }),
  };
  const lines = ndjsonLines(piecesOf(offline), CERTIFICATE_LINE_BYTES, { exact: true });
  const verdict = await verifyCertificate(check, lines);
  if (json) output.json(verdict);
  else output.lines(verdictLines(verdict, output.colours));
  return verdict.ok ? EXIT.done : EXIT.negative;
}

async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  const file = path === '-' ? process.stdin : createReadStream(path);
  try {
    yield* file as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unreadable(path, error);
  }
}

function trusting(paths: readonly string[]): CertificateCheck['isSigned'] {
  return signatureCheckOf(paths.flatMap(publicKeysIn));
}

const PUBLIC_KEY = /-----BEGIN PUBLIC KEY-----[^-]*-----END PUBLIC KEY-----/g;

/** A file may hold several. Each file by itself, so that what is refused can be named. */
function publicKeysIn(path: string): readonly string[] {
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(path, error);
  }
  try {
    const keys = pem.match(PUBLIC_KEY) ?? [pem];
    signatureCheckOf(keys);
    return keys;
  } catch (error) {
    if (!hasCode(error, 'validation_error')) throw error;
    throw new UsageError(
      `${path} holds no Ed25519 public key in PEM`,
      'Of a private key it is made by: openssl pkey -in host-key.pem -pubout -out host-key.pub',
    );
  }
}

/** Files `<id>.json`, each what `GET /v1/runs/{runId}/artifacts/{artifactId}` answers. */
function bytesIn(folder: string): NonNullable<CertificateCheck['artifactBytes']> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`${folder} is no folder`);
  return async (artifactId) => {
    const path = join(folder, `${artifactId}.json`);
    const text = await textOf(path);
    return text === undefined ? undefined : new TextEncoder().encode(contentIn(text));
  };
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
}

/** What cannot be such a document is compared as it is, and differs. */
function contentIn(text: string): string {
  try {
    const { content } = JSON.parse(text) as JsonObject & { readonly content?: JsonValue };
    return content === undefined ? text : canonicalJson(content);
  } catch {
    return text;
  }
}

function unreadable(path: string, error: unknown): UsageError {
  return new UsageError(`cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}`);
}
