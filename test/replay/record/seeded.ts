/** Numbers that look random and are the same for a seed: what a history says can be made again. */
export class Seeded {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 … `below` − 1. */
  below(below: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * below);
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  of<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] ?? items[0];
  }

  chance(of: number): boolean {
    return this.below(1000) < of * 1000;
  }
}
