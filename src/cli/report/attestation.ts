import { relative, resolve, sep } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { readGivenFile } from '../../base/files/given-file.ts';
import { requirePrivateKey } from '../../base/keys/ed25519.ts';
import { SHARED_SEVERITIES } from '../../findings/catalogue-severities.ts';
import type { PassedOver, VerifyTarget } from '../../findings/options.ts';
import { type Policy, severityFor } from '../../findings/policy.ts';
import type { VerifyReport } from '../../findings/report.ts';
import { escapeText } from '../../show/render/escape.ts';
import { plural } from '../../show/render/tally.ts';
import type { AttestationProblem } from '../../verify/attest/attestation.ts';
import type { Context } from '../context.ts';
import { Failed } from '../failure.ts';
import { readKeyFile, trustedKeys } from '../keys/key-files.ts';
import { targetsOf } from '../targets/find-targets.ts';
import type { ManyTargetsOptions } from '../targets/target-options.ts';
import type { CacheOptions } from './cache-options.ts';
import { pathToWrite, refuseTargetAsOutput, writeReport } from './write-report.ts';

/** The attestation options of `verify`. */
export interface AttestationOptions {
  readonly attest?: string;
  readonly attestKey?: string;
  readonly attestation?: string;
  readonly trust?: string[];
}

/** Writes the attestation of a verification. */
export type Attester = (report: VerifyReport) => Promise<void>;

/** Throws `usage` if the attestation could list a file that the verification did not read. */
function requireWholeVerdict({ cache, cacheMode = 'stat', subset }: CacheOptions): void {
  if (subset !== undefined)
    throw new UsageError(
      'usage',
      '--attest cannot be combined with --subset: some of the targets are not verified',
      {
        hint: 'remove --subset',
      },
    );
  if (cache !== undefined && cacheMode === 'stat')
    throw new UsageError(
      'usage',
      '--attest cannot be combined with --cache-mode stat: bytes are not read again',
      {
        hint: 'use --cache-mode hash',
      },
    );
}

/** Throws `usage` for an episode in an archive, because an attestation has the hash of the archive only. */
function requireWholeArchives(option: string, targets: readonly VerifyTarget[]): void {
  const part = targets.find(({ inside }) => inside !== undefined);
  if (part !== undefined)
    throw new UsageError('usage', `${option} takes a whole archive, and ${part.name} is a part of one`, {
      hint: 'name the archive itself',
    });
}

/**
 * Prepares an attestation. Lists the files before verification, so that changes during it are noticed.
 * Undefined unless requested. Throws `usage`.
 */
export async function prepareAttestation(
  context: Context,
  { attest: file, attestKey, ...cache }: AttestationOptions & CacheOptions,
  targets: readonly VerifyTarget[],
  policy: Policy,
): Promise<Attester | undefined> {
  if (file === undefined && attestKey === undefined) return undefined;
  if (file === undefined || attestKey === undefined) {
    throw new UsageError(
      'usage',
      file === undefined
        ? '--attest-key also needs --attest FILE, for the attestation'
        : '--attest also needs --attest-key FILE, a private key',
      {
        hint: 'run noesis keygen NAME to make a pair of keys; NAME.key signs',
      },
    );
  }
  requireWholeVerdict(cache);
  requireWholeArchives('--attest', targets);
  const { cwd } = context.io;
  const key = requirePrivateKey(await readKeyFile(attestKey, cwd), attestKey);
  const output = pathToWrite(cwd, '--attest', file);
  if (output === resolve(cwd, attestKey))
    throw new UsageError('usage', '--attest and --attest-key name the same file', {
      hint: 'give another file to --attest; the key would be lost',
    });
  await refuseTargetAsOutput(output, targets);
  const { attest } = await import('../../verify/attest/attestation.ts');
  const { hashSubjects, listSubjects } = await import('../../verify/attest/subjects.ts');
  const subjects = listSubjects(targets);
  return async (report) => {
    const envelope = attest(report, policy, await hashSubjects(subjects), context.io.now(), key);
    await writeReport(output, [`${JSON.stringify(envelope)}\n`]);
  };
}

