import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PalimpsestApi } from '../client/palimpsest-api.js';
import { Output } from '../output/output.js';
import { EXIT } from '../program/cli-error.js';
import { runProgram } from '../program/run-program.js';
import type { Session } from '../program/session.js';
import { ARTIFACT, CONTENT, madeCertificate, type MadeCertificate } from '../testing/made-certificate.js';
import { exportCertificate, type CertificateOptions } from './export-certificate.js';
import { verifyOffline, type OfflineOptions } from './verify-offline.js';

type Heard = { readonly code: number; readonly out: string; readonly err: string };

let folder: string;
let made: MadeCertificate;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-certificate-'));
  made = madeCertificate();
});
afterEach(() => rmSync(folder, { recursive: true }));

const inFolder = (name: string): string => join(folder, name);

function file(name: string, text: string): string {
  writeFileSync(inFolder(name), text);
  return inFolder(name);
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

async function hear(
  work: (session: Session) => Promise<number>,
  api?: Partial<PalimpsestApi>,
): Promise<Heard> {
  const heard = { out: '', err: '' };
  const session: Session = {
    output: new Output(
      { write: (text) => (heard.out += text) },
      { write: (text) => (heard.err += text) },
      {},
    ),
    environment: {},
    api: () =>
      api ? Promise.resolve(api as PalimpsestApi) : Promise.reject(new TypeError('no server is asked')),
  };
  return { code: await work(session), ...heard };
}

describe('palimpsest verify --offline', () => {
  const verify = (lines: readonly string[], more: Partial<OfflineOptions> = {}): Promise<Heard> =>
    hear((session) => verifyOffline({ offline: file('run.ndjson', textOf(lines)), ...more }, session));
  const trusted = (): Pick<OfflineOptions, 'hostKey'> => ({
    hostKey: [file('host-key.pub', made.publicKey)],
  });

  it('confirms what the host signed', async () => {
    expect(await verify(made.lines, trusted())).toEqual({
      code: EXIT.done,
      out: [
        'verified: all is as this host recorded and signed it',
        'run: run_1 of acme',
        'events checked: 2',
        'content: 1 hashes, 0 compared with what is at hand',
        `signature: of the key ${made.keyId}`,
        'issued: 2026-01-01T00:00:00.000Z',
        '',
      ].join('\n'),
      err: '',
    });
  });

  it('trusts every key that it is given, those of before a rotation too', async () => {
    const hostKey = [file('new.pub', madeCertificate().publicKey), ...(trusted().hostKey ?? [])];
    expect(await verify(made.lines, { hostKey })).toMatchObject({ code: EXIT.done });
    expect(await verify(made.lines, { hostKey: hostKey.slice(0, 1) })).toMatchObject({
      code: EXIT.negative,
      out: expect.stringContaining('line 5: it is signed with a key that none of the keys given is'),
    });
  });

  it('says that nobody’s signature was checked, where no key is given', async () => {
    const { code, out } = await verify(made.lines);
    expect(code).toBe(EXIT.negative);
    expect(out).toMatch(/^not verified$/m);
    expect(out).toMatch(/^signature: NOT CHECKED, no --host-key was given/m);
  });

  it.each<[string, number, [string, string], string]>([
    [
      'an event',
      2,
      ['run.started', 'run.failed'],
      'line 2, event 0: the event says something else than was recorded',
    ],
    [
      'the run',
      1,
      ['acme', 'other'],
      'line 2, event 0: its time, its cause, what comes before it or the fork record is not what was recorded',
    ],
    [
      'a hash',
      4,
      ['"sha256":"', '"sha256":"0'],
      'line 4, "artifact.sha256": this is no line of a certificate',
    ],
    ['the end', 5, ['"events":2', '"events":3'], 'line 5: the number of lines is not what was certified'],
    ['JSON', 3, ['{', ''], 'line 3: this is no line of a certificate'],
    [
      'a key said twice',
      2,
      ['"type":', '"type":"run.failed","type":'],
      'line 2: this is no line of a certificate',
    ],
  ])('tells the first difference: %s', async (_, line, [from, to], difference) => {
    const lines = made.lines.map((text, place) => (place === line - 1 ? text.replace(from, to) : text));
    const { code, out } = await verify(lines, trusted());
    expect(out.split('\n').slice(0, 2)).toEqual(['not verified', `first difference: ${difference}`]);
    expect(code).toBe(EXIT.negative);
  });

  it('takes the right one of several keys in a file', async () => {
    const both = file('keys.pub', `${madeCertificate().publicKey}${made.publicKey}`);
    expect((await verify(made.lines, { hostKey: [both] })).code).toBe(EXIT.done);
  });

  it('tells a file that was cut off, in a line or after one', async () => {
    const whole = textOf(made.lines);
    for (const [length, what] of [
      [whole.length - 40, { what: 'form', line: 5 }],
      [whole.lastIndexOf('{"line":"end"'), { what: 'cut off', line: 5 }],
      [0, { what: 'cut off', line: 1 }],
    ] as const) {
      const offline = file('cut.ndjson', whole.slice(0, length));
      const { code, out } = await hear((session) =>
        verifyOffline({ offline, ...trusted(), json: true }, session),
      );
      expect([code, JSON.parse(out)]).toMatchObject([EXIT.negative, { ok: false, firstDifference: what }]);
    }
  });

  it('compares the content that is at hand', async () => {
    const artifacts = inFolder('content');
    mkdirSync(artifacts);
    const document = (content: unknown): string => JSON.stringify({ artifactId: ARTIFACT, content }, null, 2);
    for (const [content, code, compared] of [
      [document(CONTENT), EXIT.done, 1],
      [document({ text: 'what was never said' }), EXIT.negative, 1],
      ['no JSON', EXIT.negative, 1],
    ] as const) {
      file(`content/${ARTIFACT}.json`, content);
      const heard = await verify(made.lines, { ...trusted(), artifacts, json: true });
      expect([heard.code, JSON.parse(heard.out)]).toMatchObject([code, { artifacts: { compared } }]);
    }
    rmSync(join(artifacts, `${ARTIFACT}.json`));
    expect(await verify(made.lines, { ...trusted(), artifacts })).toMatchObject({ code: EXIT.done });
  });

  it.each<[string, () => OfflineOptions, string]>([
    ['a file', () => ({ offline: inFolder('none') }), 'cannot read '],
    ['a key', () => ({ offline: file('c', ''), hostKey: [inFolder('none')] }), 'cannot read '],
    ['no key', () => ({ offline: file('c', ''), hostKey: [file('k', 'k')] }), 'holds no Ed25519 public key'],
    [
      'a private key',
      () => ({ offline: file('c', ''), hostKey: [file('k', made.privateKey)] }),
      'holds no Ed25519 public key',
    ],
    ['a folder', () => ({ offline: file('c', ''), artifacts: inFolder('none') }), 'is no folder'],
  ])('refuses %s that is none', async (_, options, message) => {
    await expect(hear((session) => verifyOffline(options(), session))).rejects.toMatchObject({
      exitCode: EXIT.usage,
      message: expect.stringContaining(message),
    });
  });
});

describe('palimpsest verify', () => {
  it.each([
    [['verify'], 'verify takes a run, or --offline and a file'],
    [['verify', 'run_1', '--offline', 'x'], 'verify takes a run, or --offline and a file'],
    [['verify', 'run_1', '--host-key', 'x'], '--host-key and --artifacts go with --offline'],
    [['verify', '--offline', 'x', '--key', 'host-key.pub'], '--offline asks no server'],
  ])('refuses %j', async (argv, message) => {
    let said = '';
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => (said += String(text)) !== '');
    expect(await runProgram(argv)).toBe(EXIT.usage);
    expect(said).toContain(`palimpsest: ${message} (usage)`);
    jest.restoreAllMocks();
  });
});

