import type { Command, Option } from 'commander';

/** Text in a cell of a Markdown table. */
const cell = (text: string): string => text.replace(/[\\*<|]/g, (sign) => `\\${sign}`);

function rowOf({ flags, description, argChoices, defaultValue }: Option): string {
  const choices = argChoices === undefined ? '' : ` (${argChoices.join(', ')})`;
  const usual = typeof defaultValue === 'string' ? ` (default: ${defaultValue})` : '';
  return `| \`${flags.replaceAll('|', '\\|')}\` | ${cell(`${description}${choices}${usual}`)} |`;
}

/** The options of a command as a Markdown table, without those of every command. */
export function optionTable(command: Command): string {
  const rows = command.createHelp().visibleOptions(command).map(rowOf);
  return ['| option | what it does |', '|---|---|', ...rows].join('\n');
}

/** The commands that have options of their own, by the mark of their table. */
const marked = (commands: readonly Command[]): ReadonlyMap<string, Command> =>
  new Map(
    commands
      .filter((command) => command.createHelp().visibleOptions(command).length > 0)
      .map((command) => [command.name(), command]),
  );

const TABLE = /^<!-- options of ([a-z]+): scripts\/make-docs\.ts -->\n(?:\|.*\n)*/gm;

/** A page with the table of each command written again below its mark. */
export function withOptionTables(page: string, commands: readonly Command[]): string {
  const byName = marked(commands);
  return page.replace(TABLE, (mark, name: string) => {
    const command = byName.get(name);
    return command === undefined ? mark : `${mark.split('\n', 1)[0]}\n${optionTable(command)}\n`;
  });
}

/** The commands with options that have no mark on a page. */
export function unmarkedCommands(page: string, commands: readonly Command[]): string[] {
  const found = new Set([...page.matchAll(TABLE)].map(([, name]) => name));
  return [...marked(commands).keys()].filter((name) => !found.has(name));
}