const WORDS: Readonly<Record<Exclude<AttestationProblem['kind'], 'unasked'>, string>> = {
  changed: 'has changed since it was verified',
  missing: 'was verified, and no longer exists',
  added: 'was not among the verified files',
  unattested: 'is not in the attestation',
};

/** `--require-seal` for `requireSeal`. */
const optionOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const problemText = ({ kind, name }: AttestationProblem): string =>
  kind === 'unasked'
    ? `the attested verification did not use ${optionOf(name)}`
    : `${escapeText(name)} ${WORDS[kind]}`;

/** Files that may belong to episodes but are not in any. */
const namesOfPassedOver = (passedOver: PassedOver | undefined): readonly string[] =>
  passedOver?.files.map((path) => relative(passedOver.folder, path).replaceAll(sep, '/')) ?? [];

/** Whether a verification with unverified files would pass. */
function mayPassOver(policy: Policy): boolean {
  const { requireLevel, strict } = policy;
  const usual = strict ? 'warn' : undefined;
  const severity = severityFor(policy, SHARED_SEVERITIES, 'verify/not-verified', usual);
  return requireLevel === undefined && severity !== 'error' && !(strict && severity === 'warn');
}

/**
 * `verify --attestation`: compares the files with those that a trusted signer verified, and returns the
 * verdict.
 */
export async function runAttestationCheck(
  context: Context,
  names: readonly string[],
  options: AttestationOptions & ManyTargetsOptions,
  policy: Policy,
): Promise<void> {
  const { attestation: file = '', trust = [] } = options;
  const { checkAttestation, openAttestation } = await import('../../verify/attest/attestation.ts');
  const { cwd } = context.io;
  const keys = await trustedKeys('attestation', trust, cwd);
  const statement = openAttestation((await readGivenFile(resolve(cwd, file))).toString(), keys);
  await using found = await targetsOf(context, names, { ...options, withPassedOver: true });
  const { targets: all } = found;
  requireWholeArchives('--attestation', all);
  const passedOver = all.flatMap(({ passedOver }) => namesOfPassedOver(passedOver));
  const targets = all.filter((target) => target.passedOver === undefined);
  const check = await checkAttestation(statement, targets, policy);
  const { tool, verifiedAt, policy: then } = statement.predicate;
  const rules = Object.keys(then.rules).length;
  const isSame = check.fits && check.verdict !== 'fail';
  const level = isSame && passedOver.length === 0 ? 'anchored' : 'none';
  const passes =
    isSame && !(policy.strict && check.absent.length > 0) && (passedOver.length === 0 || mayPassOver(policy));
  if (context.json) {
    const document = {
      schema: 'noesis.attestation-check/1',
      ...check,
      notVerified: passedOver,
      level,
      rules,
      tool,
      verifiedAt,
    };
    await context.printJson(document);
  } else {
    const [only, ...others] = check.problems.map(problemText);
    const fit =
      only === undefined
        ? `${plural(check.files, 'file')} unchanged`
        : others.length === 0
          ? only
          : plural(check.problems.length, 'difference');
    const lines = [
      `${passes ? 'ok  ' : 'fail'}  ${fit}; level ${level}`,
      ...(others.length === 0 ? [] : [only, ...others].map((text) => `  ${text}`)),
      `  attested: verdict ${check.verdict}, ${escapeText(`${tool.name} ${tool.version}`)}, ${escapeText(verifiedAt)}`,
      ...check.absent.map((name) => `  ${escapeText(name)} was verified too, but is not among the targets`),
      ...passedOver.map((name) => `  ${escapeText(name)} is not a run, and was not verified`),
      ...(rules > 0 ? [`  ${plural(rules, 'rule')} changed when it was verified`] : []),
    ];
    await context.show(`${lines.join('\n')}\n`);
  }
  if (!passes) throw new Failed();
}
