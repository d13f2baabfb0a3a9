import fc from 'fast-check';
import { foldOwnLoop, type OwnLoopState } from '@palimpsest/contracts';
import { unspoken } from '../domain/rewind-own-loop.js';
import { CoordinatorHarness } from '../testing/coordinator-harness.js';
import { SOURCE, TENANT, type SourceRun } from '../testing/source-run.js';
import { stateAt } from './state-at.js';

type Step = 'system' | 'user' | 'calls' | 'result' | 'window' | 'pin' | 'unpin';

function pinOrUnpin(source: SourceRun, step: Step, pins: string[]): void {
  if (step === 'pin') {
    const pinId = `pin_${source.length}`;
    pins.push(pinId);
    source.pin(pinId);
  }
  const oldest = step === 'unpin' ? pins.shift() : undefined;
  if (oldest !== undefined) source.unpin(oldest);
}

/** Applies steps that are legal where they stand; a call id returns once it is answered. */
async function play(source: SourceRun, steps: readonly Step[]): Promise<void> {
  const open = new Map<string, number>();
  const pins: string[] = [];
  source.start();
  for (const step of steps) {
    if (step === 'system') await source.instruction();
    if (step === 'user') await source.message('user');
    if (step === 'window') await source.window(1, []);
    pinOrUnpin(source, step, pins);
    if (step === 'calls') {
      const ids = ['a', 'b', 'c'].filter((id) => !open.has(id)).slice(0, 2);
      ids.forEach((id) => open.set(id, source.length));
      await source.message('assistant', ids);
    }
    const [oldest] = open;
    if (step === 'result' && oldest) {
      open.delete(oldest[0]);
      await source.message('tool', [oldest[0]], oldest[1]);
    }
  }
  await source.write();
}

describe('the state as of a place', () => {
  it('is the fold of the events below it, at every place of any run', async () => {
    const steps = fc.array(
      fc.constantFrom<Step>('system', 'user', 'calls', 'result', 'window', 'pin', 'unpin'),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (played) => {
        const harness = new CoordinatorHarness();
        await play(harness.source, played);
        const [header, events] = await Promise.all([harness.header(SOURCE), harness.events(SOURCE)]);
        if (!header) throw new TypeError('the source was written');
        let expected = unspoken(header.state as unknown as OwnLoopState);
        for (const event of events) {
          expect(await stateAt(harness.eventLog, header, event.sequence)).toEqual(expected);
          expected = foldOwnLoop(expected, event);
        }
        expect(await stateAt(harness.eventLog, header, events.length)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('near the head of a long run reads a few events', async () => {
    const harness = new CoordinatorHarness();
    await play(
      harness.source,
      Array.from({ length: 800 }, () => 'user'),
    );
    const header = await harness.eventLog.header(TENANT, SOURCE);
    if (!header) throw new TypeError('the source was written');
    let read = 0;
    const counted = Object.assign(Object.create(harness.eventLog) as typeof harness.eventLog, {
      readRun: async (request: Parameters<typeof harness.eventLog.readRun>[0]) => {
        const page = await harness.eventLog.readRun(request);
        read += page.events.length;
        return page;
      },
    });
    expect(await stateAt(counted, header, header.head)).toMatchObject({
      messageCount: 799,
      lastMessageSequence: 799,
    });
    expect(read).toBeLessThanOrEqual(2);
    expect(await stateAt(counted, header, header.head + 1)).toEqual(header.state);
  });
});
