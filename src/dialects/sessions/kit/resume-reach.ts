/** What a program that continues a session looks at in a record. */
export interface ReachLink {
  readonly line: number;
  /** Whether the user typed it. */
  readonly isPrompt?: boolean;
  /** Whether no session continues from it: it belongs to a subagent, or not to the conversation. */
  readonly isAside?: boolean;
  /** Whether the program itself begins again here, as after a compaction. */
  readonly isNewStart?: boolean;
}

/** How many records a program loads when it follows parents from the last record. */
export interface Reach {
  readonly reached: number;
  readonly records: number;
  /** The line of the record where the chain ends. */
  readonly line: number;
  /** Whether that record names a parent that is not in the log. */
  readonly isCut: boolean;
  /** Whether the chain misses the first prompt, and no new start explains that. */
  readonly isPart: boolean;
}

/**
 * Follows parents from the last record. `parentOf` gives the index of a parent: -1 if the log does not have it, undefined
 * for a record without a parent.
 */
export function reachOf(
  links: readonly ReachLink[],
  parentOf: (index: number) => number | undefined,
): Reach | undefined {
  /** By record: whether it is on the path. */
  const path = new Uint8Array(links.length);
  let end: ReachLink | undefined;
  let at: number | undefined = links.findLastIndex(({ isAside }) => isAside !== true);
  for (let link = links[at]; at !== undefined && link && path[at] === 0; link = links[at ?? -1]) {
    path[at] = 1;
    end = link;
    at = parentOf(at);
  }
  if (end === undefined) return undefined;
  const isMain = ({ isAside }: ReachLink) => isAside !== true;
  const first = links.findIndex((link) => isMain(link) && link.isPrompt === true);
  const isCut = at === -1;
  const records = links.filter(isMain).length;
  const reached = links.filter((link, index) => isMain(link) && path[index] === 1).length;
  const isPart = isCut ? reached < records : first >= 0 && path[first] === 0 && end.isNewStart !== true;
  return { reached, records, line: end.line, isCut, isPart };
}

/** The id and parent of a record. A record without an id follows the previous one. */
export interface RecordLink extends Omit<ReachLink, 'line'> {
  readonly id: string | undefined;
  readonly parent: string | undefined;
}

/** Collects the records of a log to find out how far a continued session reaches. */
export class ResumeReach {
  readonly #links: (RecordLink & ReachLink)[] = [];
  readonly #places = new Map<string, number>();

  add(link: RecordLink, line: number): void {
    const { id } = link;
    if (id !== undefined && this.#places.has(id)) return;
    const count = this.#links.push({ ...link, line });
    if (id !== undefined) this.#places.set(id, count - 1);
  }

  result(): Reach | undefined {
    return reachOf(this.#links, (index) => {
      const { id, parent } = this.#links[index] ?? {};
      if (id === undefined) return index === 0 ? undefined : index - 1;
      return parent === undefined ? undefined : (this.#places.get(parent) ?? -1);
    });
  }
}

/** How far a continued session reaches, in words. */
export const reachText = ({ reached, records }: Reach): string =>
  `--resume reaches ${reached} of ${records} records`;
