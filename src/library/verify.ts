import { isUint8Array } from 'node:util/types';
import { kindOf, messageOf, requireCount, requireKnown, requireText, UsageError } from '../base/errors.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { formatsInUse } from '../dialects/registry.ts';
import type { Episode } from '../find/episode.ts';
import { searchFolder } from '../find/find.ts';
import { mountWhole } from '../find/mount.ts';
import { episodeAt, ROOT_OPTIONS, type RootOptions } from '../find/named.ts';
import { requireChain } from '../findings/chains/choose.ts';
import { REQUIRED_LEVELS, type RequiredLevel } from '../findings/level.ts';
import type { DialectSettings, VerifyOptions } from '../findings/options.ts';
import { type Policy, withLevel } from '../findings/policy.ts';
import { type EpisodeReport, judged } from '../findings/report.ts';
import type { RuledSeverity } from '../findings/severity.ts';
import { asMounted } from '../verify/packed-report.ts';
import { verifyTarget } from '../verify/verify-episode.ts';
import { withSettings } from './formats.ts';

export interface VerifyEpisodeOptions extends RootOptions {
  /** Overrules the detection. */
  readonly dialect?: DialectName;
  /**
   * Severities by the code of a finding, or by a pattern such as `event/*`; `off` drops a finding. Those in noesis.toml
   * are not used.
   */
  readonly severities?: ReadonlyMap<string, RuledSeverity> | Readonly<Record<string, RuledSeverity>>;
  /** Fail on an unsealed episode. */
  readonly requireSeal?: boolean;
  /** Fail on an unsigned episode. */
  readonly requireSignature?: boolean;
  /** Fail on an episode below this level: readable, consistent, sealed or signed. */
  readonly requireLevel?: Exclude<RequiredLevel, 'anchored'>;
  /** Keep at most this many findings per code and severity, and count the rest in `omitted`. The default is 1,000; 0 keeps all. */
  readonly maxFindings?: number;
  /** Fail on warnings, and report files that the manifest does not list as errors. */
  readonly strict?: boolean;
  /**
   * Returns the secret or public key of a key id, for signatures of manifests and records, without the newline at the end
   * of a key file. The id is empty if records have none.
   */
  readonly key?: (kid: string) => Uint8Array | undefined;
  /** Check the records as this chain, or no chain (`none`). By default, chains are recognised by their records. */
  readonly chain?: string;
  /** The hash that the last record of the chain must have. */
  readonly expectHead?: string;
  /** The number of records that the chain must have. */
  readonly expectCount?: number;
  /** The tables of dialects in noesis.toml. A table with another name describes a format of your own. An example:
   * `{ exarchos: { custom_types: ['deploy.started'] } }`. */
  readonly settings?: DialectSettings;
}

const OPTIONS: Readonly<Record<keyof VerifyEpisodeOptions, true>> = {
  ...ROOT_OPTIONS,
  dialect: true,
  severities: true,
  requireSeal: true,
  requireSignature: true,
  requireLevel: true,
  maxFindings: true,
  strict: true,
  key: true,
  chain: true,
  expectHead: true,
  expectCount: true,
  settings: true,
};

/** What the caller's function returns for a key id. Throws `usage` if it throws, or returns anything but bytes. */
function keyOf(key: NonNullable<VerifyEpisodeOptions['key']>, kid: string): Uint8Array | undefined {
  let found: unknown;
  try {
    found = key(kid);
  } catch (error) {
    const message = `the function key failed for the key ${JSON.stringify(kid)}: ${messageOf(error)}`;
    throw new UsageError('usage', message, { hint: HOW_NO_KEY, cause: error });
  }
  if (found === undefined || isUint8Array(found)) return found;
  const kind = kindOf(found);
  const message = `the function key returned ${kind} for the key ${JSON.stringify(kid)}, not a Uint8Array`;
  throw new UsageError('usage', message, {
    hint: kind === 'a promise' ? 'read the keys before you call verifyEpisode' : HOW_NO_KEY,
  });
}

const HOW_NO_KEY = 'return undefined for a key that you do not have';

