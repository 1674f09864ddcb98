import { defined } from '../../base/json/defined.ts';
import type { FileChange } from '../../dialects/kit/file-change.ts';
import type { CallItem, DividerItem, Story, StoryItem } from '../../dialects/kit/story.ts';
import type { Lacks } from '../../dialects/kit/tokens.ts';
import { COMMAND_EFFECTS, effectOfCommand, runsTests } from './command-effect.ts';
import { type NetChange, netChange } from './net-changes.ts';

/** What a call may have changed; or that it is an edit that failed, so that nothing says that it changed anything. */
export const POSSIBLE_CHANGES = [...COMMAND_EFFECTS, 'failed_edit'] as const;

/** How a call ended that did not end by itself as far as the log shows. */
export const UNFINISHED = ['interrupted', 'no result'] as const;

/** A change of a file, with the line of its call. */
interface ChangeInLog extends Omit<FileChange, 'path'> {
  readonly line: number;
  /** The part of the run whose log has the line; absent for the log of the run itself. */
  readonly part?: string;
}

/** The changes of one file. */
export interface ChangedFile {
  readonly path: string;
  /** The sums of all changes. */
  readonly added: number;
  readonly removed: number;
  /** What all changes did together, added by {@link withNet}; absent if the log does not say how they fit together. */
  readonly net?: NetChange;
  readonly changes: readonly ChangeInLog[];
}

/** A call that may have changed something; the log does not say what it did. */
export interface PossibleChange {
  readonly line: number;
  readonly part?: string;
  readonly what: (typeof POSSIBLE_CHANGES)[number];
  readonly command: string;
  /** Whether the call failed; it may have changed something before. */
  readonly failed?: true;
  /** How the call ended, if it did not end by itself, or if the log does not say so. */
  readonly unfinished?: (typeof UNFINISHED)[number];
}

/** The calls that may have changed files. */
export const mayWriteFiles = ({ may_have_changed: maybe }: Pick<ChangesOfRun, 'may_have_changed'>) =>
  maybe.filter(({ what }) => what === 'files');

/** The changes of files according to the calls of a run. */
export interface ChangesOfRun {
  /** Ordered by first change. */
  readonly files: readonly ChangedFile[];
  readonly may_have_changed: readonly PossibleChange[];
  /** The line of the last change, and of the last call that ran tests. */
  readonly last_edit?: number;
  readonly last_test?: number;
  /** What the log lacks from the last change on, where a later call may have run tests. */
  readonly lost_since_edit?: Pick<Lacks, 'lines' | 'records'>;
  /** What copied calls changed; absent if they changed no file. */
  readonly copied?: CopiedChanges;
}

/** Changes that a log has from another session, where they count. */
export interface CopiedChanges {
  /** The id of that session, if the log says it. */
  readonly from?: string;
  /** The number of files. */
  readonly files: number;
}

/** Whether a call was executed. A failed call may also have written files. */
const wasRun = ({ status }: CallItem): boolean => status !== 'denied';

/** Whether an item may say what changed: a call that was run, not copied, or a result whose call is not in the log. */
const mayChange = (item: StoryItem): item is CallItem | DividerItem =>
  item.kind === 'call' ? wasRun(item) && !item.copied : item.kind === 'divider' && item.changes !== undefined;

/** The changes of files that a call made, or that a result states. */
const changesIn = (item: CallItem | DividerItem): readonly FileChange[] =>
  item.kind === 'divider' || item.status === 'ok' ? (item.changes ?? []) : [];

/** The changes of files that an item of a story made. */
export const changesOfItem = (item: StoryItem): readonly FileChange[] =>
  mayChange(item) ? changesIn(item) : [];

/** What the copied calls of a story changed. */
function copiedChanges({ turns, copied }: StoryOfChanges): CopiedChanges | undefined {
  const calls = turns
    .flatMap(({ items }) => items)
    .filter((item): item is CallItem => item.kind === 'call' && item.copied === true);
  const paths = calls.flatMap(changesIn).map(({ path }) => path);
  const files = new Set(paths).size;
  return files === 0 ? undefined : { ...defined({ from: copied?.from }), files };
}

/** Tools that run a command, under the names of various programs. */
const SHELLS = /(?:bash|shell|exec|command|terminal|powershell)/i;
/** Tools of such names that only look at a command that runs, or stop it. */
const NOT_SHELLS = /output|^(?:read|list|kill|stop)|killshell/i;

