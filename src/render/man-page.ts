/** A term, such as an option, and what it means. */
interface Term {
  readonly term: string;
  readonly text: string;
}

/** A heading with terms below it. */
export interface PageSection {
  readonly title: string;
  readonly terms: readonly Term[];
}

/** A command as its help describes it. */
export interface CommandPage {
  readonly name: string;
  /** What follows the command's name. */
  readonly usage: string;
  readonly description: string;
  readonly sections: readonly PageSection[];
  readonly examples: readonly { readonly line: string; readonly purpose: string }[];
  /** What else its help says, laid out already. */
  readonly notes: string;
}

/** What a page of the manual says of the program. */
export interface ManualOptions {
  readonly version: string;
  /** Of the page, as in `2026-03-02`; empty for none. */
  readonly date: string;
  /** Where problems are reported. */
  readonly bugs: string;
}

/** Text as roff takes it: no escapes, a hyphen that can be copied, no request at the beginning of a line. */
function plainText(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=['.])/gm, '\\&');
}

const quoted = (text: string): string => `"${plainText(text).replaceAll('"', '""')}"`;

const heading = (title: string): string => `.SH ${quoted(title.toUpperCase())}`;

/** Lines that keep their breaks and their columns. */
const asItIs = (text: string): string[] => ['.nf', plainText(text), '.fi'];

function head(name: string, { version, date }: ManualOptions): string[] {
  const fields = [name.toUpperCase(), '1', date, `noesis ${version}`, 'noesis manual'];
  // Names of commands are not to be hyphenated.
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

/** The page of a command in roff, which `man` shows: `noesis-verify.1`. */
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

/** The page of the program: its commands, and what all of them have in common. */
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
