/** Things by a number, of which the least one that still counts is asked for: a heap from which others are dropped when they come up. */
export class Earliest<Item> {
  readonly #heap: { readonly at: number; readonly item: Item }[] = [];
  readonly #counts: (item: Item) => boolean;

  /** `counts`: whether an item still counts. One that does not never will again. */
  constructor(counts: (item: Item) => boolean) {
    this.#counts = counts;
  }

  add(item: Item, at: number): void {
    const heap = this.#heap;
    let place = heap.push({ item, at }) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (this.#at(above) <= this.#at(place)) return;
      this.#swap(above, place);
      place = above;
    }
  }

  /** The least number of the items that count; undefined if none does. */
  least(): number | undefined {
    for (let [first] = this.#heap; first !== undefined; [first] = this.#heap) {
      if (this.#counts(first.item)) return first.at;
      this.#swap(0, this.#heap.length - 1);
      this.#heap.pop();
      this.#sink();
    }
    return undefined;
  }

  #sink(): void {
    for (let place = 0; ; ) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      const below = this.#at(right) < this.#at(left) ? right : left;
      if (!(this.#at(below) < this.#at(place))) return;
      this.#swap(place, below);
      place = below;
    }
  }

  #at(place: number): number {
    return this.#heap[place]?.at ?? Infinity;
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one === undefined || other === undefined) return;
    this.#heap[a] = other;
    this.#heap[b] = one;
  }
}
