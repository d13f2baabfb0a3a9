/** Nodes of a definition, a bit each: one with a thousand nodes has a thousand of these sets. */
export class NodeSet {
  readonly #places: ReadonlyMap<string, number>;
  readonly #bits: Uint8Array;

  /** `places`: of all nodes, by id. */
  constructor(places: ReadonlyMap<string, number>) {
    this.#places = places;
    this.#bits = new Uint8Array(Math.ceil(places.size / 8));
  }

  has(nodeId: string): boolean {
    const place = this.#places.get(nodeId);
    return place !== undefined && this.#isSet(place);
  }

  add(nodeId: string): void {
    const place = this.#places.get(nodeId);
    if (place !== undefined) this.#bits[place >> 3] = (this.#bits[place >> 3] ?? 0) | (1 << (place & 7));
  }

  /** In the order of the definition. */
  ids(): readonly string[] {
    return [...this.#places].flatMap(([nodeId, place]) => (this.#isSet(place) ? [nodeId] : []));
  }

  #isSet(place: number): boolean {
    return ((this.#bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }
}
