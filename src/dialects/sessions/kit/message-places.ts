import { firstFrom } from '../../../base/text/first-from.ts';
import { byText } from '../../../base/text/order.ts';

/** A message in a session. */
interface MessagePlace {
  readonly id: string;
  readonly time: string | undefined;
  /** When it was complete. */
  readonly ended: string | undefined;
  /** The turn that it belongs to. */
  readonly turn: number;
}

/** The messages of a session whose ids are in the order of time. They show between which a missing one was. */
export class MessagePlaces {
  readonly #byId: MessagePlace[] = [];
  #isSorted = true;

  add(place: MessagePlace): void {
    const last = this.#byId.at(-1);
    if (last !== undefined && byText(last.id, place.id) > 0) this.#isSorted = false;
    this.#byId.push(place);
  }

  /** The message of an id, and those right before and after it; absent at the ends. */
  around(id: string): Readonly<Partial<Record<'own' | 'before' | 'after', MessagePlace>>> {
    if (!this.#isSorted) this.#byId.sort((a, b) => byText(a.id, b.id));
    this.#isSorted = true;
    const place = firstFrom(this.#byId.length, (at) => byText(this.#byId[at]?.id ?? '', id) >= 0);
    const found = this.#byId[place];
    const own = found?.id === id ? found : undefined;
    const [before, after] = [this.#byId[place - 1], own === undefined ? found : this.#byId[place + 1]];
    return { ...(own && { own }), ...(before && { before }), ...(after && { after }) };
  }
}
