import type { JsonObject } from '@palimpsest/contracts';

const MOST_KNOWN = 200;

/** Schemas that the provider takes in words only. Bounded; to ask once more than needed costs one refused request. */
export class RefusedSchemas {
  private readonly known = new Set<string>();

  has(schema: JsonObject): boolean {
    return this.known.has(JSON.stringify(schema));
  }

  add(schema: JsonObject): void {
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    this.known.add(JSON.stringify(schema));
  }
}
