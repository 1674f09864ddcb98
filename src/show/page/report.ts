import type { VerifyReport } from '../../findings/report.ts';
import { pageHtml } from './html.ts';
import { meaningsOf } from './meanings.ts';
import type { ReportDocument } from './page-data.ts';

/** Options for the page of a report. */
interface ReportPageOptions {
  /** The page of each episode, relative to this one, by its position in the report. */
  readonly views: readonly (string | null)[];
  /** Formats the path of an episode for display. */
  readonly shownPath: (path: string) => string;
  /** What `verify` prints of the report. */
  readonly glance: string;
  /** The effect of a configuration file on the verdicts. */
  readonly configuration?: string | undefined;
}

/** The number of lines of the text for readers without the script of the page. */
const MOST_LINES = 1000;

function firstLines(text: string): string {
  const lines = text.split('\n');
  return lines.length > MOST_LINES ? `${lines.slice(0, MOST_LINES).join('\n')}\n…` : text;
}

/** A report as one HTML file: every episode with its findings and a link to its page. Failed ones come first. */
export function reportHtml(
  report: VerifyReport,
  { views, shownPath, configuration, glance }: ReportPageOptions,
): Generator<string> {
  const document: ReportDocument = {
    kind: 'report',
    version: report.tool.version,
    configuration,
    report: {
      ...report,
      episodes: report.episodes.map((episode) => ({ ...episode, path: shownPath(episode.path) })),
    },
    views,
    meanings: meaningsOf(report.episodes.flatMap(({ findings }) => findings)),
  };
  return pageHtml({ title: `verify: ${report.verdict} – noesis`, document, glance: firstLines(glance) });
}
