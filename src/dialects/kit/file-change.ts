import { pushAll } from '../../base/files/push-all.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { alignAtOnce, stepsOf } from '../../base/text/matching.ts';
import { Numbering } from '../../base/text/numbering.ts';
import { partsAround } from '../../base/text/parts-around.ts';
import { asObject, objectsIn, stringIn, textIn } from './members.ts';

/** A change that a call made to a file. */
export interface FileChange {
  /** As in the log. */
  readonly path: string;
  readonly kind: 'edit' | 'write' | 'delete';
  /** The path of the file before the call, if the call moved it. A change of kind `delete` is then at that path. */
  readonly moved_from?: string;
  readonly added: number;
  readonly removed: number;
  /** A unified diff without its header. */
  readonly diff: string;
}

/** The whole text of a file before and after a call, as far as its result has it. */
export interface FileTexts {
  /** As in the log; absent if it is the file that the call changes. */
  readonly path?: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** A hunk in the form that programs store. */
export interface StoredHunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

const startsWith = (lines: readonly string[], sign: string): number =>
  lines.reduce((count, line) => count + (line.startsWith(sign) ? 1 : 0), 0);

function hunkText({ oldStart, newStart, lines }: StoredHunk): string {
  const kept = startsWith(lines, ' ');
  const [old, now] = [kept + startsWith(lines, '-'), kept + startsWith(lines, '+')];
  return [`@@ -${oldStart},${old} +${newStart},${now} @@`, ...lines].join('\n');
}

/** How many lines a diff adds and removes. */
export const countsOf = (lines: readonly string[]): Pick<FileChange, 'added' | 'removed'> => ({
  added: startsWith(lines, '+'),
  removed: startsWith(lines, '-'),
});

/** A change of these lines. `diff`: the lines with what is between them. */
const changeOfLines = (
  path: string,
  kind: FileChange['kind'],
  lines: readonly string[],
  diff: string,
): FileChange => ({ path, kind, ...countsOf(lines), diff });

/** Makes a change from stored hunks. */
export function changeOfHunks(
  path: string,
  hunks: readonly StoredHunk[],
  kind: FileChange['kind'],
): FileChange {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return changeOfLines(path, kind, lines, hunks.map(hunkText).join('\n'));
}

/** A text after stored hunks; undefined if they do not fit. */
export function textAfterHunks(text: string, hunks: readonly StoredHunk[]): string | undefined {
  const old = text.split('\n');
  const now: string[] = [];
  let done = 0;
  for (const { oldStart, lines } of hunks) {
    const from = Math.max(0, oldStart - 1);
    const before = lines.filter((line) => /^[- ]/.test(line)).map((line) => line.slice(1));
    if (from < done || before.some((line, offset) => old[from + offset] !== line)) return undefined;
    pushAll(now, old.slice(done, from));
    pushAll(
      now,
      lines.filter((line) => /^[+ ]/.test(line)).map((line) => line.slice(1)),
    );
    done = from + before.length;
  }
  pushAll(now, old.slice(done));
  return now.join('\n');
}

/** The number of context lines. */
const CONTEXT = 3;

/** The lines of a text, without its final newline. */
export const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** The hunks between the lines of two texts, with as few changed lines as possible. Line numbers count from the start of these. */
export function hunksBetween(old: readonly string[], now: readonly string[]): StoredHunk[] {
  const numbers = new Numbering();
  const steps = [...stepsOf(alignAtOnce(numbers.sequence(old), numbers.sequence(now)), now.length)];
  return partsAround(steps, ({ kind }) => kind !== 'pair', CONTEXT).map((part) => ({
    oldStart: part.flatMap((step) => (step.kind === 'added' ? [] : [step.a + 1])).at(0) ?? 0,
    newStart: part.flatMap((step) => (step.kind === 'missing' ? [] : [step.b + 1])).at(0) ?? 0,
    lines: part.map((step) => {
      if (step.kind === 'added') return `+${now[step.b]}`;
      return `${step.kind === 'pair' ? ' ' : '-'}${old[step.a]}`;
    }),
  }));
}

/** Makes a change from the text before and after. Line numbers count from the start of these texts. */
export const changeOfTexts = (
  path: string,
  before: string,
  after: string,
  kind: FileChange['kind'],
): FileChange => changeOfHunks(path, hunksBetween(linesOf(before), linesOf(after)), kind);

const PATCHED_FILE = /^\*\*\* (?:(Add|Update|Delete) File|Move to): (.+)$/;
const KINDS = { Add: 'write', Update: 'edit', Delete: 'delete' } as const;

/** The changes of a call that may have moved the file that it edited: after a move, the old path has no file. */
export const changesOfMove = (change: FileChange, to = change.path): FileChange[] =>
  to === change.path
    ? [change]
    : [{ ...change, path: to, moved_from: change.path }, changeOfLines(change.path, 'delete', [], '')];

/**
 * The changes in an `apply_patch` patch: `*** Update File: path`, after it `*** Move to: path` if the file is moved, then diff
 * lines.
 */
export function changesOfPatch(patch: string): FileChange[] {
  const changes: { path: string; kind: FileChange['kind']; to?: string; lines: string[] }[] = [];
  for (const line of patch.split('\n')) {
    const [, verb, named = ''] = PATCHED_FILE.exec(line) ?? [];
    const [path, last] = [named.trim(), changes.at(-1)];
    if (verb !== undefined) changes.push({ path, kind: KINDS[verb as keyof typeof KINDS], lines: [] });
    else if (path !== '' && last?.lines.length === 0) last.to = path;
    else if (/^(?:@@|[-+ ])/.test(line)) last?.lines.push(line);
  }
  return changes.flatMap(({ path, kind, to, lines }) =>
    changesOfMove(changeOfLines(path, kind, lines, lines.join('\n')), to),
  );
}

/** The first member that is a string. Programs use different names for the same argument. */
const oneOf = (object: JsonObject, names: readonly string[]): string | undefined =>
  names.map((name) => stringIn(object, name)).find((text) => text !== undefined);

/** The new text of a cell of a notebook. The log does not have the old one. */
function changeOfCell(input: JsonObject): FileChange[] {
  const [path, source] = [textIn(input, 'notebook_path'), textIn(input, 'new_source')];
  if (path === undefined || source === undefined || input['edit_mode'] === 'delete') return [];
  return [changeOfTexts(path, '', source, 'edit')];
}

/** What a call did to a file, as its result shows it. */
export interface ShownDiff {
  readonly isNew: boolean;
  /** The hunks of a unified diff; none if the file was written as it was. */
  readonly hunks: readonly string[];
}

/** The diff in the display of a result (gemini.md §3); undefined if it has none. */
export function shownDiff(display: JsonValue | undefined): ShownDiff | undefined {
  const { fileDiff, isNewFile, originalContent } = asObject(display);
  if (typeof fileDiff !== 'string' || !/^--- .*\n\+\+\+ /m.test(fileDiff)) return undefined;
  const [, ...hunks] = fileDiff.split(/^(?=@@ )/m);
  // Earlier versions do not say whether the file is new.
  const isNew = isNewFile === undefined ? !originalContent : isNewFile === true;
  return { isNew, hunks: hunks.map((hunk) => hunk.replace(/\n(?:\\.*)?$/, '')) };
}

/** The whole texts in the display of a result (gemini.md §3). */
export function shownTexts(display: JsonValue | undefined): FileTexts[] {
  const { originalContent: before, newContent: after } = asObject(display);
  return typeof after === 'string'
    ? [{ before: typeof before === 'string' ? before : undefined, after }]
    : [];
}

/**
 * The file changes of a call, from its arguments: a whole text, one replacement, or several. `shown`: what its result says;
 * only that knows what a whole text replaced.
 */
export function changesOfArguments(given: JsonValue | undefined, shown?: ShownDiff): FileChange[] {
  const changes = changesIn(given);
  const [path, ...others] = new Set(changes.map((change) => change.path));
  if (shown === undefined || path === undefined || others.length > 0) return changes;
  const lines = shown.hunks.flatMap((hunk) => hunk.split('\n').slice(1));
  return [changeOfLines(path, shown.isNew ? 'write' : 'edit', lines, shown.hunks.join('\n'))];
}

/** A text in a file, and what a call puts in its place. */
export interface Replacement {
  readonly before: string;
  readonly after: string;
  /** Everywhere, not only in one place. */
  readonly isEverywhere: boolean;
}

/** The replacements in the arguments of a call. */
export function replacementsIn(given: JsonValue | undefined): Replacement[] {
  const input = asObject(given);
  return [input, ...objectsIn(input, 'edits')].flatMap((edit) => {
    const before = oneOf(edit, ['old_string', 'old_str', 'oldText', 'oldString']);
    const after = oneOf(edit, ['new_string', 'new_str', 'newText', 'newString']);
    if (before === undefined && after === undefined) return [];
    const isEverywhere = edit['replace_all'] === true || edit['replaceAll'] === true;
    return [{ before: before ?? '', after: after ?? '', isEverywhere }];
  });
}

/** The whole text in the arguments of a call that writes a file. */
export const writtenText = (given: JsonValue | undefined): string | undefined =>
  oneOf(asObject(given), ['content', 'file_text']);

function changesIn(given: JsonValue | undefined): FileChange[] {
  const input = asObject(given);
  const patch = textIn(input, 'patchText');
  if (patch !== undefined) return changesOfPatch(patch);
  const path = oneOf(input, ['file_path', 'filePath', 'path']);
  if (path === undefined || path === '') return changeOfCell(input);
  const text = writtenText(input);
  if (text !== undefined) return [changeOfTexts(path, '', text, 'write')];
  return replacementsIn(input).map(({ before, after }) => changeOfTexts(path, before, after, 'edit'));
}
