import type { Findings } from '../../../findings/findings.ts';
import type { Dialect } from '../../dialect.ts';
import type { Account } from '../../kit/account.ts';
import { linesOfFile } from './loading/lines.ts';
import type { Loading } from './loading/model.ts';

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
    const { id } = link;
    if (id !== undefined && this.#places.has(id)) return;
    const count = this.#links.push({ ...link, line });
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

/** What the program loads of a log, by the newest rules that are known; undefined if there are none. */
export async function loadingOfLog(
  log: string,
  dialect: Pick<Dialect, 'loading'>,
): Promise<Loading | undefined> {
  const rules = await dialect.loading?.();
  return rules?.load(linesOfFile(log), { path: log }, rules.versions[0]);
}

/** How much is loaded, in words. */
const loadsText = ({ loaded, of }: Loading): string =>
  `resume loads ${loaded.length} of ${of} parts of the conversation`;

/** Reports where a chain is cut, or which branch is not loaded, if a continued session lacks something. */
export async function reportReach(
  log: string,
  file: string,
  dialect: Pick<Dialect, 'loading'>,
  findings: Findings,
): Promise<void> {
  const loading = await loadingOfLog(log, dialect);
  if (loading === undefined) return;
  const { cuts, branches, loaded, of } = loading;
  const cut = cuts.find(({ isBridged }) => !isBridged);
  const code = 'session/resume-reach';
  if (cut && loaded.length < of) {
    // A program writes a record without a parent when a user goes back to the start.
    const severity = cut.parent === undefined ? 'info' : 'warn';
    findings.report({
      code,
      severity,
      file,
      line: cut.line,
      message: `${loadsText(loading)}: ${cut.message}`,
    });
    return;
  }
  const left = branches.reduce((sum, { parts }) => sum + parts, 0);
  const [first] = branches;
  // Short branches are normal: an answer was asked for again, or a prompt was corrected.
  if (first && left > loaded.length)
    findings.report({
      code,
      file,
      line: first.line,
      message: `${loadsText(loading)}, and ${left} are on other branches`,
    });
}

/** Adds what a continued session lacks to the account of a session. */
export async function accountWithResume<A extends Omit<Account, 'usage'>>(
  account: A,
  log: string,
  dialect: Pick<Dialect, 'loading'>,
): Promise<A> {
  const loading = await loadingOfLog(log, dialect);
  if (loading === undefined) return account;
  const { loaded, of, cuts, branches, refused } = loading;
  const cut = cuts.find(({ isBridged }) => !isBridged);
  const left = branches.reduce((sum, { parts }) => sum + parts, 0);
  if (loaded.length >= of && left === 0 && refused.length === 0) return account;
  const why = [
    `loads ${loaded.length} of ${of} parts`,
    cut && `cut at line ${cut.line}`,
    left > 0 && `${left} on other branches`,
    refused.length > 0 && 'the API refuses the request',
    'see noesis doctor',
  ];
  const field = { label: 'resume', text: why.filter(Boolean).join(', ') };
  const sections = [...(account.sections ?? [])];
  const own = sections.findIndex(({ title }) => title === 'Session');
  const before = sections[own];
  if (before) sections[own] = { ...before, fields: [...(before.fields ?? []), field] };
  else sections.unshift({ title: 'Session', fields: [field] });
  return {
    ...account,
    sections,
    resume: {
      parts: loaded.length,
      of,
      branches: left,
      refused: refused.length,
      ...(cut && { line: cut.line }),
    },
  };
}
