/** A Map in V8 has at most 2^24 entries; a log may have more events. */
const MOST = 2 ** 24 - 1;

/** A map from texts that may exceed the size of one Map. */
export class LargeMap<Value> {
  readonly #most: number;
  readonly #maps: Map<string, Value>[] = [new Map()];

  /** `most`: the maximum size of one Map. */
  constructor(most = MOST) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#maps[0]?.size === 0;
  }

  get(key: string): Value | undefined {
    for (const map of this.#maps) {
      const value = map.get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Adds a new key. */
  add(key: string, value: Value): void {
    let last = this.#maps.at(-1);
    if (last === undefined || last.size >= this.#most) {
      last = new Map();
      this.#maps.push(last);
    }
    last.set(key, value);
  }

  *[Symbol.iterator](): Generator<[string, Value], void, void> {
    for (const map of this.#maps) yield* map;
  }
}
