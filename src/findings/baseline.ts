import { createHash } from 'node:crypto';
import * as z from 'zod';
import { isHard } from './catalogue/index.ts';
import type { Finding } from './finding.ts';
import { type EpisodeReport, severityCounts, verdictOf } from './report.ts';
import { SEVERITIES } from './severity.ts';

/**
 * Findings that a team has accepted. One is told by its episode, code, severity, file, and the event or the place in the
 * document; never by its line, which moves with every event that is added.
 */
export const baselineSchema = z.strictObject({
  schema: z.literal('noesis.baseline/1'),
  findings: z.array(
    z.strictObject({
      episode: z.string(),
      code: z.string(),
      severity: z.enum(SEVERITIES),
      file: z.string(),
      /** A digest of what else tells the finding. */
      key: z.string(),
      /** How many there are of it. */
      count: z.number().int().min(1),
    }),
  ),
});

export type Baseline = z.infer<typeof baselineSchema>;
type Entry = Baseline['findings'][number];

/**
 * Whether a finding never goes into a baseline: what no rule may lower (a corrupt log, what could not be looked at), and
 * all that a seal and its signature say. An old warning is a team's to accept; a file that is not what was sealed is not.
 */
export function isNeverAccepted(code: string): boolean {
  return isHard(code) || code === 'order/after-seal' || /^(?:manifest|seal|verify)\//.test(code);
}

/** What tells a finding from others of its code in a file, whatever line it is on. */
function keyOf({ eventId, path, message, expected, actual }: Finding): string {
  // Without an event or a place its words tell it; numbers in them may be lines.
  const words = eventId === undefined && path === undefined ? message.replaceAll(/\d+/g, '#') : '';
  const parts = [eventId ?? '', path ?? '', expected ?? '', actual ?? '', words];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

const nameOf = ({ episode, code, severity, file, key }: Omit<Entry, 'count'>): string =>
  JSON.stringify([episode, code, severity, file, key]);

function entryOf(episode: string, finding: Finding): Omit<Entry, 'count'> {
  const { code, severity, file } = finding;
  return { episode, code, severity, file, key: keyOf(finding) };
}

/** Gathers what a new baseline is to hold. */
export class BaselineWriter {
  readonly #entries = new Map<string, Entry>();
  /** Findings that are only counted, and so in no baseline. */
  omitted = 0;

  add({ episode, findings, omitted = [] }: EpisodeReport): void {
    for (const finding of findings) {
      if (isNeverAccepted(finding.code)) continue;
      const entry = entryOf(episode, finding);
      const name = nameOf(entry);
      this.#entries.set(name, { ...entry, count: (this.#entries.get(name)?.count ?? 0) + 1 });
    }
    for (const { code, count } of omitted) if (!isNeverAccepted(code)) this.omitted += count;
  }

  result(): Baseline {
    const byName = [...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1));
    return { schema: 'noesis.baseline/1', findings: byName.map(([, entry]) => entry) };
  }
}

/** Takes the findings of a baseline out of reports. What is hard stays, even where a file was edited to name it. */
export class BaselineFilter {
  readonly #left = new Map<string, number>();
  readonly #inEpisode = new Map<string, Set<string>>();
  /** The findings of the episodes that were looked at: several may have one id. */
  readonly #looked = new Set<string>();

  constructor({ findings }: Baseline) {
    for (const entry of findings) {
      if (isNeverAccepted(entry.code)) continue;
      const name = nameOf(entry);
      this.#left.set(name, (this.#left.get(name) ?? 0) + entry.count);
      const names = this.#inEpisode.get(entry.episode) ?? new Set();
      this.#inEpisode.set(entry.episode, names.add(name));
    }
  }

  /** How many findings of the baseline no longer are in the episodes that were looked at: to be asked at the end. */
  get gone(): number {
    let gone = 0;
    for (const [name, left] of this.#left) if (this.#looked.has(name)) gone += left;
    return gone;
  }

  /** The report with what counts; how many findings do not is said in it. */
  apply(report: EpisodeReport): EpisodeReport {
    const names = this.#inEpisode.get(report.episode);
    if (names === undefined) return report;
    const findings = report.findings.filter((finding) => !this.#takes(report.episode, finding));
    const baselined = report.findings.length - findings.length;
    for (const name of names) this.#looked.add(name);
    if (baselined === 0) return report;
    const left = { ...report, findings };
    return { ...left, verdict: verdictOf(severityCounts(left)), baselined };
  }

  #takes(episode: string, finding: Finding): boolean {
    if (isNeverAccepted(finding.code)) return false;
    const name = nameOf(entryOf(episode, finding));
    const left = this.#left.get(name) ?? 0;
    if (left === 0) return false;
    this.#left.set(name, left - 1);
    return true;
  }
}
