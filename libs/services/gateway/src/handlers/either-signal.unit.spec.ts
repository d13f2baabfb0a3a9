import { getEventListeners } from 'node:events';
import { eitherSignal } from './either-signal.js';

describe('either of two signals', () => {
  it.each([0, 1])('aborts it', (index) => {
    const sources = [new AbortController(), new AbortController()] as const;
    const { signal } = eitherSignal(sources[0].signal, sources[1].signal);
    expect(signal.aborted).toBe(false);
    sources[index]?.abort();
    expect(signal.aborted).toBe(true);
  });

  it('may have aborted before', () => {
    const { signal } = eitherSignal(new AbortController().signal, AbortSignal.abort());
    expect(signal.aborted).toBe(true);
  });

  it('is let go without a trace', () => {
    const [gone, closing] = [new AbortController(), new AbortController()];
    const { signal, release } = eitherSignal(gone.signal, closing.signal);
    expect(getEventListeners(closing.signal, 'abort')).toHaveLength(1);
    release();
    expect(getEventListeners(closing.signal, 'abort')).toHaveLength(0);
    closing.abort();
    expect(signal.aborted).toBe(false);
  });
});