describe('palimpsest certificate', () => {
  /** What a server sends in pieces, and then, perhaps, no more. */
  function streamOf(pieces: readonly string[], failure?: Error): ReadableStream<Uint8Array> {
    const left = [...pieces];
    return new ReadableStream({
      pull(controller) {
        const piece = left.shift();
        if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
        else if (failure) controller.error(failure);
        else controller.close();
      },
    });
  }

  const take = (
    stream: ReadableStream<Uint8Array>,
    options: CertificateOptions = { out: inFolder('run.ndjson') },
  ): Promise<Heard> =>
    hear((session) => exportCertificate('run_1', options, session), { certificate: async () => stream });

  it('writes a file that is there once it is whole', async () => {
    const whole = textOf(made.lines);
    const heard = await take(streamOf([whole.slice(0, 100), whole.slice(100)]));
    expect(readFileSync(inFolder('run.ndjson'), 'utf8')).toBe(whole);
    expect(readdirSync(folder)).toEqual(['run.ndjson']);
    expect(heard).toMatchObject({ code: EXIT.done, out: '' });
    expect(heard.err).toContain(`2 events, 1 pieces of content, signed with the key ${made.keyId}`);
  });

  it('says for machines what it wrote', async () => {
    const { out } = await take(streamOf([textOf(made.lines)]), { out: inFolder('run.ndjson'), json: true });
    expect(JSON.parse(out)).toEqual({
      file: inFolder('run.ndjson'),
      runId: 'run_1',
      events: 2,
      artifacts: 1,
      keyId: made.keyId,
      issuedAt: '2026-01-01T00:00:00.000Z',
    });
  });

  it('leaves nothing where the server breaks off', async () => {
    file('run.ndjson', 'of before');
    const pieces = [textOf(made.lines.slice(0, 3))];
    await expect(take(streamOf(pieces, new TypeError('terminated')))).rejects.toMatchObject({
      code: 'certificate_incomplete',
      exitCode: EXIT.server,
    });
    expect(readdirSync(folder)).toEqual(['run.ndjson']);
    expect(readFileSync(inFolder('run.ndjson'), 'utf8')).toBe('of before');
  });

  it.each([
    ['without its end', (lines: readonly string[]) => lines.slice(0, 4), 'ends without its last line'],
    ['that was altered', (lines: readonly string[]) => lines.toSpliced(1, 1), 'event 0: an event is missing'],
  ])('leaves nothing of one %s', async (_, change, message) => {
    const heard = await take(streamOf([textOf(change(made.lines))]));
    expect(heard).toMatchObject({ code: EXIT.negative, err: expect.stringContaining(message) });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses a place where nothing can be written, and JSON beside a certificate', async () => {
    const usage = { exitCode: EXIT.usage };
    await expect(take(streamOf([]), { out: inFolder('no/where') })).rejects.toMatchObject(usage);
    await expect(take(streamOf([]), { json: true })).rejects.toMatchObject(usage);
  });
});
