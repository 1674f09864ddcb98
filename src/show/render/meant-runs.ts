import type { SeveralRunsError } from '../../find/several-runs-error.ts';
import { renderList } from './episode-list.ts';
import type { Style } from './style.ts';

/** The runs that an ambiguous target may mean, for people. */
export interface MeantLines {
  /** What the error says above them. */
  readonly head: string;
  readonly lines: readonly string[];
}

/** Lists the runs that an ambiguous target may mean like `list`, each with an id that commands accept. */
export function meantLines(
  { brief, runs, total }: SeveralRunsError,
  { style, width }: { readonly style: Style; readonly width: number },
): MeantLines {
  const ids = new Map(runs.map(({ id, summary }) => [summary, id]));
  const list = (within: number) =>
    renderList(
      runs.map(({ summary }) => summary),
      {
        style,
        width: within,
        zone: 'local',
        nameOf: (summary) => {
          const id = ids.get(summary) ?? summary.episode;
          return { full: id, brief: id };
        },
      },
    );
  const { text: narrow, titles } = list(width);
  // Long ids take the room of the title, without which nobody recognises a run.
  const text = titles.includes('TITLE') ? narrow : list(Infinity).text;
  const dialects = new Set(runs.map(({ summary }) => summary.dialect));
  const [only] = dialects;
  const more = total - runs.length;
  return {
    head: only !== undefined && dialects.size === 1 ? `${brief} of ${only}:` : `${brief}:`,
    lines: [...text.trimEnd().split('\n'), ...(more > 0 ? [`and ${more} more`] : [])],
  };
}
