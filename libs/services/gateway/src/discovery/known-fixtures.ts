import type { Logger } from '@palimpsest/kernel';

export type KnownFixturesOptions = {
  readonly fixtureIds: () => Promise<readonly string[]>;
  readonly logger: Logger;
  /** Milliseconds; default the system's clock. */
  readonly now?: () => number;
};

export type FixtureList = {
  readonly ids: readonly string[];
  /** False: the list could not be asked for yet, so that it is not to be kept. */
  readonly known: boolean;
};

/** Everybody may ask for discovery, but the directory of workflows is asked once in this time. */
const FRESH_MS = 5000;

/** The workflows that discovery tells. A directory that does not answer keeps the list as it was last known. */
export class KnownFixtures {
  private list: FixtureList = { ids: [], known: false };
  private asked: Promise<void> | undefined;
  private staleAt = -Infinity;
  private readonly now: () => number;

  constructor(private readonly options: KnownFixturesOptions) {
    // The clock of the host may be set back.
    this.now = options.now ?? (() => performance.now());
  }

  async read(): Promise<FixtureList> {
    if (this.now() >= this.staleAt) this.asked ??= this.ask();
    await this.asked;
    return this.list;
  }

  private async ask(): Promise<void> {
    try {
      this.list = { ids: await this.options.fixtureIds(), known: true };
    } catch (err) {
      this.options.logger.warn(
        { err },
        'The workflow directory does not answer; discovery tells what it told before',
      );
    } finally {
      this.staleAt = this.now() + FRESH_MS;
      this.asked = undefined;
    }
  }
}
