import { lineageTree } from '../../read/select/lineage-tree.ts';
import { recordsAt } from '../../read/select/records-at.ts';
import { treeGuide } from '../../show/render/events-table.ts';
import type { Context } from '../context.ts';
import { corruptLog } from '../failure.ts';
import { Pieces } from '../pieces.ts';
import type { OpenLog } from '../targets/open-log.ts';
import { type FilterOptions, filtersOf } from './event-options.ts';
import { eventsTable, type PrintOptions } from './event-printer.ts';
import { sayWhyNothing } from './print-events.ts';

/** Prints the events of a log as a tree of causes. Fails closed, like `events`. */
export async function printTree(
  context: Context,
  log: OpenLog,
  options: FilterOptions & PrintOptions,
): Promise<void> {
  const filters = filtersOf(options, context.io.now(), log.run);
  const { lines, places, corruption, startedAt } = await lineageTree(log.path, filters, log.dialect);
  if (corruption) throw corruptLog(log.label, corruption);
  if (lines.length === 0) return sayWhyNothing(context, log, filters);
  const { cutWidth } = context;
  const { table, toRow } = await eventsTable(context, log.dialect, options, {
    start: startedAt,
    tree: Math.max(...places.slice(0, 1000).map((place) => treeGuide(place, cutWidth).length)),
  });
  const out = new Pieces((piece) => context.show(piece));
  if (!context.quiet) out.add(table.header());
  let at = 0;
  for await (const record of recordsAt(log.path, lines, log.dialect.form)) {
    const place = places[at];
    const guide = place === undefined ? '' : treeGuide(place, cutWidth);
    if (out.add(table.row({ ...toRow(record), guide }))) await out.write();
    at += 1;
  }
  await out.write();
}
