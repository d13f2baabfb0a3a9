import fc from 'fast-check';
import { createHash } from 'node:crypto';
import type { JsonObject } from '@palimpsest/contracts';
import { canonicalJson, canonicalStored } from '../canonical-json.js';
import { contentText, forkLink, genesisLink, linkAfter, type ChainHash } from './chain.js';

const digest = (said: Uint8Array | string) => createHash('sha256').update(said);
const HASH: ChainHash = {
  sha256: (bytes) => digest(bytes).digest(),
  sha256Hex: (text) => digest(text).digest('hex'),
};

describe('what a chain is made of', () => {
  it('is the RFC 8785 text of the event', () => {
    const json = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 4 }), {
      noNullPrototype: true,
    });
    const event = fc.record(
      {
        sequence: fc.nat(),
        type: fc.string({ unit: 'grapheme' }),
        payload: json,
        schemaVersion: fc.nat(),
        nodeId: fc.string({ unit: 'grapheme' }),
        counts: fc.record(
          { o200k_base: fc.nat(), cl100k_base: fc.nat(), chars: fc.nat() },
          { noNullPrototype: true },
        ),
      },
      { requiredKeys: ['sequence', 'type', 'payload', 'schemaVersion'], noNullPrototype: true },
    );
    fc.assert(
      fc.property(event, (generated) => {
        const plain = JSON.parse(JSON.stringify(generated)) as JsonObject;
        expect(contentText(plain as Parameters<typeof contentText>[0])).toBe(canonicalJson(plain));
      }),
    );
  });

  it('is what is stored, where JSON cannot say what was given', () => {
    const given = { b: undefined, a: [undefined, Number.NaN, -0], 10: 1, 9: 2 } as unknown as JsonObject;
    expect(canonicalStored(given)).toBe('{"10":1,"9":2,"a":[null,null,0]}');
  });

  it('gives the hashes that stored chains rely on', () => {
    const genesis = genesisLink(HASH, 'acme', 'run-1');
    const origin = { runId: 'run-1', fromSequence: 0, mode: 'replay' } as const;
    const createdAt = '2026-01-01T00:00:00.000Z';
    const contentHash = digest('said').digest('hex');
    expect({
      genesis,
      fork: forkLink(HASH, genesis, { tenantId: 'acme', runId: 'fork-1', origin, createdAt }),
      link: linkAfter(HASH, genesis, { contentHash, timestamp: createdAt, causationId: 'evt-run-1-0' }),
    }).toMatchInlineSnapshot(`
      {
        "fork": "bb952468cc27af62b5598ad7c359433bddf9100b39f101a2c62f2c931d00b89b",
        "genesis": "867a8c913ba1063947e7c8c16621b368a3f6b4f10b82f460ac453ec045113ac6",
        "link": "004e665dc1f4b38beaf003cc293765d1bb088fdbda8d111766870801c237e027",
      }
    `);
  });
});
