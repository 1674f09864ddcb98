import type { Printing } from '../../log/printing.ts';

/** How a program prints a value before it hashes the text. */
export interface Form extends Pick<Printing, 'order' | 'spaced' | 'numbers'> {
  /**
   * What strings escape. `minimal`: quotes, backslashes and control characters. `ascii`: also everything that is
   * not printable ASCII. `go`: also `<`, `>`, `&`, U+2028 and U+2029. `stored`: as in the log.
   */
  readonly strings: Printing['strings'] | 'go';
}

const JAVASCRIPT: Form = { order: 'utf16', strings: 'minimal', numbers: 'javascript' };

/** The forms by name. */
export const FORMS = {
  /** RFC 8785 */
  jcs: JAVASCRIPT,
  /** JSON.stringify of an object with sorted keys. */
  sorted: JAVASCRIPT,
  /** json.dumps(…, sort_keys=True) */
  'sorted-python': { order: 'codepoint', spaced: true, strings: 'ascii', numbers: 'python' },
  /** json.dumps(…, sort_keys=True, ensure_ascii=False) */
  'sorted-python-utf8': { order: 'codepoint', spaced: true, strings: 'minimal', numbers: 'python' },
  /** json.dumps(…, sort_keys=True, ensure_ascii=False, separators=(',', ':')) */
  'sorted-python-compact': { order: 'codepoint', strings: 'minimal', numbers: 'python' },
  /** JSON.stringify */
  insertion: { order: 'stored', strings: 'minimal', numbers: 'javascript' },
  /** The tokens of the log without the space between them. */
  stored: { order: 'stored', strings: 'stored', numbers: 'stored' },
  /** json.Marshal of a Go struct. */
  go: { order: 'stored', strings: 'go', numbers: 'stored' },
  /** json.Marshal of a Go map. */
  'go-sorted': { order: 'codepoint', strings: 'go', numbers: 'stored' },
} as const satisfies Readonly<Record<string, Form>>;

export type FormName = keyof typeof FORMS;

/** What a form does with the member at a path, and with those below it. */
export class CutNode {
  isLeftOut = false;
  /** Printed instead of the stored value. */
  instead: string | undefined;
  /** The members of all objects in it are sorted. */
  isSorted = false;
  /** A null is printed, although other nulls are left out. */
  keepsNull = false;
  readonly below: (readonly [name: string, node: CutNode])[] = [];

  /** The node at a path. */
  at(path: readonly string[]): CutNode {
    const [name, ...rest] = path;
    if (name === undefined) return this;
    let node = this.below.find(([known]) => known === name)?.[1];
    if (node === undefined) {
      node = new CutNode();
      this.below.push([name, node]);
    }
    return node.at(rest);
  }
}

/** Which members of a value are printed, and how. */
export interface Cut {
  readonly root: CutNode | undefined;
  /** Only these members of the outermost object, in this order. */
  readonly only: readonly string[] | undefined;
  readonly dropsNull: boolean;
  /** Strings are normalised to NFC first. */
  readonly isNfc: boolean;
}

export const WHOLE: Cut = { root: undefined, only: undefined, dropsNull: false, isNfc: false };
