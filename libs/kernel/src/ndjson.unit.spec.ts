import fc from 'fast-check';
import { ndjsonLines } from './ndjson.js';

const LIMIT = 64;

async function linesOf(chunks: readonly Uint8Array[], limit = LIMIT): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  for await (const line of ndjsonLines(stream(chunks), limit)) lines.push(line);
  return lines;
}

async function* stream(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const bytes = (text: string) => Buffer.from(text, 'utf8');

describe('ndjsonLines', () => {
  it('reads the same lines wherever the stream is cut', async () => {
    const lines = fc.array(fc.string({ unit: 'grapheme', maxLength: 8 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(lines, fc.array(fc.nat(80)), fc.boolean(), async (texts, cuts, ended) => {
        const whole = bytes(texts.map((text) => JSON.stringify(text)).join('\n') + (ended ? '\n' : ''));
        const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
        const chunks = places.slice(1).map((place, index) => whole.subarray(places[index], place));
        expect(await linesOf(chunks, 1000)).toEqual(texts);
      }),
    );
  });

  it('leaves out blank lines', async () => {
    expect(await linesOf([bytes('\n1\n \r\n\n2\r\n')])).toEqual([1, 2]);
    expect(await linesOf([])).toEqual([]);
  });

  it('takes a line of exactly the limit, in bytes, and none above it', async () => {
    const exact = JSON.stringify('é'.repeat((LIMIT - 2) / 2));
    const tooLong = expect.objectContaining({ code: 'payload_too_large' });
    expect(await linesOf([bytes(`${exact}\n1`)])).toHaveLength(2);
    for (const ending of ['', '\n', '\n1'])
      await expect(linesOf([bytes(`${exact} ${ending}`)])).rejects.toEqual(tooLong);
  });

  it('refuses, where that is asked for, a line that is not as it is written', async () => {
    const exact = async (line: string): Promise<unknown> => {
      for await (const value of ndjsonLines(stream([bytes(line)]), LIMIT, { exact: true })) return value;
      return undefined;
    };
    for (const line of ['{"b":1,"a":"é"}\r\n', ' {"a":[1.5,null]} \n'])
      expect(await exact(line)).toBeDefined();
    for (const line of ['{"a":1,"a":2}', '{"a": 1}', '{"a":1.0}', '{"a":"\\u0061"}'])
      await expect(exact(line)).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('refuses what is not JSON in UTF-8 without quoting it', async () => {
    for (const bad of [bytes('{"secret'), bytes('secret'), Buffer.from([0x22, 0xff, 0x22])]) {
      const error: unknown = await linesOf([bad]).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'validation_error', cause: undefined });
      expect(String(error)).not.toContain('secret');
    }
  });
});
