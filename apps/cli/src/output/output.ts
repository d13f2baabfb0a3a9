import { palette, type Palette } from './palette.js';
import { clip } from './text.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** As much of a stream as is written to. */
export type Sink = {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
};

/** Answers go to standard output; progress and failures to standard error. */
export class Output {
  readonly colours: Palette;
  /** Columns of the terminal that answers go to; undefined where they go to a file or a pipe. */
  readonly width: number | undefined;
  #live = false;

  constructor(
    private readonly stdout: Sink,
    private readonly stderr: Sink,
    environment: Environment,
  ) {
    const wanted = !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
    this.colours = palette(wanted && stdout.isTTY === true);
    this.width = stdout.isTTY === true ? (stdout.columns ?? 80) : undefined;
  }

  /** True where progress may be drawn over itself. */
  get isLive(): boolean {
    return this.stderr.isTTY === true;
  }

  line(text = ''): void {
    this.#endLive();
    this.stdout.write(`${text}\n`);
  }

  lines(texts: readonly string[]): void {
    for (const text of texts) this.line(text);
  }

  json(value: unknown): void {
    this.line(JSON.stringify(value));
  }

  note(text: string): void {
    this.#endLive();
    this.stderr.write(`${text}\n`);
  }

  /** One line that the next output replaces; on a terminal only. */
  live(text: string): void {
    if (!this.isLive) return;
    this.stderr.write(`\r\u001b[2K${clip(text, (this.stderr.columns ?? 80) - 1)}`);
    this.#live = true;
  }

  #endLive(): void {
    if (!this.#live) return;
    this.stderr.write('\r\u001b[2K');
    this.#live = false;
  }
}
