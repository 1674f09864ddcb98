import type { Dialect } from '../src/dialects/dialect.ts';
import { detectDialect, dialectNamed } from '../src/dialects/registry.ts';
import { writeJson } from '../src/json/write.ts';
import type { Corruption } from '../src/log/corruption.ts';
import { LogParser } from '../src/log/parser.ts';
import type { LogRecord } from '../src/log/record.ts';
import { compileFilters } from '../src/select/filter.ts';
import { parseFields, pickFields } from '../src/select/pick-fields.ts';
import type { Query } from '../src/select/select.ts';
import type { Context } from './context.ts';
import { corruptLog } from './failure.ts';
import { sayIfGeneric } from './open-log.ts';

/**
 * `events - --partial -j`: what comes in on standard input goes out as it comes, up to the first corrupt line, which
 * ends it as a failure.
 */
export async function streamEvents(
  context: Context,
  query: Query,
  fieldList: string | undefined,
): Promise<void> {
  const fields = fieldList === undefined ? undefined : parseFields(fieldList);
  const { limit = Infinity } = query;
  // An option that the dialect lacks is said at once where the dialect is named.
  const named = context.dialect === undefined ? undefined : dialectNamed(context.dialect);
  if (named) compileFilters(query.filters, named);
  let dialect: Dialect | undefined;
  let passes: ((record: LogRecord) => boolean) | undefined;
  let printed = 0;
  let corruption: Corruption | undefined;
  let out: (string | Buffer)[] = [];
  const parser = new LogParser({
    record(record) {
      dialect ??= dialectFor(context, record);
      passes ??= compileFilters(query.filters, dialect);
      if (corruption || printed >= limit || !passes(record)) return;
      printed += 1;
      if (fields) out.push(writeJson(pickFields(record.exact, fields)), '\n');
      else out.push(Buffer.from(record.raw), '\n');
    },
    corrupt(found) {
      corruption ??= found;
    },
  });
  let said = false;
  const flush = async () => {
    if (dialect && !said) await sayIfGeneric(context, '-', dialect);
    said = dialect !== undefined;
    if (out.length > 0) await context.out(Buffer.concat(out.map((part) => Buffer.from(part))));
    out = [];
  };
  for await (const chunk of context.io.stdin) {
    feed(parser, Buffer.from(chunk as Uint8Array));
    await flush();
    if (corruption) break;
  }
  if (!corruption) parser.end();
  await flush();
  if (corruption) throw corruptLog('-', corruption, true);
}

function dialectFor(context: Context, record: LogRecord): Dialect {
  const wanted = context.dialect === undefined ? undefined : dialectNamed(context.dialect);
  return wanted ?? detectDialect({ fileName: '-', records: [record.value] });
}

function feed(parser: LogParser, chunk: Buffer): void {
  for (let at = 0; at < chunk.length; ) {
    const room = parser.room();
    const count = chunk.copy(room, 0, at);
    parser.filled(count);
    at += count;
  }
}
