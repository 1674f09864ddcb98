import type { ChangesOfRun } from '../describe/changes-of-story.ts';
import { escapeText } from './escape.ts';
import type { Style } from './style.ts';
import { plural } from './tally.ts';
import { truncateToWidth } from './width.ts';

/** How changes are laid out. */
export interface ChangesLayout {
  /** Columns that rows are cut to. */
  readonly width: number;
  readonly style: Style;
}

/** What a run did to files: counts first, then each diff with its line, then what only may have changed. */
export function changesText(
  { files, may_have_changed: maybe, last_edit: lastEdit, last_test: lastTest }: ChangesOfRun,
  { width, style }: ChangesLayout,
): string[] {
  const paints: Readonly<Record<string, (text: string) => string>> = {
    '+': style.green,
    '-': style.red,
    '@': style.cyan,
  };
  const row = (text: string, room: number) => truncateToWidth(escapeText(text.replaceAll('\t', '  ')), room);
  const counts = files.map(({ path, added, removed }) => {
    const numbers = `${`+${added}`.padStart(6)} ${`-${removed}`.padStart(6)}`;
    return `${numbers}  ${row(path, width - numbers.length - 2)}`;
  });
  const diffs = files.flatMap(({ path, changes }) => [
    '',
    style.bold(row(path, width)),
    ...changes.flatMap(({ line, kind, diff }) => [
      style.dim(`  line ${line}, ${kind}`),
      ...(diff === ''
        ? []
        : diff.split('\n').map((text) => (paints[text[0] ?? ''] ?? style.dim)(`  ${row(text, width - 2)}`))),
    ]),
  ]);
  const unsure =
    maybe.length === 0
      ? []
      : [
          '',
          style.bold('May have changed'),
          ...maybe.map(
            ({ line, command }) =>
              `  ${style.dim(`line ${line}`)}  ${row(command.split('\n')[0] ?? '', width - 16)}`,
          ),
        ];
  const fact =
    lastEdit === undefined || lastTest === undefined || lastTest > lastEdit
      ? []
      : ['', `The last test run (line ${lastTest}) is older than the last edit (line ${lastEdit}).`];
  const head =
    files.length === 0 ? 'The log shows no change of a file.' : `${plural(files.length, 'file')} changed`;
  return [style.bold(head), ...counts, ...diffs, ...unsure, ...fact];
}
