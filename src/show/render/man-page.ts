/** A term, such as an option, and its meaning. */
interface Term {
  readonly term: string;
  readonly text: string;
}

/** A heading with terms. */
export interface PageSection {
  readonly title: string;
  readonly terms: readonly Term[];
}

/** A command, described as in its help. */
export interface CommandPage {
  readonly name: string;
  /** The usage after the command's name. */
  readonly usage: string;
  readonly description: string;
  readonly sections: readonly PageSection[];
  readonly examples: readonly { readonly line: string; readonly purpose: string }[];
  /** The rest of its help, laid out. */
  readonly notes: string;
}

interface ManualOptions {
  readonly version: string;
  /** The date of the page, as in `2026-03-02`; may be empty. */
  readonly date: string;
  /** Where to report problems. */
  readonly bugs: string;
}

/** Escapes text for roff: backslashes, hyphens, and dots at the start of a line. */
function plainText(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=['.])/gm, '\\&');
}

const quoted = (text: string): string => `"${plainText(text).replaceAll('"', '""')}"`;

const heading = (title: string): string => `.SH ${quoted(title.toUpperCase())}`;

/** Lines whose breaks and columns are kept. */
const asItIs = (text: string): string[] => ['.nf', plainText(text), '.fi'];

function head(name: string, { version, date }: ManualOptions): string[] {
  const fields = [name.toUpperCase(), '1', date, `noesis ${version}`, 'noesis manual'];
  // Disables hyphenation, because of command names.
  return [`.TH ${fields.map(quoted).join(' ')}`, '.nh', '.ad l'];
}

const sectionLines = ({ title, terms }: PageSection): string[] => [
  heading(title),
  ...terms.flatMap(({ term, text }) => ['.TP', `.B ${plainText(term)}`, plainText(text)]),
];

function exampleLines(examples: CommandPage['examples']): string[] {
  if (examples.length === 0) return [];
  return [
    heading('Examples'),
    ...examples.flatMap(({ line, purpose }) => ['.TP', `.B ${plainText(line)}`, plainText(purpose)]),
  ];
}

/** The manual page of a command in roff: `noesis-verify.1`. */
export function commandPage(page: CommandPage, options: ManualOptions): string {
  const name = `noesis-${page.name}`;
  return `${[
    ...head(name, options),
    heading('Name'),
    `${plainText(name)} \\- ${plainText(page.description)}`,
    heading('Synopsis'),
    `.B noesis ${plainText(page.name)}`,
    plainText(page.usage),
    heading('Description'),
    plainText(`${page.description.charAt(0).toUpperCase()}${page.description.slice(1)}.`),
    ...page.sections.flatMap(sectionLines),
    ...exampleLines(page.examples),
    ...(page.notes === '' ? [] : [heading('Notes'), ...asItIs(page.notes)]),
    heading('See also'),
    '.BR noesis (1)',
  ].join('\n')}\n`;
}

/** The manual page of the program: its commands and common options. */
export function programPage(
  page: CommandPage,
  commands: readonly CommandPage[],
  topics: readonly { readonly title: string; readonly text: string }[],
  options: ManualOptions,
): string {
  return `${[
    ...head(page.name, options),
    heading('Name'),
    `${page.name} \\- ${plainText(page.description)}`,
    heading('Synopsis'),
    '.B noesis',
    plainText(page.usage),
    heading('Description'),
    plainText(page.description),
    ...sectionLines({
      title: 'Commands',
      terms: commands.map(({ name, description }) => ({ term: `noesis ${name}`, text: description })),
    }),
    ...page.sections.flatMap(sectionLines),
    ...exampleLines(page.examples),
    ...topics.flatMap(({ title, text }) => [heading(title), ...asItIs(text)]),
    heading('Bugs'),
    plainText(options.bugs),
    heading('See also'),
    commands.map(({ name }) => `.BR noesis\\-${plainText(name)} (1)`).join(',\n'),
  ].join('\n')}\n`;
}
