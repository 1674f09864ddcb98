import { mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { cannotKeepTemporary, LogError, UsageError } from '../src/base/errors.ts';
import { defined } from '../src/base/json/defined.ts';
import { plainShellWord } from '../src/base/text/shell-word.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { guardedIn, refuseTargetAsOutput, writeReport } from '../src/cli/report/write-report.ts';
import { compareLogs, damagedLogs, sourceOf } from '../src/cli/targets/compare-logs.ts';
import { type OpenLog, openLog } from '../src/cli/targets/open-log.ts';
import { failIfSkipped } from '../src/cli/targets/partial.ts';
import { readLogsOf } from '../src/cli/targets/parts.ts';
import { NEWEST_RUN, streamOption } from '../src/cli/targets/target-options.ts';
import { configurationShown, verifiedLog } from '../src/cli/targets/verified-log.ts';
import { openInBrowser } from '../src/cli/terminal/open-in-browser.ts';
import { findPrices } from '../src/find/prices.ts';
import { comparisonPage } from '../src/show/page/comparison.ts';
import { episodePage } from '../src/show/page/episode.ts';
import { pageHtml } from '../src/show/page/html.ts';
import { runTitle } from '../src/show/page/page-data.ts';
import { pageName } from '../src/show/page/page-name.ts';
import { configurationLine } from '../src/show/render/words.ts';

interface ViewOptions extends GlobalOptions {
  readonly output?: string;
  readonly open?: boolean;
}

export function addView(program: Command, io: Io): void {
  const command = withExamples(
    program.command('view'),
    ['view latest --open', 'the newest run in the browser'],
    ['view ep_01KJ -o run.html', 'a page to share'],
  )
    .description('write a run as one HTML file')
    .argument('[target]', NEWEST_RUN)
    .argument('[other]', 'a second run to compare with, side by side')
    .addOption(streamOption())
    .option(
      '-o, --output <file>',
      'write the page to this file (-: standard output; default: a temporary file)',
    )
    .option('--open', 'open the page in the browser');
  command.action(action(io, runView));
}

async function runView(
  context: Context,
  target: string | undefined,
  other: string | undefined,
  options: ViewOptions,
): Promise<void> {
  if (options.output === '-' && (options.open || context.json))
    throw new UsageError('usage', `${options.open ? '--open' : '-j'} needs a file, and -o - writes none`, {
      hint: 'name the file with -o FILE',
    });
  if (target === undefined || other === undefined) return viewOne(context, target, options);
  return viewTwo(context, [target, other], options);
}

async function outputFor({ io }: Context, name: string, output: string | undefined): Promise<string> {
  if (output !== undefined) return resolve(io.cwd, output);
  const folder = await mkdtemp(join(io.tmpDir, 'noesis-view-')).catch((error: unknown) => {
    throw cannotKeepTemporary(io.tmpDir, error);
  });
  return join(folder, pageName(name));
}

/** Writes a page to the requested place, and says where. */
async function deliver(
  context: Context,
  name: string,
  pieces: Iterable<string>,
  logs: readonly OpenLog[],
  { output, open }: ViewOptions,
): Promise<void> {
  if (output === '-') {
    for (const piece of pieces) await context.out(piece, 'xml');
    return;
  }
  const path = await outputFor(context, name, output);
  await refuseTargetAsOutput(path, logs.map(guardedIn));
  await writeReport(path, pieces);
  if (context.json) await context.out(`${JSON.stringify({ page: path })}\n`);
  else if (!context.quiet) await context.show(`${path}\n`);
  // A script that reads the path uses a pipe.
  if (output === undefined && !context.json && context.io.isOutputFile?.())
    await context.say(
      'printed only the path of the page: add -o FILE to write the page itself (-: standard output)',
    );
  if (open && !(await openInBrowser(path)))
    await context.say('no browser could be started: open the file yourself');
}

async function viewOne(context: Context, target: string | undefined, options: ViewOptions): Promise<void> {
  await using log = await openLog(context, target);
  const report = await verifiedLog(context, log);
  const { document, lines, glance, skipped, skippedInParts } = await episodePage(
    log,
    report,
    await findPrices(context.search),
  );
  const title = `${runTitle(document)} – noesis`;
  const chosen = await configurationShown(context);
  const configuration = configurationLine(defined({ configuration: chosen }), context.io.cwd);
  const page = { title, document: { ...document, configuration }, lines: [lines], glance };
  await deliver(context, log.name, pageHtml(page), [log], options);
  await failIfSkipped(context, readLogsOf(context, log, { skipped, skippedInParts }));
}

/** Writes the page of two runs. Fails if a log is damaged, because the page has all lines of both. */
async function viewTwo(
  context: Context,
  names: readonly [string, string],
  options: ViewOptions,
): Promise<void> {
  await using a = await openLog(context, names[0]);
  await using b = await openLog(context, names[1]);
  const comparison = await compareLogs(a, b);
  const [damaged] = damagedLogs(comparison, a, b);
  if (damaged)
    throw new LogError(
      'log-corrupt',
      `the page of two runs needs both logs intact: line ${damaged.corruption.line} of ${damaged.label} is damaged`,
      {
        place: { file: damaged.label, line: damaged.corruption.line },
        hint: 'make a page of each run, or compare the intact records with',
        command: `noesis diff ${names.map(plainShellWord).join(' ')}`,
      },
    );
  const { document, lines, glance } = await comparisonPage(
    comparison,
    { ...a, ...sourceOf(a) },
    { ...b, ...sourceOf(b) },
    await findPrices(context.search),
  );
  const pieces = pageHtml({ title: `${a.name} and ${b.name} – noesis`, document, lines, glance });
  await deliver(context, `${a.name}-${b.name}`, pieces, [a, b], options);
}
