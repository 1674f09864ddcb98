import type { Dialect } from '../src/dialects/dialect.ts';
import { detectDialect, dialectNamed } from '../src/dialects/registry.ts';
import { NEWLINE } from '../src/json/ascii.ts';
import type { Corruption } from '../src/log/corruption.ts';
import { feed } from '../src/log/feed.ts';
import { LogParser } from '../src/log/parser.ts';
import type { LogRecord } from '../src/log/record.ts';
import { compileFilters, hasAny } from '../src/select/filter.ts';
import type { Query } from '../src/select/select.ts';
import { linesInARow } from '../src/select/taken-lines.ts';
import type { Context } from './context.ts';
import { type EventPrinter, eventPrinter, type PrintOptions } from './event-printer.ts';
import { corruptLog } from './failure.ts';
import { sayIfGeneric } from './open-log.ts';

/**
 * `events - --partial -j`: what comes in on standard input goes out as it comes, up to the first corrupt line, which
 * ends it as a failure.
 */
export async function streamEvents(context: Context, query: Query, options: PrintOptions): Promise<void> {
  const { limit = Infinity } = query;
  // An option that the dialect lacks is said at once where the dialect is named.
  const named = context.dialect === undefined ? undefined : dialectNamed(context.dialect);
  if (named) compileFilters(query.filters, named);
  let dialect: Dialect | undefined;
  let passes: ((record: LogRecord) => boolean) | undefined;
  let printed = 0;
  let corruption: Corruption | undefined;
  let taken: Buffer[] = [];
  const parser = new LogParser({
    record(record) {
      dialect ??= named ?? detectDialect({ fileName: '-', records: [record.value] });
      passes ??= compileFilters(query.filters, dialect);
      if (corruption || printed >= limit || !passes(record)) return;
      printed += 1;
      taken.push(Buffer.from(record.printedBytes), Buffer.of(NEWLINE));
    },
    corrupt(found) {
      corruption ??= found;
    },
  });
  let printer: EventPrinter | undefined;
  const flush = async () => {
    if (dialect && !printer) {
      await sayIfGeneric(context, '-', dialect);
      const nothingKnown = { first: undefined, last: undefined, start: undefined };
      printer = await eventPrinter(context, dialect, options, async () => nothingKnown);
    }
    // The numbers of lines are no part of JSON.
    await printer?.print(linesInARow(Buffer.concat(taken), 1, taken.length / 2));
    taken = [];
  };
  for await (const chunk of context.io.stdin) {
    feed(parser, Buffer.from(chunk as Uint8Array));
    await flush();
    if (corruption) break;
  }
  if (!corruption) parser.end();
  await flush();
  if (printed === 0 && limit > 0 && !corruption && hasAny(query.filters))
    await context.say('no event passed the filters');
  if (corruption) throw corruptLog('-', corruption, { shown: true });
}
