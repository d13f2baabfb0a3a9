import { monitorEventLoopDelay } from 'node:perf_hooks';
import { WorkerTokenCounter } from '@palimpsest/tokens';
import type { BenchContext, Row } from '../bench-group.js';

const MEBI = 2 ** 20;

const TEXTS: Readonly<Record<string, string>> = {
  "1 Mi of 'a'": 'a'.repeat(MEBI),
  '1 Mi units of 👍': '👍'.repeat(MEBI / 2),
  '1 Mi of 漢': '漢'.repeat(MEBI),
  '1 MiB of base64': pseudoRandomBytes((MEBI * 3) / 4).toString('base64'),
  '1 Mi letters, random': [...pseudoRandomBytes(MEBI)]
    .map((byte) => String.fromCharCode(97 + (byte % 26)))
    .join(''),
  '1 Mi spaces': ' '.repeat(MEBI),
  '1 Mi line breaks': '\n'.repeat(MEBI),
  '1 Mi digits': '7'.repeat(MEBI),
  '1 Mi full stops': '.'.repeat(MEBI),
};

/** Seconds for both encodings through the asynchronous port, and how long the event loop stood still meanwhile. */
export async function measureWorstCases({ progress }: BenchContext): Promise<readonly Row[]> {
  const counter = new WorkerTokenCounter();
  const rows: Row[] = [];
  try {
    await counter.count('a'.repeat(10_000), 'o200k_base');
    for (const [name, text] of Object.entries(TEXTS)) {
      progress(`counting ${name}`);
      rows.push(...(await measure(counter, name, text)));
    }
  } finally {
    await counter.close();
  }
  return rows;
}

async function measure(counter: WorkerTokenCounter, name: string, text: string): Promise<readonly Row[]> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const start = performance.now();
  for (const encoding of ['o200k_base', 'cl100k_base'] as const) await counter.count(text, encoding);
  const seconds = (performance.now() - start) / 1000;
  delay.disable();
  return [
    { group: 'tokens', case: name, value: seconds, unit: 's, both encodings', target: '≤ 2 s each' },
    {
      group: 'tokens',
      case: `${name}, loop delay`,
      value: delay.max / 1e6,
      unit: 'ms, max',
      target: '≤ 50 ms',
    },
  ];
}

function pseudoRandomBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 1;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    bytes[at] = state >>> 16;
  }
  return bytes;
}
