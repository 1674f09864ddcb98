import { basename } from 'node:path';
import { unpackedName } from '../base/archives/format.ts';
import type { ArchiveProblem } from '../base/archives/problem.ts';
import type { Layer, Mount } from '../find/mount.ts';
import { addFindings } from '../findings/add-findings.ts';
import type { FindingCode } from '../findings/codes.ts';
import type { Finding } from '../findings/finding.ts';
import type { FindingDraft } from '../findings/findings.ts';
import type { VerifyOptions } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';
import { asDocument } from './document-report.ts';
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

/** Turns the report on the records in a layer into one on what is around them. */
function asLayer(report: EpisodeReport, layer: Layer, options: VerifyOptions): EpisodeReport {
  if (layer.kind === 'document') return asDocument(report, layer.document);
  const name = basename(layer.path);
  const message = `the log is ${name}, and was read uncompressed: lines, bytes and the hash in a manifest are those of the uncompressed log`;
  return addFindings(
    report,
    [{ code: 'archive/compressed-log', message, file: unpackedName(name) }],
    options.policy,
  );
}

/** Turns the report on the copies of a mount into one on what the user named. */
export function asMounted(report: EpisodeReport, mount: Mount, options: VerifyOptions): EpisodeReport {
  const { layers, episodes } = mount;
  const whole = layers.reduceRight((inner, layer) => asLayer(inner, layer, options), report);
  return {
    ...reportAsPacked(whole, (text) => mount.shown(text)),
    path: episodes[0]?.dir ?? layers[0]?.path ?? report.path,
  };
}
