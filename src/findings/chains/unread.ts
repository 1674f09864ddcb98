import { OPEN_BRACE, OPEN_BRACKET } from '../../base/json/ascii.ts';
import type { ValueIndex } from '../../base/json/value-index.ts';
import type { EventReporter } from '../check.ts';
import { isNull, type MemberPath, pathOf, textOf, valueAt } from './paths.ts';
import type { Profile } from './profile.ts';

/** Proofs of a log that noesis does not read. They are named, so that nobody takes them for checked. */
export class UnreadProofs {
  /** Those that were not found yet. */
  #wanted: readonly {
    readonly path: MemberPath;
    readonly value?: string | undefined;
    readonly what: string;
  }[];
  readonly #found = new Set<string>();

  constructor({ unread = [] }: Profile) {
    this.#wanted = unread.map(({ member, value, what }) => ({ path: pathOf(member), value, what }));
  }

  /** Looks for them in a record, or in a document next to or around the records. */
  see(index: ValueIndex): void {
    if (this.#wanted.length === 0) return;
    this.#wanted = this.#wanted.filter(({ path, value, what }) => {
      const at = valueAt(index, 0, path);
      const isThere = value === undefined ? isFilled(index, at) : textOf(index, at) === value;
      if (isThere) this.#found.add(what);
      return !isThere;
    });
  }

  end(report: EventReporter, line: number): void {
    if (this.#found.size === 0) return;
    report.onLine(line, undefined, {
      code: 'chain/unread-proof',
      message: `noesis does not check ${[...this.#found].join(', and ')}: the level of the log does not depend on it`,
    });
  }
}

/** Whether there is a value that says something. */
function isFilled(index: ValueIndex, value: number): boolean {
  if (value === -1 || isNull(index, value)) return false;
  const first = index.bytes[index.startOf(value)];
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return index.after(value) > value + 1;
  return textOf(index, value) !== '';
}
