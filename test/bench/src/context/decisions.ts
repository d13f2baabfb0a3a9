import { answerOperation, textWorkspace } from '@palimpsest/context-efficiency';
import type { BenchContext, Row } from '../bench-group.js';

const SURROUNDINGS = { clock: 0, workspace: textWorkspace, trustedKeys: undefined };

const REQUESTS = {
  'a reader': {
    input: { role: 'reviewer', inheritance: { affinity: 'high', safe: true, within_budget: true } },
  },
  'a writer among 100': {
    input: {
      owned_files: ['src/a', 'src/b'],
      active_writers: Array.from({ length: 100 }, (_, place) => ({ owned_files: [`src/other-${place}/x`] })),
    },
  },
};

/** Route decisions in process, owned paths judged by their text. */
export function measureDecisions({ quick }: BenchContext): readonly Row[] {
  return Object.entries(REQUESTS).map(([name, request]) => ({
    group: 'context',
    case: `route: ${name}`,
    value: perSecond(() => answerOperation('route', request, SURROUNDINGS), quick ? 50 : 1000),
    unit: 'decisions/s',
  }));
}

function perSecond(decide: () => unknown, milliseconds: number): number {
  for (let warm = 0; warm < 1000; warm += 1) decide();
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < milliseconds; count += 1) decide();
  return (count * 1000) / (performance.now() - start);
}
