import { countText } from '../../base/text/count.ts';
import { byText } from '../../base/text/order.ts';
import { plainShellWord } from '../../base/text/shell-word.ts';
import { plusSources, sourcesText } from '../../dialects/kit/prices.ts';
import type { EpisodeSummary } from '../../find/summary.ts';
import type { ShownName } from '../../find/target-names.ts';
import { formatBytes } from './bytes.ts';
import { escapeText } from './escape.ts';
import { DAMAGED_MARK } from './status-marks.ts';
import { copiesCounted, plural } from './tally.ts';
import { displayWidth } from './width.ts';

/**
 * The number of episodes by status, and the size of their logs. A status says how a run ended, not whether its log is intact.
 * `titles`: of the columns that are shown, and therefore explained.
 */
export function listSummary(
  episodes: readonly EpisodeSummary[],
  all: number,
  titles: readonly string[],
): string {
  const statuses = new Map<string, number>();
  let bytes = 0;
  for (const { status = 'unknown', log_bytes: length = 0 } of episodes) {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    bytes += length;
  }
  const counts = [...statuses].sort(([a, n], [b, m]) => m - n || byText(a, b));
  const words = counts.map(([status, count]) => `${countText(count)} ${escapeText(status)}`).join(', ');
  const copies = episodes.filter(({ copy_of: original }) => original !== undefined).length;
  const made = copies === 0 ? '' : `, ${copiesCounted(copies)} among them`;
  const shown = all > episodes.length ? `${episodes.length} of ${plural(all, 'run')}` : plural(all, 'run');
  const [hasTokens, hasCost] = ['TOKENS', 'COST'].map((title) => titles.includes(title));
  const below = episodes.reduce((sum, { subagents }) => sum + (subagents?.logs ?? 0), 0);
  const included = hasTokens && below > 0 ? `; tokens include ${plural(below, 'subagent')}` : '';
  const isLeast = (hasTokens || hasCost) && episodes.some(({ lacks }) => lacks);
  const least = isLeast ? '; ≥ where a log lacks tokens' : '';
  const sources = hasCost
    ? sourcesText(episodes.map(({ cost }) => cost?.prices ?? {}).reduce(plusSources, {}))
    : '';
  const priced = sources === '' ? '' : `; ${escapeText(sources)}`;
  return `${shown}${made}: ${words}; ${formatBytes(bytes, 1)}${included}${least}${priced}; not verified`;
}

/** Whether a log has damaged lines, and is neither repaired nor a repaired copy, whose rows say so. */
export const isDamaged = ({ lacks, copy_of: original, repaired_as: copy }: EpisodeSummary): boolean =>
  lacks?.lines !== undefined && original === undefined && copy === undefined;

/** The statuses of a run whose log does not say that it ended. */
const WITHOUT_END = ['open', 'running', 'unknown'];

/** That runs whose logs do not say how they ended are not among the failed ones; empty without such runs. */
export function withoutEnd(runs: readonly EpisodeSummary[]): string {
  const statuses = runs.map(({ status = 'unknown' }) => status);
  const found = WITHOUT_END.filter((status) => statuses.includes(status));
  const count = statuses.filter((status) => found.includes(status)).length;
  if (count === 0) return '';
  const why = count === 1 ? 'its log does not say' : 'their logs do not say';
  return `${plural(count, 'other run')} may have failed; ${why} (--status ${found.join(',')})`;
}

/** That runs whose logs do not name their project are left out by its name; empty without such runs. */
export function withoutProject(runs: readonly EpisodeSummary[]): string {
  const count = runs.filter(({ project }) => project === undefined).length;
  if (count === 0) return '';
  const have = count === 1 ? 'run has' : 'runs have';
  return `${count} other ${have} no known project; --project PATH also finds those whose logs have the hash of this folder`;
}

interface DamageHintOptions {
  readonly nameOf: (episode: EpisodeSummary) => ShownName;
  /** The words of a command that name the listed sessions; none for all of this machine. */
  readonly given: readonly string[];
  /** Whether `doctor` examines a run. */
  readonly isExamined: (episode: EpisodeSummary) => boolean;
}

/** The next steps for damaged sessions that are not repaired yet: those that `doctor` examines, and the others. */
export function damageHints(
  runs: readonly EpisodeSummary[],
  { nameOf, given, isExamined }: DamageHintOptions,
): string[] {
  const damaged = runs.filter(isDamaged);
  const examined = damaged.filter(isExamined);
  const others = damaged.filter((run) => !examined.includes(run));
  // The rows of other damaged logs say that these are repaired.
  const isRepaired = runs.some((run) => run.lacks?.lines !== undefined && !isDamaged(run));
  const which = isRepaired ? 'damaged and not repaired' : 'damaged';
  const hint = (of: readonly EpisodeSummary[], what: string, command: string, all: readonly string[]) => {
    const [only] = of;
    if (only === undefined) return [];
    const words = of.length === 1 ? [plainShellWord(nameOf(only).brief)] : all;
    const named = escapeText([`noesis ${command}`, ...words].join(' '));
    return [
      `${plural(of.length, what)} ${of.length === 1 ? 'is' : 'are'} ${which} (${DAMAGED_MARK}): ${named}`,
    ];
  };
  return [
    ...hint(examined, 'log', 'doctor', given.length === 0 ? ['--all'] : given),
    ...hint(others, examined.length === 0 ? 'log' : 'other log', 'verify', given),
  ];
}

/**
 * Suggests a command for the newest episode that did not succeed. `root`: the root in which ids are looked
 * up, if the user named one. Without room on the line the explanation is dropped.
 */
export function showHint(
  episodes: readonly EpisodeSummary[],
  { nameOf, width, root }: { nameOf: (episode: EpisodeSummary) => ShownName; width: number; root?: string },
): string {
  const isBad = ({ tone }: EpisodeSummary) => tone === 'bad' || tone === 'doubtful';
  const chosen = episodes.find(isBad) ?? episodes[0];
  if (chosen === undefined) return '';
  const { full, brief } = nameOf(chosen);
  const isId = full === chosen.episode;
  const under = isId && root !== undefined ? ` --root ${plainShellWord(root)}` : '';
  const what = isBad(chosen) ? `why its status is ${chosen.status}` : 'what happened in this run';
  const command = escapeText(`noesis show ${plainShellWord(brief)}${under}`);
  const suggestion = `${command}: ${escapeText(what)}`;
  return displayWidth(suggestion) <= width ? suggestion : command;
}
