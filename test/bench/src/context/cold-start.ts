import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchContext, Row } from '../bench-group.js';
import { median, medianRatio } from '../measure/statistics.js';

const at = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const REQUEST =
  '{"input":{"role":"api-builder","owned_files":["src/a"],"active_writers":[{"owned_files":["src/b"]}]}}';
const NODE = 'node -e 0';

/** From the start of a process to its end, in turns with a process that does nothing. */
export function measureColdStart({ quick }: BenchContext): readonly Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'));
  try {
    const bundle = join(folder, 'context-runtime.mjs');
    execFileSync(process.execPath, [at('tools/bundle-context.mjs'), bundle], { stdio: 'ignore' });
    return timed(bundle, quick ? 3 : 30);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function timed(bundle: string, rounds: number): readonly Row[] {
  const programs = new Map([
    [NODE, ['-e', '0']],
    ['context-runtime.mjs', [bundle, 'route']],
    ['palimpsest context', [at('apps/cli/bin/palimpsest.mjs'), 'context', 'route']],
  ]);
  const times = new Map([...programs.keys()].map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, words] of programs) times.get(name)?.push(millisecondsOf(words));
  }
  return [...times].map(([name, values]) => ({
    group: 'context',
    case: `cold start: ${name}`,
    value: median(values),
    unit: 'ms',
    ...(name !== NODE && {
      ratio: medianRatio(values, times.get(NODE) ?? []),
      baseline: NODE,
      target: '< 150 ms',
    }),
  }));
}

function millisecondsOf(words: readonly string[]): number {
  const start = performance.now();
  spawnSync(process.execPath, words, { input: REQUEST });
  return performance.now() - start;
}
