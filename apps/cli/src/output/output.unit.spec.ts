import { Output, type Sink } from './output.js';

type Recorded = Sink & { readonly text: () => string };

function sink(terminal: boolean): Recorded {
  const parts: string[] = [];
  return { write: (text) => parts.push(text), isTTY: terminal, columns: 20, text: () => parts.join('') };
}

describe('Output', () => {
  it('colours a terminal only, and only where colours are wanted', () => {
    const red = (terminal: boolean, environment: Record<string, string>): string =>
      new Output(sink(terminal), sink(terminal), environment).colours.red('x');
    expect(red(true, {})).toBe('\u001b[31mx\u001b[39m');
    expect(red(false, {})).toBe('x');
    expect(red(true, { NO_COLOR: '1' })).toBe('x');
    expect(red(true, { TERM: 'dumb' })).toBe('x');
  });

  it('draws progress over itself on a terminal, and clears it for what comes next', () => {
    const [stdout, stderr] = [sink(true), sink(true)];
    const output = new Output(stdout, stderr, {});
    output.live('a line that is longer than the terminal');
    output.line('done');
    expect(stderr.text()).toBe('\r\u001b[2Ka line that is lon…\r\u001b[2K');
    expect(stdout.text()).toBe('done\n');
  });

  it('draws no progress into a file', () => {
    const stderr = sink(false);
    new Output(sink(false), stderr, {}).live('working');
    expect(stderr.text()).toBe('');
  });
});
