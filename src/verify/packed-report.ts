import { basename } from 'node:path';
import type { ArchiveProblem } from '../base/archives/problem.ts';
import type { FindingCode } from '../findings/codes.ts';
import type { Finding } from '../findings/finding.ts';
import type { FindingDraft } from '../findings/findings.ts';
import type { VerifyOptions } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';
import { notVerified } from './verify-episode.ts';

const HINTS: Readonly<Partial<Record<ArchiveProblem['kind'], string>>> = {
  corrupt: 'copy or download it again, and compare its checksum with the source',
  scattered: 'save it to a file and name that file: it is then unpacked as a whole',
  'too-large': 'raise --max-unpacked if it is your own',
};

/** The finding for a problem with an archive. */
function problemDraft(file: string, { kind, message, entry }: ArchiveProblem): FindingDraft {
  const code: FindingCode = `archive/${kind}`;
  const hint = HINTS[kind];
  return { code, message, file: entry ?? file, ...(hint !== undefined && { hint }) };
}

/** The report on an archive itself, in addition to those on its episodes. */
export function archiveReport(
  label: string,
  problems: readonly ArchiveProblem[],
  options: VerifyOptions,
): EpisodeReport {
  const name = basename(label);
  const drafts = problems.map((problem) => problemDraft(name, problem));
  const target = { name, dir: undefined, log: label, fileName: name };
  const report = notVerified(target, options, drafts, 'these findings are about the archive itself');
  return { ...report, path: label };
}

const TEXTS = ['message', 'hint', 'expected', 'actual'] as const;

/**
 * Replaces paths in a report on unpacked files with paths in the archive, because the temporary folder will
 * be gone.
 */
export function reportAsPacked(report: EpisodeReport, shown: (text: string) => string): EpisodeReport {
  const findings = report.findings.map((finding) => {
    const renamed: { -readonly [Key in keyof Finding]: Finding[Key] } = { ...finding };
    for (const name of TEXTS) {
      const text = renamed[name];
      if (text !== undefined) renamed[name] = shown(text);
    }
    return renamed;
  });
  return { ...report, path: shown(report.path), findings };
}
