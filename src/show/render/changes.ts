import type { ChangesOfRun } from '../../read/describe/changes-of-story.ts';
import { diffLines, rowText } from './diff-lines.ts';
import type { Style } from './style.ts';
import { placeText, plural } from './tally.ts';

interface ChangesLayout {
  /** The width at which rows are cut, and diffs wrapped. */
  readonly width: number;
  readonly style: Style;
}

/** A warning that files were changed after the last test run. */
export const staleTest = ({ last_edit: edit, last_test: test }: ChangesOfRun): string | undefined =>
  edit === undefined || test === undefined || test > edit
    ? undefined
    : `The last test run (line ${test}) is older than the last edit (line ${edit}).`;

/** The place of a call: its line, in the log of a part if it is not in that of the run. */
const whereOf = (line: number, part: string | undefined): string => `line ${placeText({ line, part })}`;

/** The changes of files in a run: counts, then diffs with their lines, then possible changes. */
export function changesText(changes: ChangesOfRun, { width, style }: ChangesLayout): string[] {
  const { files, may_have_changed: maybe } = changes;
  const counts = files.map(({ path, added, removed }) => {
    const numbers = `${`+${added}`.padStart(6)} ${`-${removed}`.padStart(6)}`;
    return `${numbers}  ${rowText(path, width - numbers.length - 2)}`;
  });
  const diffs = files.flatMap(({ path, changes: all }) => [
    '',
    style.bold(rowText(path, width)),
    ...all.flatMap(({ line, part, kind, diff }) => [
      style.dim(`  ${rowText(whereOf(line, part), width)}, ${kind}`),
      ...diffLines(diff, width - 2, style, true).flatMap((draw) => draw().map((row) => `  ${row}`)),
    ]),
  ]);
  const unsure =
    maybe.length === 0
      ? []
      : [
          '',
          style.bold('May have changed'),
          ...maybe.map(
            ({ line, part, command }) =>
              `  ${style.dim(rowText(whereOf(line, part), width))}  ${rowText(command.split('\n')[0] ?? '', width - 16)}`,
          ),
        ];
  const fact = staleTest(changes);
  const head =
    files.length === 0 ? 'The log shows no change of a file.' : `${plural(files.length, 'file')} changed`;
  return [style.bold(head), ...counts, ...diffs, ...unsure, ...(fact === undefined ? [] : ['', fact])];
}
