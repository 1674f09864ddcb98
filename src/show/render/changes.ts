import { plainShellWord } from '../../base/text/shell-word.ts';
import type { FileChange } from '../../dialects/kit/file-change.ts';
import { FOLDED } from '../../dialects/kit/story.ts';
import { lostTexts } from '../../dialects/kit/usage-words.ts';
import type {
  ChangedFile,
  ChangesOfRun,
  CopiedChanges,
  PossibleChange,
} from '../../read/describe/changes-of-story.ts';
import { diffLines, rowText } from './diff-lines.ts';
import { escapeText } from './escape.ts';
import type { Style } from './style.ts';
import { placeText, plural } from './tally.ts';

interface ChangesLayout {
  /** The width at which rows are cut, and diffs wrapped. */
  readonly width: number;
  readonly style: Style;
  /** The number of damaged lines that were left out. */
  readonly damaged?: number;
  /** Whether a file has one diff, of what all edits did together. */
  readonly isNet?: boolean;
}

/** A warning that files were changed after the last test run. What the log lacks may have a later one. */
export function staleTest(changes: ChangesOfRun): string | undefined {
  const { last_edit: edit, last_test: test, lost_since_edit: lost } = changes;
  if (edit === undefined || test === undefined || test > edit) return undefined;
  const older = `(line ${test}) is older than the last edit (line ${edit})`;
  return lost === undefined
    ? `The last test run ${older}.`
    : `The last known test run ${older}. A later one may be lost (${lostTexts(lost).join(', ')}).`;
}

/** The place of a call: its line, in the log of a part if it is not in that of the run. */
const whereOf = (line: number, part: string | undefined): string => `line ${placeText({ line, part })}`;

/** What calls may have changed, with the titles of their lists. */
export const EFFECTS: readonly { readonly what: PossibleChange['what']; readonly title: string }[] = [
  { what: 'files', title: 'May have changed files' },
  { what: 'failed_edit', title: 'Edits that failed' },
  { what: 'elsewhere', title: 'May have changed a repository, the machine or a service' },
  { what: 'unknown', title: 'Other commands, whose effects the log does not show' },
];

/** How a call ended that may have changed something, unless it succeeded or its list says so. */
export function endText({ failed, unfinished, what }: PossibleChange): string {
  const end = failed && what !== 'failed_edit' ? 'failed' : unfinished;
  return end === undefined ? '' : ` (${end})`;
}

/** Calls that may have changed something, as lists with a title. Lists of other commands are folded. */
function possibleText(maybe: readonly PossibleChange[], { width, style }: ChangesLayout): string[] {
  return EFFECTS.flatMap(({ what, title }) => {
    const all = maybe.filter((one) => one.what === what);
    const shown = what === 'unknown' && all.length > FOLDED + 1 ? all.slice(0, FOLDED) : all;
    const rows = shown.map((one) => {
      const [where, end] = [rowText(whereOf(one.line, one.part), width), endText(one)];
      const room = width - where.length - end.length - 4;
      return `  ${style.dim(where)}  ${rowText(one.command.trim().split('\n')[0] ?? '', room)}${style.red(end)}`;
    });
    const more =
      all.length > shown.length
        ? [style.dim(`  and ${all.length - shown.length} more: add -j to see all`)]
        : [];
    return all.length === 0 ? [] : ['', style.bold(rowText(title, width)), ...rows, ...more];
  });
}

type Change = Omit<FileChange, 'path'>;

/** Whether a call wrote a file as it was. */
const isSame = ({ kind, diff, moved_from: from }: Change): boolean =>
  kind === 'edit' && diff === '' && from === undefined;
const SAME = ', with the same content as before';

/** What a call did to a file: `edit`, `edit, moved from a.ts`. */
export const changeTitle = ({ kind, moved_from: from }: Change): string =>
  from === undefined ? kind : `${kind}, moved from ${from}`;

/** How many lines all changes of a file added and removed together; their sums, if the log does not say more. */
export const countsOfFile = ({ added, removed, net }: ChangedFile): Pick<FileChange, 'added' | 'removed'> =>
  net ?? { added, removed };