/** Separates the words of a command. */
const BETWEEN_WORDS = /[\s"'`=;|&<>(){},]+/;

/** The words of a command, which may be names of files. */
export const wordsOf = (command: string): string[] => command.split(BETWEEN_WORDS);

const commandOf = ({ tool, input, changes = [] }: CallItem): string | undefined =>
  changes.length === 0 && SHELLS.test(tool) && !NOT_SHELLS.test(tool) ? input : undefined;

/** Whether a call ran tests. */
export function isTestRun(call: CallItem): boolean {
  const command = commandOf(call);
  return command !== undefined && runsTests(command);
}

/** Tools that edit files, under the names of various programs. */
const EDITORS =
  /^(?:multi_?|notebook_?|str_replace_(?:based_)?)?edit|^write(?:_?file)?$|^replace$|^create$|patch/i;

/** How calls ended of which the log does not say what they did until then. */
const ENDS: Readonly<Partial<Record<CallItem['status'], Pick<PossibleChange, 'failed' | 'unfinished'>>>> = {
  error: { failed: true },
  interrupted: { unfinished: 'interrupted' },
  'no result': { unfinished: 'no result' },
  open: { unfinished: 'no result' },
};

/** What a call may have changed that is not among the changes of files. */
function possibleChangeOf(call: CallItem): Omit<PossibleChange, 'line' | 'part'> | undefined {
  const { tool, input, status } = call;
  const { [status]: end } = ENDS;
  if (end !== undefined && EDITORS.test(tool))
    return { what: end.failed ? 'failed_edit' : 'files', command: `${tool} ${input}`, ...end };
  const command = commandOf(call);
  const what = command === undefined ? undefined : effectOfCommand(command);
  if (command === undefined || what === undefined) return undefined;
  return { what, command, ...end };
}

/** What changes did together. The order of those in several logs is not known. */
const netOf = (changes: readonly ChangeInLog[]): NetChange | undefined =>
  changes.every(({ part }) => part === changes[0]?.part) ? netChange(changes) : undefined;

/** Changes with what those of each file did together. */
export const withNet = (changes: ChangesOfRun): ChangesOfRun => ({
  ...changes,
  files: changes.files.map((file) => ({ ...file, ...defined({ net: netOf(file.changes) }) })),
});

/** What a log lacks after this line: damaged lines, and records that are missing in its turn or a later one. */
function lostAfter(line: number, { turns }: Pick<Story, 'turns'>): Pick<ChangesOfRun, 'lost_since_edit'> {
  let [lines, records] = [0, 0];
  for (const [at, { items, lacks }] of turns.entries()) {
    for (const item of items) if (item.kind === 'divider' && item.line > line) lines += item.damaged ?? 0;
    if ((turns[at + 1]?.line ?? Infinity) > line) records += lacks?.records ?? 0;
  }
  return lines + records === 0
    ? {}
    : { lost_since_edit: { ...(lines > 0 && { lines }), ...(records > 0 && { records }) } };
}

/** What the changes of a run are found in. */
type StoryOfChanges = Pick<Story, 'turns' | 'copied'>;

/** The story of a part of a run, and its name. */
export interface PartStory {
  readonly name: string;
  readonly story: Pick<Story, 'turns'>;
}

/**
 * Collects the changes of files in a story and those of its parts. Does not run commands or read other files. The last
 * edit and the last test are those of the run itself, because lines of other logs have no order among its own.
 */
export function changesOfStory(whole: StoryOfChanges, parts: readonly PartStory[] = []): ChangesOfRun {
  const files = new Map<string, { added: number; removed: number; changes: ChangeInLog[] }>();
  const maybe: PossibleChange[] = [];
  let lastEdit: number | undefined;
  const itemsIn = ({ turns }: Pick<Story, 'turns'>) => turns.flatMap(({ items }) => items.filter(mayChange));
  const own = itemsIn(whole);
  const lastTest = own.findLast((item) => item.kind === 'call' && isTestRun(item))?.line;
  const all = [
    ...own.map((item) => ({ item, of: {} })),
    ...parts.flatMap(({ name, story }) => itemsIn(story).map((item) => ({ item, of: { part: name } }))),
  ];
  for (const { item, of } of all) {
    const { line } = item;
    const isOwn = !('part' in of);
    for (const { path, ...change } of changesOfItem(item)) {
      const file = files.get(path) ?? { added: 0, removed: 0, changes: [] };
      files.set(path, file);
      file.added += change.added;
      file.removed += change.removed;
      file.changes.push({ line, ...of, ...change });
      if (isOwn) lastEdit = line;
    }
    if (item.kind === 'divider') continue;
    const possible = possibleChangeOf(item);
    if (possible !== undefined) maybe.push({ line, ...of, ...possible });
  }
  return {
    files: [...files].map(([path, file]) => ({ path, ...file })),
    may_have_changed: maybe,
    ...(lastEdit !== undefined && { last_edit: lastEdit }),
    ...(lastTest !== undefined && { last_test: lastTest }),
    ...(lastEdit !== undefined && lostAfter(lastEdit, whole)),
    ...defined({ copied: copiedChanges(whole) }),
  };
}
