import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Finding } from './finding.ts';
import { type EpisodeReport, severityCounts, verdictOf } from './report.ts';
import { SEVERITIES } from './severity.ts';

/**
 * Findings that a team has accepted. A finding is identified by episode, code, severity, file, and its event
 * or place in the document. Its line does not count, because new events move it.
 */
export const baselineSchema = z.strictObject({
  schema: z.literal('noesis.baseline/1'),
  findings: z.array(
    z.strictObject({
      episode: z.string(),
      code: z.string(),
      severity: z.enum(SEVERITIES),
      file: z.string(),
      /** A digest of what else identifies the finding. */
      key: z.string(),
      /** How often it occurs. */
      count: z.number().int().min(1),
    }),
  ),
});

export type Baseline = z.infer<typeof baselineSchema>;
type Entry = Baseline['findings'][number];

/** Whether findings of a code can never be in a baseline. The catalogue of all findings says so. */
type NeverAccepted = (code: string) => boolean;

/** Identifies a finding among others with its code and file, independent of its line. */
function keyOf({ eventId, path, message, expected, actual }: Finding): string {
  // Without an event or path, its message identifies it. Numbers in it may be lines, so they are dropped.
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

/** Collects findings for a new baseline. */
export class BaselineWriter {
  readonly #isNeverAccepted: NeverAccepted;
  readonly #entries = new Map<string, Entry>();
  /** The number of findings that were only counted and therefore are not in the baseline. */
  omitted = 0;

  constructor(isNeverAccepted: NeverAccepted) {
    this.#isNeverAccepted = isNeverAccepted;
  }

  add({ episode, findings, omitted = [] }: EpisodeReport): void {
    for (const finding of findings) {
      if (this.#isNeverAccepted(finding.code)) continue;
      const entry = entryOf(episode, finding);
      const name = nameOf(entry);
      this.#entries.set(name, { ...entry, count: (this.#entries.get(name)?.count ?? 0) + 1 });
    }
    for (const { code, count } of omitted) if (!this.#isNeverAccepted(code)) this.omitted += count;
  }

  result(): Baseline {
    const byName = [...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1));
    return { schema: 'noesis.baseline/1', findings: byName.map(([, entry]) => entry) };
  }
}

/**
 * Removes the findings of a baseline from reports. Hard failures stay, even if somebody edited the file to
 * accept them.
 */
export class BaselineFilter {
  readonly #isNeverAccepted: NeverAccepted;
  readonly #left = new Map<string, number>();
  readonly #inEpisode = new Map<string, Set<string>>();
  /** The baseline's findings for the verified episodes. Several episodes may have the same id. */
  readonly #looked = new Set<string>();

  constructor({ findings }: Baseline, isNeverAccepted: NeverAccepted) {
    this.#isNeverAccepted = isNeverAccepted;
    for (const entry of findings) {
      if (this.#isNeverAccepted(entry.code)) continue;
      const name = nameOf(entry);
      this.#left.set(name, (this.#left.get(name) ?? 0) + entry.count);
      const names = this.#inEpisode.get(entry.episode) ?? new Set();
      this.#inEpisode.set(entry.episode, names.add(name));
    }
  }

  /** The number of baseline findings that the verified episodes no longer have. Read it at the end. */
  get gone(): number {
    let gone = 0;
    for (const [name, left] of this.#left) if (this.#looked.has(name)) gone += left;
    return gone;
  }

  /** Returns the report without accepted findings, and with their number. */
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
    if (this.#isNeverAccepted(finding.code)) return false;
    const name = nameOf(entryOf(episode, finding));
    const left = this.#left.get(name) ?? 0;
    if (left === 0) return false;
    this.#left.set(name, left - 1);
    return true;
  }
}
