import { dirname, join, relative, resolve, sep } from 'node:path';
import { cannotWrite, isFileError, messageOf, NoesisError } from '../../base/errors.ts';
import { makeFolders } from '../../base/files/make-folders.ts';
import type { FindPrices } from '../../dialects/kit/prices.ts';
import { dialectNamed, genericNow } from '../../dialects/registry.ts';
import { findPrices } from '../../find/prices.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport, VerifyReport } from '../../findings/report.ts';
import { episodePage } from '../../show/page/episode.ts';
import { pageHtml } from '../../show/page/html.ts';
import { runTitle } from '../../show/page/page-data.ts';
import { pageName } from '../../show/page/page-name.ts';
import { escapeText } from '../../show/render/escape.ts';
import type { Context } from '../context.ts';
import { outputGuard, writeReport } from './write-report.ts';

interface ViewsOptions {
  readonly views?: string;
  readonly output?: string;
}

/** A relative link. It begins with a dot, so that it cannot contain a scheme. */
function linkTo(path: string, from: string): string {
  const parts = relative(from, path).split(sep).map(encodeURIComponent);
  return parts[0] === '..' ? parts.join('/') : `./${parts.join('/')}`;
}

/** File names of pages that differ on every file system; a number is added to duplicates. */
function namesOf(reports: readonly EpisodeReport[]): string[] {
  const seen = new Map<string, number>();
  return reports.map(({ episode }) => {
    const name = pageName(episode);
    const times = seen.get(name.toLowerCase()) ?? 0;
    seen.set(name.toLowerCase(), times + 1);
    return times === 0 ? name : name.replace(/\.html$/, `~${times + 1}.html`);
  });
}

async function writeView(
  report: EpisodeReport,
  log: string,
  target: VerifyTarget,
  file: string,
  prices: FindPrices,
): Promise<void> {
  const dialect = dialectNamed(report.dialect) ?? genericNow();
  const { name, run, parts } = target;
  const { document, lines, glance } = await episodePage(
    { name, path: log, dialect, run, parts },
    report,
    prices,
  );
  const title = `${runTitle(document)} – noesis`;
  await writeReport(file, pageHtml({ title, document, lines: [lines], glance }));
}

/**
 * Writes a page for each episode into a folder (`targets` are in report order). Returns their paths relative
 * to the report. Reports episodes without a page, such as those without a log.
 */
export async function writeViews(
  context: Context,
  { episodes }: VerifyReport,
  targets: readonly VerifyTarget[],
  { views = '', output }: ViewsOptions,
): Promise<(string | null)[]> {
  const { cwd } = context.io;
  const folder = resolve(cwd, views);
  const from = output === undefined ? cwd : dirname(resolve(cwd, output));
  const refuseTarget = outputGuard(targets);
  await refuseTarget(folder);
  try {
    makeFolders(folder);
  } catch (error) {
    throw cannotWrite(folder, error);
  }
  const prices = await findPrices(context.search);
  const names = namesOf(episodes);
  const links: (string | null)[] = [];
  for (const [index, report] of episodes.entries()) {
    const target = targets[index];
    const file = join(folder, names[index] ?? '');
    await refuseTarget(file);
    const isDone =
      target?.log !== undefined &&
      (await isWritten(context, writeView(report, target.log, target, file, prices)));
    links.push(isDone ? linkTo(file, from) : null);
  }
  return links;
}

/** Writes a page. A failure is reported and does not change the verdict. */
async function isWritten(context: Context, written: Promise<void>): Promise<boolean> {
  try {
    await written;
    return true;
  } catch (error) {
    if (!(error instanceof NoesisError) && !isFileError(error)) throw error;
    await context.say(escapeText(`no page: ${messageOf(error)}`));
    return false;
  }
}
