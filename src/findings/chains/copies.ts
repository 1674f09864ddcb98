import { QUOTE } from '../../base/json/ascii.ts';
import { parseDocument } from '../../base/json/parse-document.ts';
import { ValueIndex } from '../../base/json/value-index.ts';
import { type Ambiguity, CanonicalWriter } from './canonical.ts';
import { FORMS, type Form } from './forms.ts';
import { type MemberPath, pathOf, textOf, valueAt } from './paths.ts';
import type { Profile } from './profile.ts';

/** The value with its numbers as they are stored. */
const AS_STORED: Form = { ...FORMS.jcs, numbers: 'stored' };

/** Members that repeat others: readers see the first, and the hash covers the second, which may be JSON in a text. */
export class Copies {
  /** The ambiguities in values that are equal only for some programs, with an example of each. */
  readonly ambiguities = new Map<Ambiguity, string>();
  readonly #pairs: readonly (readonly [shown: MemberPath, copy: MemberPath])[];
  readonly #inner = new ValueIndex(Buffer.from('0'), 0, 1);
  readonly #left = new CanonicalWriter(this.ambiguities);
  readonly #right = new CanonicalWriter(this.ambiguities);

  constructor({ same = {} }: Profile) {
    this.#pairs = Object.entries(same).map(([shown, copy]) => [pathOf(shown), pathOf(copy)]);
  }

  /** The first pair of members that differ, or undefined. A missing member differs. */
  differing(index: ValueIndex, root: number): { readonly shown: string; readonly copy: string } | undefined {
    for (const [shown, copy] of this.#pairs)
      if (this.#differs(index, valueAt(index, root, shown), valueAt(index, root, copy)))
        return { shown: shown.text, copy: copy.text };
    return undefined;
  }

  #differs(index: ValueIndex, shown: number, copy: number): boolean {
    if (shown === -1 || copy === -1) return shown !== copy;
    const isText = (value: number) => index.bytes[index.startOf(value)] === QUOTE;
    if (isText(shown) === isText(copy) && this.#isEqual(index, shown, index, copy)) return false;
    if (!isText(copy)) return true;
    const bytes = Buffer.from(textOf(index, copy) ?? '');
    // The limits of a document keep a text of any depth from overflowing the stack.
    if (!parseDocument(bytes).ok) return true;
    return !this.#isEqual(index, shown, this.#inner.read(bytes, 0, bytes.length), 0);
  }

  #isEqual(index: ValueIndex, value: number, otherIndex: ValueIndex, other: number): boolean {
    const [left, right] = [this.#left, this.#right];
    return [AS_STORED, FORMS.jcs].some((form) => {
      left.clear();
      left.json(index, value, form);
      right.clear();
      right.json(otherIndex, other, form);
      return left.bytes.equals(right.bytes);
    });
  }
}
