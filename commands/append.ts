import { type Command, Option } from 'commander';
import { UsageError } from '../src/base/errors.ts';
import type { JsonObject } from '../src/base/json/value.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { corruptLog } from '../src/cli/failure.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { notEmpty, repeated, wholeNumber } from '../src/cli/option-values.ts';
import { sayWhoIsWaitedFor } from '../src/cli/terminal/while-waiting.ts';
import { filterNamed } from '../src/dialects/kit/record-filters.ts';
import { findConfiguration } from '../src/find/configuration.ts';
import { EventLogIntegrityError } from '../src/log/integrity-error.ts';
import { escapeText } from '../src/show/render/escape.ts';
import { type AppendResult, EventWriter } from '../src/write/event-writer.ts';
import { eventFromText, InputEvents } from '../src/write/input-events.ts';
import { realSystem } from '../src/write/system.ts';
import { logToWrite, writerTarget } from '../src/write/target.ts';

interface AppendCommandOptions extends GlobalOptions {
  readonly event?: string[];
  readonly each?: boolean;
  readonly expectSequence?: number;
  readonly force?: string;
  readonly wait?: number;
  readonly stream?: string;
}

const MORE = `
Reads events from standard input: JSON objects, one per line. Appends all of them in
one write, or none. Fills in missing ids, times and numbers as the program of the log
does. Prints events after they are on disk. With --each, append writes and prints an
event before it reads the next line.

append refuses an event that verify would report as an error or a warning. --force
appends it and prints the given reason.

Exit code 1: the log is damaged, sealed, locked or read-only, does not end where
--expect-sequence says, or an event does not match the dialect. The log is then unchanged.`;

export function addAppend(program: Command, io: Io): void {
  withExamples(
    program.command('append'),
    ['append latest < more.jsonl', 'append all events, or none'],
    ['append latest --each', 'append each event as it arrives'],
  )
    .description('append events to an intact log')
    .argument('<target>', 'the run or log to append to')
    .option('--event <json>', 'append this event instead of standard input (repeatable)', repeated)
    .option('--each', 'append each event as it arrives, instead of all at the end')
    .addOption(
      new Option('--expect-sequence <n>', 'fail unless the last event of the log has this number').argParser(
        wholeNumber(0),
      ),
    )
    .addOption(
      new Option('--wait <seconds>', 'wait at most this long for another writer (default: 30)').argParser(
        wholeNumber(0),
      ),
    )
    .option('--force <reason>', 'append events that verify would report; print this reason', notEmpty)
    .option('--stream <id>', 'use the log of this stream, if the folder has several')
    .addHelpText('after', MORE)
    .action(action(io, runAppend));
}

/** Appends batches of events with the options of the command, and prints them. */
class Appending {
  readonly #context: Context;
  readonly #writer: EventWriter;
  readonly #waitMs: number | undefined;
  readonly #force: string | undefined;
  #expected: number | undefined;

  constructor(context: Context, writer: EventWriter, { expectSequence, wait, force }: AppendCommandOptions) {
    this.#context = context;
    this.#writer = writer;
    this.#expected = expectSequence;
    this.#force = force;
    this.#waitMs = wait === undefined ? undefined : wait * 1000;
  }

  async append(events: readonly JsonObject[]): Promise<void> {
    const { interrupted: signal } = this.#context.io;
    const onWaiting = sayWhoIsWaitedFor(this.#context);
    const how = {
      signal,
      waitMs: this.#waitMs,
      onWaiting,
      expectSequence: this.#expected,
      force: this.#force,
    };
    const result = await this.#writer.append(events, how).catch((error: unknown) => {
      if (!(error instanceof EventLogIntegrityError)) throw error;
      const { path } = error.corruption;
      throw corruptLog(this.#context.shortPath(path), error.details, { writing: true });
    });
    if (this.#expected !== undefined) this.#expected = result.sequence;
    await this.#print(result);
  }

  async #print({ events, remarks, undone }: AppendResult): Promise<void> {
    const context = this.#context;
    if (undone > 0)
      await context.say(`${undone} bytes were removed: a writer died before it acknowledged them`);
    for (const remark of remarks) await context.say(escapeText(remark));
    if (context.quiet) return;
    const text = events.map((event) => `${event.text}\n`).join('');
    if (context.json || context.io.stdout.isTTY !== true) await context.out(text);
    else await context.show(events.map((event) => `${escapeText(event.text)}\n`).join(''));
  }
}

async function runAppend(context: Context, target: string, options: AppendCommandOptions): Promise<void> {
  const { event: texts, each, stream } = options;
  if (texts && each)
    throw new UsageError('usage', '--each is for events on standard input', {
      hint: 'remove one of the two options',
    });
  const config = await findConfiguration(context.search);
  const log = await logToWrite(target, context.search, { dialect: context.dialect, stream });
  if (stream !== undefined && filterNamed(log.dialect, 'stream') === undefined)
    throw new UsageError(
      'usage',
      `a log of this dialect (${log.dialect.name}) has no streams: --stream does not apply`,
      {
        hint: 'remove --stream, or give the dialect with --dialect',
      },
    );
  const writer = new EventWriter(await writerTarget(log, config?.dialects), realSystem);
  const appending = new Appending(context, writer, options);
  if (texts)
    return appending.append(
      texts.map((text, index) =>
        eventFromText(text, texts.length > 1 ? `--event (${index + 1})` : '--event'),
      ),
    );
  const input = new InputEvents('standard input');
  const events: JsonObject[] = [];
  const take = async (found: readonly { readonly event: JsonObject }[]) => {
    if (each) for (const { event } of found) await appending.append([event]);
    else for (const { event } of found) events.push(event);
  };
  for await (const chunk of context.io.stdin) await take(input.push(Buffer.from(chunk as Uint8Array)));
  await take(input.end());
  if (input.fault) throw input.fault;
  if (!each && events.length === 0) await context.say('standard input has no event: nothing was appended');
  if (!each) await appending.append(events);
}
