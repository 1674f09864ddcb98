import type { Log, Notification } from 'sarif';
import type { CatalogueEntry } from '../../findings/catalogue-entry.ts';
import type { VerifyReport } from '../../findings/report.ts';
import { escapeText } from './escape.ts';
import { fileUri, isAbsolute } from './location.ts';
import { fingerprinter, ROOT_ID, sarifResult, withoutLinks } from './sarif-result.ts';
import { sarifRules } from './sarif-rules.ts';
import { plural } from './tally.ts';
import { configurationLine } from './words.ts';
import { worstOf } from './worst.ts';
import { clip } from './wrap.ts';

/** GitHub code scanning refuses files with more results per run. */
const MAX_RESULTS = 25_000;
const MAX_SKIPS = 100;
const MAX_LEVELS = 1000;

interface SarifOptions {
  readonly catalogue: readonly CatalogueEntry[];
  /** Absolute: the folder for relative URIs, usually the repository. */
  readonly relativeTo: string;
  /** Why nothing was checked, so that no result means nothing. */
  readonly unchecked?: string | undefined;
}

/** Skipped stages must be mentioned, because an absent finding then means nothing. */
function skippedStages(report: VerifyReport): Notification[] {
  const counts = new Map<string, number>();
  for (const { stages } of report.episodes) {
    for (const { name, status, reason } of stages) {
      if (status === 'ran') continue;
      const text = reason === undefined ? name : `${name}: ${escapeText(clip(reason, 500))}`;
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  return [...counts].slice(0, MAX_SKIPS).map(([text, count]) => ({
    level: 'note',
    descriptor: { id: 'noesis/stage-skipped' },
    message: { text: `Not checked in ${plural(count, 'run')}: ${text}`.replaceAll('](', '] (') },
  }));
}

function leftOut(total: number, kept: number): Notification[] {
  if (total === kept) return [];
  const text = `${plural(total - kept, 'finding')} left out: --max-findings limits them per code and run, and a SARIF run has at most ${MAX_RESULTS} results, the worst.`;
  return [{ level: 'warning', descriptor: { id: 'noesis/results-left-out' }, message: { text } }];
}

function rulesChanged(report: VerifyReport, relativeTo: string): Notification[] {
  const text = configurationLine(report, relativeTo);
  if (text === undefined) return [];
  return [{ level: 'note', descriptor: { id: 'noesis/rules-changed' }, message: { text } }];
}

function notChecked(unchecked: string | undefined): Notification[] {
  if (unchecked === undefined) return [];
  const text = withoutLinks(clip(unchecked, 2000));
  return [{ level: 'error', descriptor: { id: 'noesis/not-checked' }, message: { text } }];
}

/** The report as SARIF 2.1.0, worst findings first. Deterministic. */
export function renderSarif(report: VerifyReport, options: SarifOptions): string {
  const { catalogue, relativeTo, unchecked } = options;
  const { worst, total } = worstOf(report, MAX_RESULTS);
  const { rules, indexOf } = sarifRules(
    catalogue,
    worst.map(({ finding }) => finding),
  );
  const fingerprint = fingerprinter();
  const notifications = [
    ...notChecked(unchecked),
    ...rulesChanged(report, relativeTo),
    ...leftOut(total, worst.length),
    ...skippedStages(report),
  ];
  const root = `${fileUri(relativeTo)}/`.replace(/\/+$/, '/');
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: report.tool.name, version: report.tool.version, rules } },
        invocations: [
          {
            executionSuccessful: unchecked === undefined,
            ...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
          },
        ],
        // Consumers with another checkout replace it; others still find the files.
        ...(isAbsolute(relativeTo) && { originalUriBaseIds: { [ROOT_ID]: { uri: root } } }),
        properties: {
          level: report.summary.level,
          configuration: report.configuration,
          episodes: report.episodes
            .slice(0, MAX_LEVELS)
            .map(({ episode, level, notProven }) => ({ episode, level, not_proven: notProven })),
        },
        columnKind: 'utf16CodeUnits',
        results: worst.map((placed) =>
          sarifResult(placed, indexOf.get(placed.finding.code) as number, fingerprint(placed), relativeTo),
        ),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}
