import type { Registry } from '../ports.js';
import { plausibleAnswers, type RegistryAnswers } from './registry-answers.js';

export type AskedOfRegistry = { readonly name: keyof Registry; readonly body: object };

/** Answers something of the right shape, or what a spec told it to, and keeps what it was asked. */
export class StandInRegistry {
  readonly asked: AskedOfRegistry[] = [];
  /** As the gateway has it. */
  readonly port: Registry;
  #answers = plausibleAnswers();

  constructor() {
    const names = Object.keys(this.#answers) as (keyof Registry)[];
    this.port = Object.fromEntries(
      names.map((name) => [name, async (body: object) => this.#answer(name, body)]),
    ) as unknown as Registry;
  }

  /** From now on; one that throws is a refusal. */
  answer<Name extends keyof Registry>(name: Name, answer: RegistryAnswers[Name]): void {
    this.#answers = { ...this.#answers, [name]: answer };
  }

  /** What one method was asked, oldest first. */
  askedOf(name: keyof Registry): readonly object[] {
    return this.asked.filter((asked) => asked.name === name).map(({ body }) => body);
  }

  /** Back to the beginning. */
  reset(): void {
    this.asked.length = 0;
    this.#answers = plausibleAnswers();
  }

  #answer(name: keyof Registry, body: object): unknown {
    this.asked.push({ name, body });
    return (this.#answers[name] as (asked: object) => unknown)(body);
  }
}
