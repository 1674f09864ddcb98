import { grouped } from '../../base/text/grouped.ts';
import type { Word } from '../../dialects/words.ts';
import type { DialectEventType } from '../../read/describe/event-types.ts';
import { escapeText } from './escape.ts';
import type { ExplainOptions } from './explain.ts';
import { truncateToWidth } from './width.ts';
import { hanging, wrap } from './wrap.ts';

const SOURCES: Readonly<Record<string, string>> = {
  auto: 'auto: written by the program itself, not by hand',
  model: 'model: appended by the agent',
  hook: 'hook: written by a hook of the program',
  planned: 'planned: defined, and not written yet',
};

function rowsOf({ group, source, fields = [] }: DialectEventType): readonly (readonly [string, string])[] {
  const rows: (readonly [string, string | undefined])[] = [
    ['Group', group],
    ['Source', source === undefined ? undefined : (SOURCES[source] ?? source)],
    ['Fields', fields.length === 0 ? undefined : fields.join(', ')],
  ];
  return rows.filter((row): row is readonly [string, string] => row[1] !== undefined);
}

const PLURALS: Readonly<Record<Word['kind'], string>> = {
  verdict: 'verdicts of verify',
  level: 'levels of verify, the lowest first',
  severity: 'severities of findings',
  status: 'statuses',
  word: 'other words',
};

const LABEL = 8;

/** Explains each meaning of a word of reports or lists; ends with a newline; empty without words. */
export const renderWords = (words: readonly Word[], { style, width }: ExplainOptions): string =>
  words
    .flatMap(({ word, kind, of, meaning }) => [
      style.bold(`${word}: a ${kind}${of === undefined ? '' : ` of ${of}`}`),
      ...wrap(meaning, width),
    ])
    .map((line) => `${line}\n`)
    .join('');

/** Lists words with their meanings, one per line, by kind and by whose status it is; ends with a newline. */
export function renderWordList(words: readonly Word[], { style, width }: ExplainOptions): string {
  const column = Math.max(0, ...words.map(({ word }) => word.length));
  const titleOf = ({ kind, of }: Word): string => PLURALS[kind] + (of === undefined ? '' : ` of ${of}`);
  const groups = [...grouped(words, titleOf)].map(([title, own]) =>
    [
      style.bold(title),
      ...own.map(({ word, meaning }) => truncateToWidth(`  ${word.padEnd(column)}  ${meaning}`, width)),
    ].join('\n'),
  );
  return `${groups.join('\n\n')}\n`;
}

/** Describes an event type in each dialect that defines it; ends with a newline; empty without types. */
export function renderExplainType(
  types: readonly DialectEventType[],
  { style, width }: ExplainOptions,
): string {
  const parts = types.map((type) => {
    const rows = rowsOf(type).flatMap(([label, text]) =>
      hanging(label.padEnd(LABEL), wrap(escapeText(text), width - LABEL)),
    );
    return [
      style.bold(`${escapeText(type.type)}: a type of event of ${type.dialect}`),
      ...(type.meaning === undefined ? [] : wrap(type.meaning, width)),
      ...(rows.length > 0 ? ['', ...rows] : []),
    ].join('\n');
  });
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`;
}
