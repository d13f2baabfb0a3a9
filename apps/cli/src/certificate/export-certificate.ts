import { nodeContentHash } from '@palimpsest/adapter-postgres';
import { CERTIFICATE_LINE_BYTES } from '@palimpsest/contracts';
import { ndjsonLines, verifyCertificate, type CertificateVerdict } from '@palimpsest/kernel';
import { count } from '../output/text.js';
import type { Output } from '../output/output.js';
import { CliError, EXIT, UsageError, type ExitCode } from '../program/cli-error.js';
import type { CommonOptions, Session } from '../program/session.js';
import { differenceText } from './verdict-lines.js';
import { UnfinishedFile } from './unfinished-file.js';

export type CertificateOptions = CommonOptions & { readonly out?: string };

/** Takes pieces of the certificate, in order. */
type Sink = { write(piece: Uint8Array): Promise<void> };

/** `palimpsest certificate <run>` */
export async function exportCertificate(
  runId: string,
  options: CertificateOptions,
  session: Session,
): Promise<ExitCode> {
  const { out, json } = options;
  if (json && out === undefined) {
    throw new UsageError(
      '--json goes with --out',
      'Standard output is the certificate, which is JSON already.',
    );
  }
  const stream = await (await session.api(options)).certificate(runId);
  if (out === undefined)
    return reported(await copied(stream, standardOutput, session.output), options, session);
  const file = await UnfinishedFile.create(out);
  try {
    const verdict = await copied(stream, file, session.output);
    if (isWhole(verdict)) await file.keep();
    return reported(verdict, options, session);
  } finally {
    await file.discard();
  }
}

const standardOutput: Sink = {
  write: (piece) =>
    new Promise((resolve, reject) =>
      process.stdout.write(piece, (error) => (error ? reject(error) : resolve())),
    ),
};

/** Writes on and checks what passes; nothing of it is held. */
async function copied(
  stream: ReadableStream<Uint8Array>,
  sink: Sink,
  output: Output,
): Promise<CertificateVerdict> {
  let bytes = 0;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for await (const piece of brokenOffIsNoAnswer(stream)) {
      await sink.write(piece);
      bytes += piece.length;
      output.live(`${count(Math.round(bytes / 1024))} KiB of the certificate`);
      yield piece;
    }
  }
  return verifyCertificate({ hash: nodeContentHash }, ndjsonLines(pieces(), CERTIFICATE_LINE_BYTES));
}

async function* brokenOffIsNoAnswer(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (cause) {
    throw new CliError('the server broke off in the middle of the certificate', {
      code: 'certificate_incomplete',
      exitCode: EXIT.server,
      hint: 'Ask again. Where it breaks off each time: "palimpsest verify <run>" tells whether the log is as recorded.',
      cause,
    });
  }
}

function isWhole({ firstDifference }: CertificateVerdict): boolean {
  return firstDifference === undefined;
}

function reported(
  verdict: CertificateVerdict,
  { out, json }: CertificateOptions,
  { output }: Session,
): ExitCode {
  const { run, events, artifacts, keyId, issuedAt, firstDifference } = verdict;
  if (firstDifference) {
    output.note(`not a whole certificate: ${differenceText(firstDifference)}`);
    return EXIT.negative;
  }
  if (json)
    output.json({ file: out, runId: run?.runId, events, artifacts: artifacts.listed, keyId, issuedAt });
  else {
    output.note(
      `${out ?? 'certificate'}: ${count(events)} events, ${count(artifacts.listed)} pieces of content, signed with the key ${keyId ?? ''}`,
    );
    if (out !== undefined)
      output.note(
        `to check it, with the host's public key: npx palimpsest verify --offline ${out} --host-key <host-key.pub>`,
      );
  }
  return EXIT.done;
}