/** That the numbers of a file are sums, because the log does not say how its edits fit together; else undefined. */
export const sumOfEdits = ({ net, changes }: ChangedFile): string | undefined =>
  net === undefined ? `sum of ${plural(changes.length, 'edit')}` : undefined;

/** What the log says of changes of files, in a line. */
function headOf({ files, may_have_changed: maybe, copied }: ChangesOfRun, damaged: number): string {
  const atLeast = damaged > 0 ? 'At least ' : '';
  const same = files.filter(({ changes }) => changes.every(isSame)).length;
  const changed = files.length - same;
  const rewritten = `${plural(same, 'file')} written${SAME}`;
  if (changed > 0)
    return `${atLeast}${plural(changed, 'file')} changed${same > 0 ? `, and ${rewritten}` : ''}`;
  if (same > 0) return `${atLeast}${rewritten}`;
  const where = damaged > 0 ? 'the intact lines' : 'this log';
  const none = `No file changes ${copied === undefined ? '' : 'of its own '}in ${where}`;
  const failed = maybe.filter(({ what }) => what === 'failed_edit').length;
  const others = maybe.length - failed;
  if (others > 0) return `${none}, but ${plural(others, 'call')} that may have changed something`;
  return failed > 0
    ? `${none}; ${plural(failed, 'edit')} failed`
    : `${none}, and no command that may have made any`;
}

/** That damaged lines may have had more changes; nothing if all lines are intact. */
const damagedText = (damaged: number): string[] =>
  damaged === 0 ? [] : [`Without ${plural(damaged, 'damaged line')}, which may have made changes`];

/** What copied calls changed, and the command that shows it. Trace text, not escaped. */
export const copiedChangesText = ({ from, files }: CopiedChanges): readonly string[] =>
  from === undefined
    ? [`What it copied from another session changed ${plural(files, 'file')}, not counted here`]
    : [
        `What it copied from its origin changed ${plural(files, 'file')}, not counted here:`,
        `noesis show ${plainShellWord(from)} --changes`,
      ];

/** The changes of files in a run: counts, then diffs with their lines, then possible changes. */
export function changesText(
  changes: ChangesOfRun,
  { width, style, damaged = 0, isNet = false }: ChangesLayout,
): string[] {
  const { files, may_have_changed: maybe, copied } = changes;
  const counts = files.map((file) => {
    const { added, removed } = countsOfFile(file);
    const numbers = `${`+${added}`.padStart(6)} ${`-${removed}`.padStart(6)}`;
    const sum = sumOfEdits(file);
    const end = sum === undefined ? '' : ` (${sum})`;
    return `${numbers}  ${rowText(file.path, width - numbers.length - end.length - 2)}${end}`;
  });
  const rows = (diff: string) =>
    diffLines(diff, width - 2, style, true).flatMap((draw) => draw().map((row) => `  ${row}`));
  const diffs = files.flatMap(({ path, net, changes: all }) => [
    '',
    style.bold(rowText(path, width)),
    ...(isNet && net !== undefined && all.length > 1
      ? [style.dim(`  ${plural(all.length, 'edit')}${net.diff === '' ? SAME : ''}`), ...rows(net.diff)]
      : all.flatMap(({ line, part, ...change }) => [
          style.dim(
            `  ${rowText(`${whereOf(line, part)}, ${changeTitle(change)}`, width)}${isSame(change) ? SAME : ''}`,
          ),
          ...rows(change.diff),
        ])),
  ]);
  const fact = staleTest(changes);
  return [
    style.bold(headOf(changes, damaged)),
    ...damagedText(damaged).map((text) => rowText(text, width)),
    ...counts,
    ...(copied === undefined ? [] : copiedChangesText(copied).map((text) => escapeText(text))),
    ...diffs,
    ...possibleText(maybe, { width, style }),
    ...(fact === undefined ? [] : ['', fact]),
  ];
}
