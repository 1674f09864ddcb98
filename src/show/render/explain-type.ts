import { grouped } from '../../base/text/grouped.ts';
import type { Word } from '../../dialects/words.ts';
import type { CatalogueEntry } from '../../findings/catalogue-entry.ts';
import type { DialectEventType } from '../../read/describe/event-types.ts';
import { escapeText } from './escape.ts';
import type { ExplainOptions } from './explain.ts';
import { familyOf } from './stage-of.ts';
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

/** Lists the names of findings by family, and words by kind and by whose status they are; ends with a newline. */
export function renderNames(
  entries: readonly Pick<CatalogueEntry, 'code'>[],
  words: readonly Word[],
  { style, width }: ExplainOptions,
): string {
  const titleOf = ({ kind, of }: Word): string => PLURALS[kind] + (of === undefined ? '' : ` of ${of}`);
  const group = (title: string, names: readonly string[]): string =>
    [style.bold(title), ...hanging('  ', wrap(names.join(', '), width - 2), '  ')].join('\n');
  const families = [...grouped(entries, ({ code }) => familyOf(code))].map(([family, own]) =>
    hanging(
      `  ${family}/ `,
      wrap(own.map(({ code }) => code.slice(family.length + 1)).join(', '), width - 4 - family.length),
      ' '.repeat(4),
    ).join('\n'),
  );
  return `${[
    [style.bold('findings of verify'), ...families].join('\n'),
    ...[...grouped(words, titleOf)].map(([title, own]) =>
      group(
        title,
        own.map(({ word }) => word),
      ),
    ),
    wrap(
      'noesis explain log/truncated explains a finding, noesis explain log all findings of a family with their meanings, noesis explain idle a word',
      width,
    ).join('\n'),
  ].join('\n\n')}\n`;
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