/** The caller's keys. Throws `usage` for an empty key, because anyone can sign with it. */
function keyRing({ key }: VerifyEpisodeOptions): VerifyOptions['key'] {
  if (key !== undefined && typeof key !== 'function')
    throw new UsageError('usage', `key is ${kindOf(key)}: it must be a function`);
  return (kid) => {
    const found = key && keyOf(key, kid);
    if (found?.length !== 0) return found;
    throw new UsageError('usage', `the key ${JSON.stringify(kid)} is empty`, { hint: HOW_NO_KEY });
  };
}

/** The chain that the caller names, and the chains of the configuration in use. */
function chainOf({ chain: name, expectHead, expectCount }: VerifyEpisodeOptions): VerifyOptions['chain'] {
  const { chains: profiles } = formatsInUse();
  if (expectHead !== undefined) requireText('expectHead', expectHead);
  if (expectCount !== undefined) requireCount('expectCount', expectCount);
  if (name === 'none' && (expectHead !== undefined || expectCount !== undefined))
    throw new UsageError('usage', 'the chain none cannot be combined with expectHead or expectCount', {
      hint: 'name the chain, or leave it out',
    });
  if (name !== undefined && name !== 'none') requireChain(name, profiles);
  return { name, profiles, expectHead, expectCount };
}

async function policyOf(options: VerifyEpisodeOptions): Promise<Policy> {
  const { severities = {}, requireSeal = false, requireSignature = false, strict = false } = options;
  // `instanceof Map` would fail for a map of another realm, such as a test runner's.
  const rules = Symbol.iterator in severities ? [...severities] : Object.entries(severities);
  const { maxFindings } = options;
  if (maxFindings !== undefined) requireCount('maxFindings', maxFindings);
  const { requireLevel } = options;
  if (requireLevel !== undefined && !(REQUIRED_LEVELS as readonly string[]).includes(requireLevel))
    throw new UsageError('usage', `${JSON.stringify(requireLevel)} is not a level`, {
      hint: `give one of the levels ${REQUIRED_LEVELS.join(', ')}`,
    });
  const plain = {
    severities: new Map<string, RuledSeverity>(),
    requireSeal,
    requireSignature,
    strict,
    ...(maxFindings !== undefined && { maxFindings }),
  };
  const policy = withLevel(plain, requireLevel);
  if (rules.length === 0) return policy;
  const { requireConsistent, severitiesFrom } = await import('../verify/verify-config.ts');
  return requireConsistent({ ...policy, severities: severitiesFrom(rules) });
}

/** An episode that was recognised by its artifacts, with the other logs in its folder. */
async function withInner(episode: Episode): Promise<Episode> {
  const { dir, owner } = episode;
  if (dir === undefined || owner === undefined) return episode;
  const { episodes } = await searchFolder(dir);
  return episodes.find((found) => found.dir === dir) ?? episode;
}

/** Verifies an episode, or a document whose records are not one per line. */
async function reportOn(
  episode: Episode,
  how: VerifyOptions,
  dialect: DialectName | undefined,
): Promise<EpisodeReport> {
  const whole = await withInner(episode);
  const mount = await mountWhole(whole);
  if (mount === undefined) return verifyTarget(whole, how, dialect);
  try {
    const [opened = whole] = mount.episodes;
    return asMounted(await verifyTarget(opened, how, dialect), mount, how);
  } finally {
    mount.dispose();
  }
}

/**
 * Verifies one episode with every check of `noesis verify` (docs/findings.md), and returns the report. `target` is the
 * episode's directory, its log, its id or a unique prefix of one. Changes no file.
 *
 * @throws NoesisError `log-missing` if a directory has no episode; `config-invalid` for an invalid severity or setting, or
 * one that lowers a finding that no rule may lower; `usage` if a required seal or signature depends on a lowered finding;
 * `target-missing`, `target-ambiguous`, `root-missing`.
 * @throws the file system's error if the log cannot be read.
 */
export async function verifyEpisode(
  target: string,
  options: VerifyEpisodeOptions = {},
): Promise<EpisodeReport> {
  requireKnown(options, OPTIONS);
  const { dialect } = options;
  const policy = await policyOf(options);
  const how: VerifyOptions = {
    policy,
    key: keyRing(options),
    settings: options.settings ?? {},
    chain: chainOf(options),
  };
  return withSettings(options.settings, async () => {
    const episode = await episodeAt(target, options);
    return judged(await reportOn(episode, how, dialect), policy);
  });
}
