import { basename, resolve } from 'node:path';
import type { DialectName } from './dialects/dialect.ts';
import { episodesIn } from './discover/find.ts';
import { NoesisError } from './errors.ts';
import { isDirectory } from './files/paths.ts';
import type { Severity } from './findings/finding.ts';
import type { DialectSettings, VerifyOptions, VerifyTarget } from './findings/options.ts';
import type { EpisodeReport } from './findings/report.ts';
import { verifyTarget } from './verify/verify-episode.ts';

export interface VerifyEpisodeOptions {
  /** Overrules the detection. */
  readonly dialect?: DialectName;
  /** Severities by finding code; `off` drops a finding. */
  readonly severities?: ReadonlyMap<string, Severity | 'off'>;
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

async function targetAt(path: string): Promise<VerifyTarget> {
  const absolute = resolve(path);
  if (!(await isDirectory(absolute))) return { name: basename(absolute), dir: undefined, log: absolute };
  const { episodes } = await episodesIn(absolute);
  const [only] = episodes;
  if (episodes.length === 1 && only) return only;
  throw new NoesisError(
    'log-missing',
    `${path} holds ${episodes.length === 0 ? 'no episode' : 'several logs'}`,
    {
      place: { file: absolute },
    },
  );
}

/**
 * Verifies one episode, by its directory or its log: all that `noesis verify` checks, as data. Changes nothing.
 *
 * @throws NoesisError `log-missing` where a directory holds no episode, `config-invalid` where a setting is wrong.
 * @throws the file system's error where the log cannot be read.
 */
export async function verifyEpisode(
  path: string,
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
  return verifyTarget(await targetAt(path), how, dialect);
}
