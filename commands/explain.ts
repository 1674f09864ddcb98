import type { Command } from 'commander';
import { UsageError } from '../src/base/errors.ts';
import { action, type Context } from '../src/cli/context.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import { topicNamed } from '../src/cli/help/topics.ts';
import type { Io } from '../src/cli/io.ts';
import { dialectNamed } from '../src/dialects/registry.ts';
import type { Word } from '../src/dialects/words.ts';
import type { DialectEventType } from '../src/read/describe/event-types.ts';

export function addExplain(program: Command, io: Io, commands: readonly string[]): void {
  withExamples(
    program.command('explain'),
    ['explain log/truncated', 'what a finding means'],
    ['explain manifest', 'all findings of a family'],
    ['explain task.claimed', 'what a type of event means'],
    ['explain sealed', 'what a verdict, level, severity or status means'],
    ['explain no result', 'what words of an output mean'],
  )
    .description('explain a finding, a type of event, or a word of a report or list')
    .argument(
      '[code...]',
      'a finding (log/truncated), a family (log), an event type, a verdict, a level, a severity, a status, or words of an output; without it, list the names of all findings and words',
    )
    .action(action(io, (context: Context, typed: readonly string[]) => runExplain(context, typed, commands)));
}

async function runExplain(
  context: Context,
  typed: readonly string[],
  commands: readonly string[],
): Promise<void> {
  if (typed.length === 0) {
    const { CATALOGUE } = await import('../src/dialects/catalogue.ts');
    const { WORDS } = await import('../src/dialects/words.ts');
    const { renderNames } = await import('../src/show/render/explain-type.ts');
    const layout = { style: await context.style, width: context.width };
    return context.json ? context.printJson(CATALOGUE) : context.out(renderNames(CATALOGUE, WORDS, layout));
  }
  const text = typed.join(' ');
  if (text.trim() === '')
    throw new UsageError('usage', 'the word to explain is empty', {
      hint: 'give a finding or a word of an output; noesis explain lists all',
    });
  if (await explains(context, text)) return;
  throw new UsageError('usage', `there is nothing to explain about ${JSON.stringify(text)}`, {
    hint: await hintFor(context, text, commands),
  });
}

/** Why ids in a list do not all have one length. */
const ID_LENGTH = '; list shows 8 characters of an id, or as many more as tell it from other ids';

/** What to do about a word that nothing explains. */
async function hintFor(context: Context, text: string, commands: readonly string[]): Promise<string> {
  if (ID.test(text)) return `run noesis show ${text} to see a run${ID_LENGTH}`;
  const [first = ''] = text.split(/\s/);
  if (commands.includes(first)) return `run noesis help ${first}`;
  // Outputs print the names of programs, such as Claude Code.
  const names = [first, first.toLowerCase(), text.trim().toLowerCase().replace(/\s+/g, '-')];
  const dialect = names.find((name) => dialectNamed(name) !== undefined);
  if (dialect !== undefined) return `run noesis help ${dialect}`;
  const topic = topicNamed(text);
  if (topic !== undefined) return `run noesis help ${topic.name}`;
  const { hintForCode } = await import('../src/dialects/catalogue-search.ts');
  const { WORDS } = await import('../src/dialects/words.ts');
  const known = new Set([
    ...WORDS.flatMap(({ word, also = [] }) => [word, ...also]),
    ...(await typesOf(context)).map(({ type }) => type),
  ]);
  return hintForCode(text, [...known]);
}

