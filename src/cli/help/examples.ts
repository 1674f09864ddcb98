import type { Command } from 'commander';

/** A command line without `noesis`, and its purpose. */
export type Example = readonly [line: string, purpose: string];

const EXAMPLES = new WeakMap<Command, readonly Example[]>();

/** The examples of a command, for its help, manual page and tests. */
export const examplesOf = (command: Command): readonly Example[] => EXAMPLES.get(command) ?? [];

/** A heading and examples with their purposes. */
function exampleText(examples: readonly Example[]): string {
  const lines = examples.map(([line]) => `noesis ${line}`);
  const width = Math.max(...lines.map(({ length }) => length));
  const rows = examples.map(([, purpose], index) => `  ${(lines[index] ?? '').padEnd(width)}  ${purpose}`);
  return `\nExamples:\n${rows.join('\n')}`;
}

/** Registers examples for the manual and tests, but not for the help. */
export function rememberExamples(command: Command, examples: readonly Example[]): void {
  EXAMPLES.set(command, examples);
}

/** Adds examples, at least two, to the end of a command's help. */
export function withExamples(command: Command, ...examples: readonly Example[]): Command {
  EXAMPLES.set(command, examples);
  return command.addHelpText('after', exampleText(examples));
}
