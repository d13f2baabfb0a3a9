import { SharedReads } from './shared-reads.js';

function gate<Result>() {
  let open: (result: Result) => void = () => undefined;
  let fail: (reason: unknown) => void = () => undefined;
  const opened = new Promise<Result>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { opened, open, fail };
}

describe('shared reads', () => {
  it('give whoever comes while a read is on its way the one after it, which they share', async () => {
    const reads = new SharedReads();
    const gates = [gate<number>(), gate<number>()];
    let started = 0;
    const perform = () => gates[started++]!.opened;
    const first = reads.read('a', perform);
    const second = reads.read('a', perform);
    const third = reads.read('a', perform);
    expect(started).toBe(1);
    gates[0]!.open(1);
    expect(await first).toBe(1);
    gates[1]!.open(2);
    expect([await second, await third]).toEqual([2, 2]);
    expect(started).toBe(2);
    expect(reads.size).toBe(0);
  });

  it('are apart for different keys, and a failure is that read’s alone', async () => {
    const reads = new SharedReads();
    const broken = gate<number>();
    const first = reads.read('a', () => broken.opened);
    const after = reads.read('a', async () => 5);
    expect(await reads.read('b', async () => 7)).toBe(7);
    broken.fail(new RangeError('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(await after).toBe(5);
    expect(reads.size).toBe(0);
  });
});
