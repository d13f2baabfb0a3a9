/** Remembers a wake-up that comes while nobody waits, so that none is lost between a read and a wait. */
export class WakeSignal {
  private woken = false;
  private resume: (() => void) | undefined;

  wake(): void {
    this.woken = true;
    this.resume?.();
  }

  /** Resolves at the next wake-up (at once, if one came since the last wait), or after the time given. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.woken) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.resume = resolve;
        timer = setTimeout(resolve, milliseconds);
      });
      clearTimeout(timer);
      this.resume = undefined;
    }
    this.woken = false;
  }
}
