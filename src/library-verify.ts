import type { DialectName } from './dialects/dialect.ts';
import { copiedDocument } from './discover/copied-document.ts';
import { episodeAt, type RootOptions } from './discover/named.ts';
import type { DialectSettings, VerifyOptions } from './findings/options.ts';
import type { EpisodeReport } from './findings/report.ts';
import type { RuledSeverity } from './findings/severity.ts';
import { asCopy, asDocument } from './verify/document.ts';
import { verifyTarget } from './verify/verify-episode.ts';

export interface VerifyEpisodeOptions extends RootOptions {
  /** Overrules the detection. */
  readonly dialect?: DialectName;
  /** Severities by finding code; `off` drops a finding. */
  readonly severities?: ReadonlyMap<string, RuledSeverity>;
  /** An unsealed episode fails. */
  readonly requireSeal?: boolean;
  /** An unsigned episode fails. */
  readonly requireSignature?: boolean;
  /** So many findings of one code and severity are kept, the others counted in `omitted`: 1,000 when absent, all for 0. */
  readonly maxFindings?: number;
  /** Files that the manifest does not list are errors. */
  readonly strict?: boolean;
  /** The secret of a key id, for manifest signatures. */
  readonly key?: (kid: string) => Uint8Array | undefined;
  /** What noesis.toml says in the tables of dialects, such as `{ exarchos: { custom_types: ['deploy.started'] } }`. */
  readonly settings?: DialectSettings;
}

/**
 * Verifies one episode: all that `noesis verify` checks (docs/findings.md), as data. `target` is the episode's
 * directory, its log, its id or a unique prefix of one. Changes nothing.
 *
 * @throws NoesisError `log-missing` where a directory holds no episode, `config-invalid` where a setting is wrong;
 * `target-missing`, `target-ambiguous`, `root-missing`.
 * @throws the file system's error where the log cannot be read.
 */
export async function verifyEpisode(
  target: string,
  options: VerifyEpisodeOptions = {},
): Promise<EpisodeReport> {
  const {
    dialect,
    severities = new Map(),
    requireSeal = false,
    requireSignature = false,
    strict = false,
  } = options;
  const policy = {
    severities,
    requireSeal,
    requireSignature,
    strict,
    ...(options.maxFindings !== undefined && { maxFindings: options.maxFindings }),
  };
  const how: VerifyOptions = {
    policy,
    key: options.key ?? (() => undefined),
    settings: options.settings ?? {},
  };
  const episode = await episodeAt(target, options);
  const copied = await copiedDocument(episode);
  if (copied === undefined) return verifyTarget(episode, how, dialect);
  const { document, copy } = copied;
  try {
    return asDocument(await verifyTarget(asCopy(episode, document, copy), how, dialect), document, copy);
  } finally {
    copy.remove();
  }
}
