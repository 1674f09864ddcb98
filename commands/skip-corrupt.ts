import type { Command } from 'commander';
import type { SkippedLines } from '../src/log/corrupt-lines.ts';
import { escapeText } from '../src/render/escape.ts';
import type { Context } from './context.ts';
import { Failed } from './failure.ts';

export interface SkipOptions {
  readonly skipCorrupt?: boolean;
}

/** Adds the option of commands that can go on past corrupt lines. Never by default: what is missing may be what counts. */
export function withSkipCorrupt(command: Command): Command {
  return command.option('--skip-corrupt', 'skip corrupt lines, name them, and exit with 1');
}

/** Says which lines were left out. */
export async function saySkipped(
  context: Context,
  label: string,
  { count, lines }: SkippedLines,
): Promise<void> {
  const more = count > lines.length ? ` and ${count - lines.length} more` : '';
  const what =
    count === 1 ? '1 corrupt place was skipped, on line' : `${count} corrupt places were skipped, on lines`;
  await context.say(
    `${escapeText(label)}: ${what} ${lines.join(', ')}${more}; noesis verify reports what is wrong`,
  );
}

/** Ends a command whose answer leaves something out. */
export async function failIfSkipped(
  context: Context,
  label: string,
  skipped: SkippedLines | undefined,
): Promise<void> {
  if (skipped === undefined) return;
  await saySkipped(context, label, skipped);
  throw new Failed();
}
