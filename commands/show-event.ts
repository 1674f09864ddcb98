import { basename } from 'node:path';
import { forOutput } from '../src/base/json/output.ts';
import { writeJson } from '../src/base/json/write.ts';
import type { Context } from '../src/cli/context.ts';
import { filtersOf } from '../src/cli/events/event-options.ts';
import type { OpenLog } from '../src/cli/targets/open-log.ts';
import { failIfSkipped } from '../src/cli/targets/partial.ts';
import type { Finding } from '../src/findings/finding.ts';
import type { EpisodeReport } from '../src/findings/report.ts';
import { accountOfEvent } from '../src/read/describe/event-of-log.ts';
import { type Span, SpansOfLog } from '../src/read/describe/spans.ts';
import { recordsAt } from '../src/read/select/records-at.ts';
import { selectLines } from '../src/read/select/select.ts';

/** Whether a finding is about an event: it has its id or line. */
function isAbout({ id, line }: Span, log: string): (finding: Finding) => boolean {
  return (finding) =>
    (id !== undefined && finding.eventId === id) || (finding.file === log && finding.line === line);
}

/** Prints an event with its causes, effects and findings. Corrupt lines are skipped and named. */
export async function showEvent(
  context: Context,
  log: OpenLog,
  text: string,
  verify: () => Promise<EpisodeReport | undefined>,
): Promise<void> {
  const filters = filtersOf({}, context.io.now(), log.run);
  const spans = await SpansOfLog.open(log.dialect);
  const query = { filters, chain: text, partial: true };
  const chain = await selectLines(log.path, query, log.dialect, undefined, spans);
  const below = await selectLines(log.path, { filters, descendants: text, partial: true }, log.dialect);
  const lines = {
    chain: recordsAt(log.path, chain.lines, log.dialect.form),
    descendants: recordsAt(log.path, below.lines, log.dialect.form),
    startedAt: chain.startedAt,
    spans,
  };
  const account = await accountOfEvent(lines, log.dialect);
  const report = await verify();
  const findings = report?.findings.filter(isAbout(account.span, basename(log.path))) ?? [];
  if (context.json) {
    await context.out(
      `${writeJson(forOutput({ ...account, durationMs: account.span.durationMs, findings }), 2)}\n`,
    );
    return failIfSkipped(context, [{ label: log.label, source: log, skipped: chain.skipped }]);
  }

  const [{ eventHead, eventNeighbours }, { valueLines }, { renderView }, { findingLines }] =
    await Promise.all([
      import('../src/show/render/event-view.ts'),
      import('../src/show/render/value-lines.ts'),
      import('../src/show/render/view.ts'),
      import('../src/show/render/pretty-finding.ts'),
    ]);
  const layout = await context.viewOptions();
  const { style, width } = layout;
  const members = [style.bold('Event'), ...valueLines(account.event, style, width)].join('\n');
  const neighbours = eventNeighbours(account);
  const parts = [
    renderView(eventHead(account), layout),
    `${members}\n`,
    ...(neighbours.length === 0 ? [] : [renderView(neighbours, layout)]),
    ...findings.map((finding) => `${findingLines(finding, style, width).join('\n')}\n`),
  ];
  await context.show(parts.join('\n'));
  await failIfSkipped(context, [{ label: log.label, source: log, skipped: chain.skipped }]);
}