/** Prints what a finding, a family, a type of event or a word means. Returns false if nothing has this name. */
export async function explains(context: Context, code: string): Promise<boolean> {
  const { CATALOGUE, catalogueEntry } = await import('../src/dialects/catalogue.ts');
  const { FAMILIES } = await import('../src/findings/catalogue/families.ts');
  const { renderCatalogueList, renderExplain } = await import('../src/show/render/explain.ts');
  const { WORDS } = await import('../src/dialects/words.ts');
  const { renderExplainType, renderWords } = await import('../src/show/render/explain-type.ts');
  const layout = { style: await context.style, width: context.width };
  const print = async (value: unknown, text: () => string): Promise<true> => {
    await (context.json ? context.printJson(value) : context.out(text()));
    return true;
  };
  const words = wordsLike(WORDS, code);
  const types = (await typesOf(context)).filter(({ type }) => type === code);
  const family = code.replace(/\/\*?$/, '');
  const isFamily = FAMILIES.has(family);
  const typed = codeIn(code);
  // The name of a finding alone, unless it is also a word.
  const isName = !isFamily && words.length + types.length === 0;
  const named = isName ? CATALOGUE.filter((one) => one.code.endsWith(`/${typed}`)) : [];
  const entry = catalogueEntry(typed) ?? (named.length === 1 ? named[0] : undefined);
  if (entry !== undefined) return print(entry, () => renderExplain(entry, layout));
  const findings = isFamily ? CATALOGUE.filter((one) => one.code.startsWith(`${family}/`)) : named;
  if (words.length + types.length + findings.length === 0) return false;
  const list = () => renderCatalogueList(findings, { ...layout, width: context.cutWidth });
  return print([...words, ...types, ...findings], () =>
    [renderWords(words, layout), renderExplainType(types, layout), findings.length > 0 ? list() : '']
      .filter((text) => text !== '')
      .join('\n'),
  );
}

/** The code in a text as reports print it, such as `error[log/truncated]:` and `(log/truncated)`. */
const codeIn = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/:$/, '')
    .replace(/^(?:error|warn|info)?\[(.*)\]$|^\((.*)\)$/, '$1$2');

/** What looks like the id of a run, or its beginning. */
const ID = /^(?=.*\d)(?:[a-z]+_)?[\da-f][\da-f-]{3,}$/i;

/** A word as it may be typed: small, one instead of many, and without what a table adds to it. */
const asTyped = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .replace(/[:,;.]$/, '')
    // As in `meta (not conversation)`, `8/9 stages`, `≥ 1,234` and `failed call bash`.
    .replace(/(?<=\S) \(.*\)$/, '')
    .replace(/^\d[\d,]*(?:\/\d+)? (?=[a-z])/, '')
    .replace(/(?<=^[≥≤]) \d.*$/, '')
    .replace(/^as \S+ wrote it$/, 'as name wrote it')
    .replace(/^records (?=chained)|(?<=^(?:records )?chained) as .*$/g, '')
    .replace(/(?<=^(?:(?:failed|refused|open|interrupted) call|last event)) .*$/, '')
    .replace(/^\((.*)\)$/, '$1')
    .replace(/^by (?=[a-z])/, '')
    .replace(/(?<=^(?:line|turn)) \d+$/, '')
    .replace(/(?<=\w{2}[^su])s$/, '');

/** The meanings of a word. The statuses of single dialects come last, because every command prints the others. */
function wordsLike(all: readonly Word[], text: string): readonly Word[] {
  // As in `level none` of an output.
  const [, kind, named] = /^(verdict|level|severity|status)\s+(.+)$/i.exec(text) ?? [];
  if (named !== undefined) return wordsLike(all, named).filter((word) => word.kind === kind?.toLowerCase());
  const found = all.filter(({ word, also = [] }) =>
    [word, ...also].some((one) => asTyped(one) === asTyped(text)),
  );
  const isRare = ({ kind, of }: Word): boolean => kind === 'status' && of !== 'sessions';
  return [...found.filter((one) => !isRare(one)), ...found.filter(isRare)];
}

/** The event types of --dialect or all dialects, including those of the nearest noesis.toml. */
async function typesOf(context: Context): Promise<readonly DialectEventType[]> {
  const { eventTypes } = await import('../src/read/describe/event-types.ts');
  const { findConfiguration } = await import('../src/find/configuration.ts');
  const config = await findConfiguration(context.search);
  return eventTypes(context.dialect, config?.dialects);
}
