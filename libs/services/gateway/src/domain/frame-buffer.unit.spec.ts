import type { RunEvent } from '@palimpsest/contracts';
import { FrameBuffer } from './frame-buffer.js';

const event = (sequence: number, type = 'run.started'): RunEvent => ({
  eventId: `evt-r-${sequence}`,
  runId: 'r',
  type,
  payload: { text: 'line\nbreak' },
  timestamp: '2026-01-01T00:00:00.000Z',
  sequence,
  schemaVersion: 1,
});

const ids = (frames: readonly string[]) => frames.map((frame) => /^id: (\d+)/.exec(frame)?.[1]);

describe('frames', () => {
  it('go out one by one without a buffer, each a block of three lines', () => {
    const frames = new FrameBuffer(0).frames([event(3), event(4)], 0, false);
    expect(ids(frames)).toEqual(['3', '4']);
    expect(frames[0]?.trimEnd().split('\n')).toHaveLength(3);
    expect(frames[0]?.endsWith('\n\n')).toBe(true);
  });

  it('wait for the buffer’s time, counted from the first event held', () => {
    const buffer = new FrameBuffer(100);
    expect(buffer.dueAt).toBe(Infinity);
    expect(buffer.frames([event(0)], 1000, false)).toEqual([]);
    expect(buffer.dueAt).toBe(1100);
    expect(buffer.frames([event(1)], 1099, false)).toEqual([]);
    expect(ids(buffer.frames([], 1100, false))).toEqual(['1']);
    expect(buffer.flush()).toEqual([]);
  });

  it('do not wait at the end, nor when a node waits', () => {
    const buffer = new FrameBuffer(5000);
    expect(ids(buffer.frames([event(0, 'node.suspended')], 0, false))).toEqual(['0']);
    expect(ids(buffer.frames([event(1), event(2, 'run.completed')], 1, true))).toEqual(['2']);
  });
});
