import { wholeCharacters } from '../base/json/place.ts';
import { ownText } from '../base/text/own-text.ts';
import { type Severities, SHARED_SEVERITIES } from './catalogue-severities.ts';
import type { ChainProof } from './chains/settings.ts';
import type { FindingCode } from './codes.ts';
import type { Finding } from './finding.ts';
import { KeptFindings, type Spot } from './kept.ts';
import { compareFindings, compareOmitted } from './order.ts';
import { DEFAULT_MAX_FINDINGS, type Policy, severityFor } from './policy.ts';
import { type Found, type OmittedFindings, severityCounts, verdictOf } from './report.ts';
import type { Severity } from './severity.ts';

/**
 * In UTF-16 units. A trace may have keys of a megabyte and a finding for each, so texts of findings are cut.
 */
export const MAX_TEXT = 1000;

/** A text for a finding. If it is too long it is cut, and copied so that the original can be freed. */
const boundedText = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${wholeCharacters(ownText(text.slice(0, MAX_TEXT - 1)))}…`;

/** A finding as a check reports it. Its severity defaults to the catalogue's. */
export type FindingDraft = Omit<Finding, 'severity'> & { readonly severity?: Severity };

/** The part of a finding that is known before its details are computed. */
interface FindingHead extends Spot {
  readonly code: FindingCode;
  readonly severity?: Severity | undefined;
}

/** The texts of a finding that may quote a trace. */
const QUOTING = ['message', 'hint', 'eventId', 'path', 'expected', 'actual'] as const;

/** Completes a draft and cuts its texts to the length that a report allows. */
function findingOf(draft: FindingDraft, severity: Severity): Finding {
  const finding: { -readonly [Key in keyof Finding]: Finding[Key] } = Object.assign({}, draft, { severity });
  for (const name of QUOTING) {
    const text = finding[name];
    if (text !== undefined) finding[name] = boundedText(text);
  }
  return finding;
}

/**
 * Collects the findings of checks. Applies the policy, keeps a limited number per code and severity, counts
 * the rest, and sorts them.
 */
export class Findings {
  /** The number of findings kept per code and severity. */
  readonly limit: number;
  readonly #policy: Policy;
  readonly #severities: Severities;
  readonly #kept = new Map<
    string,
    { readonly code: FindingCode; readonly severity: Severity; readonly all: KeptFindings }
  >();

  #ifWhole: Findings | undefined;
  /** Findings that are reported once for many records, by key. */
  readonly #once = new Map<
    string,
    {
      readonly first: FindingDraft;
      readonly words: (count: number) => string | undefined;
      count: number;
    }
  >();

  /** What the chains of each log prove; undefined for a log without chains. */
  readonly chains: (ChainProof | undefined)[] = [];
  /** Codes that were reported, even if the policy drops them. */
  readonly seen = new Set<FindingCode>();
  /** Reported codes that are errors before the policy is applied. */
  readonly errors = new Set<FindingCode>();
  /** Reported codes that are errors or warnings before the policy is applied. */
  readonly faults = new Set<FindingCode>();

  /** `severities`: those of the dialect, if it has its own findings. */
  constructor(policy: Policy, severities: Severities = SHARED_SEVERITIES) {
    this.#policy = policy;
    this.#severities = severities;
    const { maxFindings = DEFAULT_MAX_FINDINGS } = policy;
    this.limit = maxFindings === 0 ? Infinity : maxFindings;
  }

  report(draft: FindingDraft): void {
    const severity = this.#severityOf(draft);
    if (severity !== 'off') this.#of(draft.code, severity).add(findingOf(draft, severity));
  }

  /** Whether the details of a finding should be computed, because it may be kept. If not, only counts it. */
  wants(head: FindingHead): boolean {
    const severity = this.#severityOf(head);
    if (severity === 'off') return false;
    const all = this.#of(head.code, severity);
    const isWanted = all.wants(head);
    if (!isWanted) all.count += 1;
    return isWanted;
  }

  /** Reports a finding whose details are only computed if it may be kept. */
  reportAt(head: FindingHead, rest: () => FindingDraft): void {
    const { severity } = head;
    if (this.wants(head)) this.report({ ...(severity && { severity }), ...rest() });
  }

  /** For findings that a corrupt line could explain. {@link settle} reports or drops them. */
  get ifWhole(): Findings {
    this.#ifWhole ??= this.later();
    return this.#ifWhole;
  }

  /**
   * Reports one finding for all records that have it: at the first of them, after the end of the log. `words`
   * makes the message from the number of records, or returns nothing to report nothing.
   */
  once(key: string, first: () => FindingDraft, words: (count: number) => string | undefined): void {
    const known = this.#once.get(key);
    if (known) known.count += 1;
    else this.#once.set(key, { first: first(), words, count: 1 });
  }

  /** Ends a log. Findings of {@link ifWhole} count if no line was corrupt. */
  settle(whole: boolean): void {
    this.#reportOnce();
    if (whole && this.#ifWhole) this.takeIn(this.#ifWhole);
    this.#ifWhole = undefined;
  }

  /** For findings that are not certain yet. Pass the result to {@link takeIn} once they are. */
  later(): Findings {
    return new Findings(this.#policy, this.#severities);
  }

  /** Adds findings that were held back. */
  takeIn(held: Findings): void {
    held.#reportOnce();
    for (const code of held.seen) this.seen.add(code);
    for (const code of held.errors) this.errors.add(code);
    for (const code of held.faults) this.faults.add(code);
    for (const { code, severity, all } of held.#kept.values()) this.#of(code, severity).takeIn(all);
  }

  /** All findings, and the verdict. */
  conclude(): Found {
    const findings: Finding[] = [];
    const omitted: OmittedFindings[] = [];
    for (const { code, severity, all } of this.#kept.values()) {
      const kept = all.list();
      for (const finding of kept) findings.push(finding);
      if (all.count > kept.length) omitted.push({ code, severity, count: all.count - kept.length });
    }
    findings.sort(compareFindings);
    const found = { findings, ...(omitted.length > 0 && { omitted: omitted.sort(compareOmitted) }) };
    return { verdict: verdictOf(severityCounts(found)), ...found };
  }

  #reportOnce(): void {
    for (const { first, words, count } of this.#once.values()) {
      const message = words(count);
      if (message !== undefined) this.report({ ...first, message });
    }
    this.#once.clear();
  }

  #severityOf({ code, severity }: FindingHead | FindingDraft) {
    this.seen.add(code);
    const usual = severity ?? this.#severities.get(code);
    if (usual === 'error') this.errors.add(code);
    if (usual !== 'info') this.faults.add(code);
    return severityFor(this.#policy, this.#severities, code, severity);
  }

  #of(code: FindingCode, severity: Severity): KeptFindings {
    const key = `${severity} ${code}`;
    let kept = this.#kept.get(key);
    if (kept === undefined) {
      kept = { code, severity, all: new KeptFindings(this.limit) };
      this.#kept.set(key, kept);
    }
    return kept.all;
  }
}
