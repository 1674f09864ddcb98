import type { Command } from 'commander';

/** A command line without its first word, and what it is for. */
export type Example = readonly [line: string, purpose: string];

const EXAMPLES = new WeakMap<Command, readonly Example[]>();

/** The examples of a command, for its help, its page of the manual and the tests. */
export const examplesOf = (command: Command): readonly Example[] => EXAMPLES.get(command) ?? [];

/** A heading, and below it examples with their purposes beside them. */
function exampleText(examples: readonly Example[]): string {
  const lines = examples.map(([line]) => `noesis ${line}`);
  const width = Math.max(...lines.map(({ length }) => length));
  const rows = examples.map(([, purpose], index) => `  ${(lines[index] ?? '').padEnd(width)}  ${purpose}`);
  return `\nExamples:\n${rows.join('\n')}`;
}

/** Notes the examples of a command for its page of the manual and the tests, without showing them in its help. */
export function rememberExamples(command: Command, examples: readonly Example[]): void {
  EXAMPLES.set(command, examples);
}

/** Gives a command the examples that its help ends with: two or more. */
export function withExamples(command: Command, ...examples: readonly Example[]): Command {
  EXAMPLES.set(command, examples);
  return command.addHelpText('after', exampleText(examples));
}
