/** What a program that continues a session looks at in a record. */
export interface ReachLink {
  readonly line: number;
  /** Whether the user typed it. */
  readonly isPrompt?: boolean | undefined;
  /** Whether no session continues from it: it belongs to a subagent, or not to the conversation. */
  readonly isAside?: boolean | undefined;
  /** Whether the program itself begins again here, as after a compaction. */
  readonly isNewStart?: boolean | undefined;
}

/**
 * Whether a continued session may lack something: following parents from the last record misses a prompt, or ends at a
 * parent that is not in the log. The rules of the program then say what it lacks. `parentOf` gives the index of a parent:
 * -1 if the log does not have it, undefined for a record without a parent.
 */
export function mayLack(
  links: readonly ReachLink[],
  parentOf: (index: number) => number | undefined,
): boolean {
  /** By record: whether it is on the path. */
  const path = new Uint8Array(links.length);
  let end: ReachLink | undefined;
  let at: number | undefined = links.findLastIndex(({ isAside }) => isAside !== true);
  for (let link = links[at]; at !== undefined && link && path[at] === 0; link = links[at ?? -1]) {
    path[at] = 1;
    end = link;
    at = parentOf(at);
  }
  if (at === -1 && end !== undefined) return true;
  const start = end?.isNewStart === true ? end.line : 0;
  return links.some(
    ({ isAside, isPrompt, line }, index) =>
      isPrompt === true && isAside !== true && path[index] === 0 && line >= start,
  );
}

/** The id and parent of a record. A record without an id follows the previous one. */
export interface RecordLink extends Omit<ReachLink, 'line'> {
  readonly id: string | undefined;
  readonly parent: string | undefined;
}

/** Collects the records of a log to find out whether a continued session may lack something. */
export class ResumeReach {
  readonly #links: (RecordLink & ReachLink)[] = [];
  readonly #places = new Map<string, number>();

  add(link: RecordLink, line: number): void {
    const { id, parent, isPrompt, isAside, isNewStart } = link;
    if (id !== undefined && this.#places.has(id)) return;
    // There is one for each record of the log, and a copy by spreading takes several times as much memory.
    const count = this.#links.push({ id, parent, isPrompt, isAside, isNewStart, line });
    if (id !== undefined) this.#places.set(id, count - 1);
  }

  get mayLack(): boolean {
    return mayLack(this.#links, (index) => {
      const { id, parent } = this.#links[index] ?? {};
      if (id === undefined) return index === 0 ? undefined : index - 1;
      return parent === undefined ? undefined : (this.#places.get(parent) ?? -1);
    });
  }
}
