import type { RacePoints } from '@palimpsest/kernel';

/** Stops whoever comes first to a named point, until it is let go. */
export class StopAt implements RacePoints {
  #armed: string | undefined;
  #arrived: () => void = () => undefined;
  #letGo: () => void = () => undefined;

  async reach(name: string): Promise<void> {
    if (name !== this.#armed) return;
    this.#armed = undefined;
    const released = new Promise<void>((resolve) => (this.#letGo = resolve));
    this.#arrived();
    await released;
  }

  /** Resolves when somebody stands at the point. */
  next(name: string): Promise<void> {
    this.#armed = name;
    return new Promise((resolve) => (this.#arrived = resolve));
  }

  letGo(): void {
    this.#letGo();
  }
}
