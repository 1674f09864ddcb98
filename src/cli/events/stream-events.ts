import type { Dialect } from '../../dialects/dialect.ts';
import { detectDialect, dialectNamed, formOfAny } from '../../dialects/registry.ts';
import { CorruptLines } from '../../log/corrupt-lines.ts';
import { feed } from '../../log/feed.ts';
import { LogParser } from '../../log/parser.ts';
import type { LogRecord } from '../../log/record.ts';
import { compileFilters, hasAny } from '../../read/select/filter.ts';
import { NoMatch } from '../../read/select/no-match.ts';
import type { Query } from '../../read/select/select.ts';
import { type HeldLine, heldLine, together } from '../../read/select/taken-lines.ts';
import type { Context } from '../context.ts';
import { sayIfGeneric } from '../targets/open-log.ts';
import { failIfSkipped } from '../targets/partial.ts';
import { type EventPrinter, eventPrinter, type PrintOptions } from './event-printer.ts';
import { sayNoneAsked, sayReasons } from './print-events.ts';

/**
 * `events - --partial -j`: passes standard input through immediately. Corrupt lines are skipped, and named at
 * the end.
 */
export async function streamEvents(context: Context, query: Query, options: PrintOptions): Promise<void> {
  const { limit = Infinity } = query;
  // If the user named the dialect, reports a missing filter immediately.
  const named = context.dialect === undefined ? undefined : dialectNamed(context.dialect);
  if (named) compileFilters(query.filters, named);
  let dialect: Dialect | undefined;
  let passes: ((record: LogRecord) => boolean) | undefined;
  const none = new NoMatch(query.filters);
  let seen: ReturnType<NoMatch['of']> | undefined;
  let printed = 0;
  const corrupt = new CorruptLines(true);
  let taken: HeldLine[] = [];
  const parser = new LogParser(named ? named.form : formOfAny(), {
    record(record) {
      dialect ??= named ?? detectDialect({ fileName: '-', records: [record.value] });
      passes ??= compileFilters(query.filters, dialect);
      seen ??= none.of(dialect);
      if (printed === 0) seen.add(record);
      if (printed >= limit || !passes(record)) return;
      printed += 1;
      taken.push(heldLine(record));
    },
    wants: (_, line) => corrupt.wants(line),
    corrupt: (found) => corrupt.add(found),
  });
  let printer: EventPrinter | undefined;
  const flush = async () => {
    if (dialect && !printer) {
      await sayIfGeneric(context, '-', dialect);
      printer = await eventPrinter(context, dialect, options, async () => ({}));
    }
    await printer?.print(together(taken));
    taken = [];
  };
  for await (const chunk of context.io.stdin) {
    feed(parser, Buffer.from(chunk as Uint8Array));
    await flush();
  }
  parser.end();
  await flush();
  await sayNoneAsked(context, { limit });
  if (printed === 0 && limit > 0 && hasAny(query.filters)) await sayReasons(context, none.reasons);
  await failIfSkipped(context, [{ label: '-', skipped: corrupt.skipped }]);
}
