import type { PostgresEventLog } from '@palimpsest/adapter-postgres';
import { EXTERNAL_WORKFLOW } from '@palimpsest/contracts';
import type { ExpectedHead } from '@palimpsest/kernel';
import type { Contender } from './contender.js';
import { sampleEvent } from './sample-event.js';

export function palimpsestLog(log: PostgresEventLog): Contender {
  return {
    name: 'palimpsest',
    writer: (runId) => {
      let expectedHead: ExpectedHead = 'no-run';
      return async (count) => {
        const from = expectedHead === 'no-run' ? 0 : expectedHead + 1;
        const { lastSequence } = await log.append({
          tenantId: 'bench',
          runId,
          expectedHead,
          events: Array.from({ length: count }, (_, place) => sampleEvent(from + place)),
          at: new Date(),
          ...(expectedHead === 'no-run' && { workflowId: EXTERNAL_WORKFLOW }),
        });
        expectedHead = lastSequence;
      };
    },
  };
}
