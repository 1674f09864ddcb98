import { appendFile } from 'node:fs/promises';
import { FileError, reasonOf } from '../../base/errors.ts';
import { shownPath } from '../../base/files/paths.ts';
import type { VerifyReport } from '../../findings/report.ts';
import type { Style } from '../../show/render/style.ts';
import { configurationLine } from '../../show/render/words.ts';
import { joined } from '../pieces.ts';

/** Layout, and the base folders of paths. */
export interface Layout {
  readonly style: Style;
  readonly width: number;
  /** Absolute: the base of paths for people. */
  readonly relativeTo: string;
  /** Absolute: the base of paths for build servers. */
  readonly checkout: string;
  readonly quiet: boolean;
  /** The verification fails if there are more warnings. */
  readonly maxWarnings: number | undefined;
  /** The page of each episode, relative to the report; null if it has none. */
  readonly views?: readonly (string | null)[] | undefined;
  /** Why the command fails although no finding does: nothing was checked, or a file that was named is no log. */
  readonly unchecked?: string | undefined;
}

type Renderer = (report: VerifyReport, layout: Layout) => Promise<string | Iterable<string>>;

/** The formats that need the whole report. Renderers are loaded on demand. */
const RENDERERS = {
  pretty: async (report, layout) =>
    (await import('../../show/render/pretty.ts')).renderPretty(report, layout),
  json: async (report) => (await import('../../show/render/json.ts')).renderJson(report),
  sarif: async (report, { checkout: relativeTo, unchecked }) => {
    const { CATALOGUE } = await import('../../dialects/catalogue.ts');
    return (await import('../../show/render/sarif.ts')).renderSarif(report, {
      catalogue: CATALOGUE,
      relativeTo,
      unchecked,
    });
  },
  junit: async (report, { relativeTo, unchecked }) =>
    (await import('../../show/render/junit.ts')).renderJunit(report, relativeTo, unchecked),
  github: async (report, { checkout: relativeTo, unchecked }) =>
    (await import('../../show/render/github.ts')).renderGithub(report, { relativeTo, unchecked }),
  markdown: async (report, { relativeTo }) =>
    (await import('../../show/render/github-summary.ts')).renderGithubSummary(report, relativeTo),
  gitlab: async (report, { checkout }) =>
    (await import('../../show/render/gitlab.ts')).renderGitlab(report, checkout),
  html: async (report, layout) => {
    const { relativeTo, views = [] } = layout;
    const { renderPretty } = await import('../../show/render/pretty.ts');
    const { GLANCE } = await import('../../show/page/glance.ts');
    return (await import('../../show/page/report.ts')).reportHtml(report, {
      views,
      glance: renderPretty(report, { ...layout, ...GLANCE, quiet: false }),
      configuration: configurationLine(report, relativeTo),
      shownPath: (path) => shownPath(path, relativeTo),
    });
  },
} satisfies Readonly<Record<string, Renderer>>;

export type WholeFormat = keyof typeof RENDERERS;
export type FormatName = WholeFormat | 'ndjson';

export const WHOLE_FORMATS = Object.keys(RENDERERS) as WholeFormat[];

/** The formats of `verify --format`. `ndjson` is written during verification. */
export const FORMATS: readonly FormatName[] = [...WHOLE_FORMATS, 'ndjson'];

/** Yields a report in one of the formats, in pieces. */
export async function renderReport(
  format: WholeFormat,
  report: VerifyReport,
  layout: Layout,
): Promise<Iterable<string>> {
  const text = await RENDERERS[format](report, layout);
  return typeof text === 'string' ? [text] : joined(text);
}

/** Appends the table of findings to GitHub's step summary, if there is one. */
export async function writeStepSummary(
  path: string | undefined,
  report: VerifyReport,
  relativeTo: string,
): Promise<void> {
  if (!path) return;
  const { renderGithubSummary } = await import('../../show/render/github-summary.ts');
  try {
    await appendFile(path, renderGithubSummary(report, relativeTo));
  } catch (error) {
    throw new FileError('unwritable', `cannot write ${path}: ${reasonOf(error)}`, {
      place: { file: path },
      hint: 'set GITHUB_STEP_SUMMARY to a file that can be written',
      cause: error,
    });
  }
}
