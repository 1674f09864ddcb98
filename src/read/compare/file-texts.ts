import { pushAll } from '../../base/files/push-all.ts';
import type { JsonValue } from '../../base/json/value.ts';
import {
  type FileChange,
  type FileTexts,
  linesOf,
  type Replacement,
  replacementsIn,
  writtenText,
} from '../../dialects/kit/file-change.ts';
import type { CallDetails } from '../../dialects/kit/story.ts';
import type { ChangedFile } from '../describe/changes-of-story.ts';
import { type Hunk, hunksOf } from '../describe/hunks.ts';

/** A file that a run changed, and its text before the first change and after the last one, if the log has them. */
export interface FileOfRun extends ChangedFile {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

/** The first place at or after `from` where lines occur in others; -1 if they do not. */
function placeOf(part: readonly string[], lines: readonly string[], from: number): number {
  for (let at = from; at + part.length <= lines.length; at += 1)
    if (part.every((line, offset) => lines[at + offset] === line)) return at;
  return -1;
}

/** A text after a patch, each of whose hunks belongs to the first place that fits; undefined if one has none. */
function afterPatch(text: string, hunks: readonly Hunk[]): string | undefined {
  const lines = linesOf(text);
  const now: string[] = [];
  let done = 0;
  for (const { context, before, after } of hunks) {
    const named = context === undefined ? -1 : placeOf([context], lines, done);
    if (context !== undefined && named === -1) return undefined;
    // Lines without any around them are added at the end.
    const at = before.length === 0 ? lines.length : placeOf(before, lines, Math.max(done, named + 1));
    if (at === -1) return undefined;
    pushAll(now, lines.slice(done, at));
    pushAll(now, after);
    done = at + before.length;
  }
  pushAll(now, lines.slice(done));
  return now.join('\n');
}

/** A text after replacements; undefined if the place of one of them is not certain. */
function afterReplacements(text: string, replacements: readonly Replacement[]): string | undefined {
  let now = text;
  for (const { before, after, isEverywhere } of replacements) {
    const parts = before === '' ? [] : now.split(before);
    const isCertain = before === '' ? now === '' : parts.length === 2 || (isEverywhere && parts.length > 1);
    if (!isCertain) return undefined;
    now = before === '' ? after : parts.join(after);
  }
  return now;
}

/** The text of a file after the changes of one call; undefined if the log does not have it. */
function afterChanges(
  text: string | undefined,
  changes: readonly FileChange[],
  input: JsonValue | undefined,
): string | undefined {
  const hunks = changes.flatMap(({ diff }) => hunksOf(diff));
  if (changes.at(-1)?.kind === 'delete') return '';
  if (changes.every(({ kind }) => kind === 'write') && hunks.every(({ before }) => before.length === 0))
    return hunks.flatMap(({ after }) => after).join('\n');
  if (text === undefined || hunks.length === 0) return text;
  const replacements = replacementsIn(input);
  return replacements.length > 0 ? afterReplacements(text, replacements) : afterPatch(text, hunks);
}

/** Whether a text has all lines that changes added: a program or a person may have written something else than a call asked for. */
const hasAdded = (text: string, changes: readonly FileChange[]): boolean =>
  changes.every(({ diff }) =>
    linesOf(diff).every((line) => !line.startsWith('+') || text.includes(line.slice(1).trim())),
  );

/** Follows the texts of files through the calls of a run. A text that is not known is undefined. */
export class FileTextsOfRun {
  readonly #start = new Map<string, string | undefined>();
  readonly #now = new Map<string, string | undefined>();
  readonly #changed = new Set<string>();

  /** Adds what a call did to files, and what is known of it. */
  add(changes: readonly FileChange[], { input, files = [] }: CallDetails = {}): void {
    const paths = new Set(changes.map(({ path }) => path));
    const only = paths.size === 1 ? changes[0]?.path : undefined;
    const known = new Map<string, FileTexts>();
    for (const file of files) {
      const path = file.path ?? only;
      if (path !== undefined) known.set(path, file);
    }
    for (const path of new Set([...known.keys(), ...paths])) {
      const own = changes.filter((change) => change.path === path);
      this.#file(path, own, known.get(path), path === only ? input : undefined);
    }
  }

  #file(
    path: string,
    changes: readonly FileChange[],
    { before = this.#now.get(changes[0]?.moved_from ?? path), after }: Partial<FileTexts> = {},
    input: JsonValue | undefined,
  ): void {
    if (changes.length > 0 && !this.#changed.has(path)) {
      this.#changed.add(path);
      const isNew = before === undefined && changes[0]?.kind === 'write';
      this.#start.set(path, isNew ? '' : before);
    }
    const text = after ?? writtenText(input) ?? afterChanges(before, changes, input);
    const isSure = text !== undefined && (after !== undefined || hasAdded(text, changes));
    this.#now.set(path, isSure ? text : undefined);
  }

  /** Adds to a file what it contained before and after the run. */
  of(file: ChangedFile): FileOfRun {
    return { ...file, start: this.#start.get(file.path), end: this.#now.get(file.path) };
  }
}
