import type { Command } from 'commander';
import { LogError } from '../../base/errors.ts';
import { plainShellWord } from '../../base/text/shell-word.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { SkippedLines } from '../../log/corrupt-lines.ts';
import type { LogStory } from '../../read/describe/story-of-log.ts';
import { escapeText } from '../../show/render/escape.ts';
import { plural } from '../../show/render/tally.ts';
import type { Context, Remarks } from '../context.ts';
import { corruptLog, Failed } from '../failure.ts';
import { reportFailure } from '../report-failure.ts';

export interface PartialOptions {
  readonly partial?: boolean;
}

/** Adds `--partial`. It is never the default, because the missing lines may be important. */
export function withPartial(command: Command): Command {
  return command.option('--partial', 'skip damaged lines, report them, and exit with 1');
}

function skippedText({ count, lines, reason }: SkippedLines): string {
  if (count === 0) return `${reason}, and no line was skipped`;
  const more = count > lines.length ? ` and ${count - lines.length} more` : '';
  // A line may have several faults.
  const named = [...new Set(lines)];
  const on = named.length === 1 && more === '' ? 'line' : 'lines';
  return `skipped damaged ${on} ${named.join(', ')}${more}: ${reason}`;
}

/** Where the damaged lines may have whole records that doctor reads: the log of a session. */
export interface DamagedSource {
  readonly path: string;
  readonly dialect: Dialect;
}

/** Says how many whole records are on damaged lines, and which of them were read; an empty text for none. */
async function wholeOnThemText({ lines }: SkippedLines, source: DamagedSource | undefined): Promise<string> {
  if (source?.dialect.repair === undefined || lines.length === 0) return '';
  const { recordsInDamage } = await import('../../write/doctor/records-in-damage.ts');
  const records = await recordsInDamage(source.path, source.dialect);
  const { read = 0, left = 0 } = records ?? {};
  const on = lines.length === 1 ? 'this line' : 'these lines';
  const intact = (count: number, more = '') =>
    count === 1 ? `${more === '' ? 'an' : 'one'}${more} intact record` : `${count}${more} intact records`;
  return [
    ...(read > 0 ? [`; ${intact(read)} on ${on} ${read === 1 ? 'was' : 'were'} read`] : []),
    ...(left > 0 ? [`; noesis doctor reads ${intact(left, read > 0 ? ' more' : '')} on ${on}`] : []),
  ].join('');
}

/** In text, at most this many damaged logs of a run are named. */
const MOST_NAMED = 3;

/** Says which lines of a log were skipped. Escaped. */
const linesRemark = async (
  label: string,
  skipped: SkippedLines,
  source: DamagedSource | undefined,
): Promise<string> =>
  escapeText(`${label}: ${skippedText(skipped)}${await wholeOnThemText(skipped, source)}`);

/** Names the command that lists all errors. Standard input has no name by which it is found again. Escaped. */
function seeAll(labels: Iterable<string>): string[] {
  const names = [...labels].filter((label) => label !== '-').map(plainShellWord);
  return names.length > 0 ? [escapeText(`  see noesis verify ${names.join(' ')}`)] : [];
}

async function sayRemarks(context: Context, { texts, commands }: Remarks): Promise<void> {
  for (const text of texts) await context.say(text);
  for (const command of commands) await context.sayWhole(command);
}

/** Reports the damaged lines of many logs: those of the first logs at the end, or with `-j` of each at once. */
export class SkippedReports {
  readonly #context: Context;
  /** The first damaged logs, which are named below what the command prints. */
  readonly #named: Remarks[] = [];
  #logs = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Whether any log has damaged lines. */
  get hasAny(): boolean {
    return this.#logs > 0;
  }

  /** Notes which lines were skipped; `-j` reports them at once. `source`: the log, if it is a file. */
  async take(label: string, skipped: SkippedLines, source: DamagedSource | undefined): Promise<void> {
    this.#logs += 1;
    if (this.#logs > MOST_NAMED && !this.#context.json) return;
    // A packed log can be read only now.
    const remarks = { texts: [await linesRemark(label, skipped, source)], commands: seeAll([label]) };
    if (this.#context.json) await sayRemarks(this.#context, remarks);
    else this.#named.push(remarks);
  }

  /** Reports the first damaged logs, and says how many were not named. */
  async end(): Promise<void> {
    for (const remarks of this.#named) await sayRemarks(this.#context, remarks);
    const more = this.#logs - MOST_NAMED;
    if (more > 0 && !this.#context.json)
      await this.#context.say(`and ${plural(more, 'more log')} with damaged lines; noesis verify names all`);
  }
}

/** Fails as `events` does if a log has only corrupt lines: an empty run would be wrong. */
export function requireEvents(
  label: string,
  { events, corruption }: Pick<LogStory, 'events' | 'corruption'>,
): void {
  if (events === 0 && corruption !== undefined) throw corruptLog(label, corruption, { shown: true });
}

/** A log that was read, with its damaged lines, if any. */
export interface ReadLog {
  readonly label: string;
  /** The label of the run that the log is a part of. */
  readonly whole?: string | undefined;
  /** The log, if it is a file. */
  readonly source?: DamagedSource | undefined;
  readonly skipped?: SkippedLines | undefined;
}

const damagedOf = (logs: readonly ReadLog[]) =>
  logs.flatMap(({ skipped, ...log }) => (skipped === undefined ? [] : [{ ...log, skipped }]));

/** Names the first damaged logs, counts the others, and has the command that lists all errors; none for standard input. */
export async function skippedRemarks(logs: readonly ReadLog[]): Promise<Remarks> {
  const damaged = damagedOf(logs);
  const texts: string[] = [];
  for (const { label, skipped, source } of damaged.slice(0, MOST_NAMED))
    texts.push(await linesRemark(label, skipped, source));
  const more = damaged.length - MOST_NAMED;
  if (more > 0) texts.push(`and ${plural(more, 'more damaged log')}`);
  return { texts, commands: seeAll(new Set(damaged.map(({ label, whole = label }) => whole))) };
}

/** Ends a command whose answer is incomplete, and names the damaged logs: the first ones, or with `-j` each. */
export async function failIfSkipped(
  context: Context,
  logs: readonly ReadLog[],
  remarks?: Remarks,
): Promise<void> {
  const damaged = damagedOf(logs);
  if (damaged.length === 0) return;
  if (context.json)
    for (const { label, skipped, source } of damaged)
      await reportFailure(context.io, await skippedError(label, skipped, source), context.options);
  else {
    await sayRemarks(context, remarks ?? (await skippedRemarks(logs)));
  }
  throw new Failed();
}

const skippedError = async (
  label: string,
  skipped: SkippedLines,
  source: DamagedSource | undefined,
): Promise<LogError> =>
  new LogError('log-corrupt', `${skippedText(skipped)}${await wholeOnThemText(skipped, source)}`, {
    place: { file: label, line: skipped.lines[0] ?? 1 },
    ...(label === '-'
      ? { hint: 'give the same input to noesis verify - to see all errors' }
      : { hint: 'see all errors with', command: `noesis verify ${plainShellWord(label)}` }),
  });
