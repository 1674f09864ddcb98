import { lstatSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type Configuration, findConfiguration } from '../src/discover/configuration.ts';
import { TargetError } from '../src/errors.ts';
import type { VerifyTarget } from '../src/findings/options.ts';
import { DEFAULT_POLICY, type Policy } from '../src/findings/policy.ts';
import { assembleReport, type EpisodeReport, type VerifyReport } from '../src/findings/report.ts';
import { escapeText } from '../src/render/escape.ts';
import { plain as plainStyle } from '../src/render/style.ts';
import { keysInEnvironment } from '../src/verify/keys.ts';
import { usefulJobs, verifyAll } from '../src/verify/pool.ts';
import { optionsOf, type RunSettings } from '../src/verify/run.ts';
import { applyRuleOptions, policyFromSettings, requireConsistent } from '../src/verify/verify-config.ts';
import { verifyTarget } from '../src/verify/verify-episode.ts';
import { version } from '../src/version.ts';
import { Context, type GlobalOptions } from './context.ts';
import { wholeNumber } from './event-options.ts';
import { Failed } from './failure.ts';
import { Interrupted, type Io, PipeClosed } from './io.ts';
import { readKeyFiles, remarkOnShortKeys } from './key-files.ts';
import { startProgress } from './progress.ts';
import { FORMATS, type FormatName, renderReport, writeStepSummary } from './report-formats.ts';
import { targetsOf, totalBytes } from './verify-targets.ts';
import { refuseTargetAsOutput, writeReport } from './write-report.ts';

interface VerifyOptions extends GlobalOptions {
  readonly format?: FormatName;
  readonly output?: string;
  readonly strict?: boolean;
  readonly maxWarnings?: number;
  readonly maxFindings?: number;
  readonly rule?: string[];
  readonly key?: string[];
  readonly requireSeal?: boolean;
  readonly requireSignature?: boolean;
  readonly jobs?: number;
}

const MORE = `
Keys:
  NOESIS_MANIFEST_KEY_<KID> in the environment holds the secret of key <KID>: in
  upper case, with _ for every other character. --key names a file instead.

Configuration, from the nearest noesis.toml or .noesis.toml:
  [verify]
  strict = true           as --strict; also require_seal, require_signature
  max_warnings = 10       as --max-warnings
  [verify.rules]
  "manifest/*" = "warn"   as --rule
  [exarchos]
  custom_types = ["a.b"]  types of your own, beside the built-in ones`;

const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value];

export function addVerify(program: Command, io: Io): void {
  program
    .command('verify')
    .description('check that episodes can be trusted; without a target, all under the root')
    .argument('[target...]')
    .addHelpText('after', MORE)
    .addOption(new Option('-f, --format <name>', 'how the report is written').choices(FORMATS))
    .option('-o, --output <file>', 'write it there, and keep the readable report on the terminal')
    .option('--strict', 'a warning fails too')
    .option('--max-warnings <n>', 'more warnings than this fail', wholeNumber(0))
    .option(
      '--max-findings <n>',
      'so many findings of a code are kept of an episode, the others counted; 0 keeps all',
      wholeNumber(0),
    )
    .option(
      '--rule <code=severity>',
      'change a severity: off, info, warn, error; codes accept globs (repeatable)',
      collect,
    )
    .option('--key <kid=file>', 'an HMAC secret for manifest signatures (repeatable)', collect)
    .option('--require-seal', 'an unsealed episode fails')
    .option('--require-signature', 'an unsigned episode fails')
    .option('--jobs <n>', 'threads at work at a time (default: the cores)', wholeNumber(1))
    .action((targets: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<VerifyOptions>();
      return runVerify(new Context(io, options), targets, options);
    });
}

function policyOf(config: Configuration | undefined, options: VerifyOptions): Policy {
  const base = config ? policyFromSettings(config.verify, config.path) : DEFAULT_POLICY;
  const policy = applyRuleOptions(base, options.rule ?? []);
  return requireConsistent({
    ...policy,
    strict: options.strict ?? policy.strict,
    requireSeal: options.requireSeal ?? policy.requireSeal,
    requireSignature: options.requireSignature ?? policy.requireSignature,
    ...(options.maxWarnings !== undefined && { maxWarnings: options.maxWarnings }),
    ...(options.maxFindings !== undefined && { maxFindings: options.maxFindings }),
  });
}

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

async function verifyTargets(
  context: Context,
  targets: readonly VerifyTarget[],
  settings: RunSettings,
  jobs: number,
): Promise<EpisodeReport[]> {
  const { workerUrl, hashWorkerUrl, interrupted } = context.io;
  const progress = startProgress(context, targets.length);
  try {
    const useful = await usefulJobs(jobs, targets.length, () => totalBytes(targets));
    const [only] = targets;
    // A single target that cannot be read is no finding: there is nothing to go on with.
    if (useful === 0 && targets.length === 1 && only)
      return [await verifyTarget(only, optionsOf(settings), settings.dialect)];
    if (targets.length === 1 && only?.log !== undefined && !isLink(only.log))
      await access(only.log, constants.R_OK);
    const spare = targets.length === 1 && jobs > 1 ? hashWorkerUrl?.href : undefined;
    return await verifyAll(
      targets,
      { ...settings, hashWorker: spare },
      { jobs: useful, workerUrl, signal: interrupted, onProgress: progress.update },
    );
  } catch (error) {
    throw interrupted.aborted ? new Interrupted() : error;
  } finally {
    progress.stop();
  }
}

/** A reader that goes away does not change the verdict. */
async function print(context: Context, format: FormatName, pieces: Iterable<string>): Promise<void> {
  try {
    for (const piece of pieces) await (format === 'pretty' ? context.show(piece) : context.out(piece));
  } catch (error) {
    if (!(error instanceof PipeClosed)) throw error;
  }
}

/** A gate that looked at no event must not pass. */
function refuseEmpty({ summary, verdict, episodes }: VerifyReport): void {
  if (summary.events > 0 || verdict === 'fail') return;
  const [only] = episodes;
  const what =
    episodes.length !== 1 || only === undefined
      ? `none of ${episodes.length} episodes holds an event`
      : `${only.path === '-' ? 'standard input' : only.path} holds no event`;
  throw new TargetError('log-missing', `${what}: nothing was checked`, {
    place: { file: only?.path ?? '' },
    hint: 'a run that died before its first event leaves an empty log',
  });
}

async function runVerify(context: Context, names: readonly string[], options: VerifyOptions): Promise<void> {
  const config = await findConfiguration(context.io.cwd);
  const policy = policyOf(config, options);
  const byKid = await readKeyFiles(options.key ?? [], context.io.cwd);
  const keys = { byKid, byVariable: keysInEnvironment(context.io.env) };
  const shortKeys = remarkOnShortKeys(keys, policy.requireSignature);
  if (shortKeys !== undefined) await context.say(escapeText(shortKeys));
  const output = options.output === undefined ? undefined : resolve(context.io.cwd, options.output);
  const { targets, dispose } = await targetsOf(context, names);
  let reports: EpisodeReport[];
  try {
    if (output !== undefined) await refuseTargetAsOutput(output, targets);
    const settings = { policy, keys, dialect: context.dialect, settings: config?.dialects ?? {} };
    // More threads than cores only take memory.
    const cores = availableParallelism();
    reports = await verifyTargets(context, targets, settings, Math.min(options.jobs ?? cores, cores));
  } finally {
    await dispose();
  }
  const report = assembleReport(version, reports, policy);
  refuseEmpty(report);

  const format = options.format ?? (context.json ? 'json' : 'pretty');
  const relativeTo = resolve(context.io.cwd);
  const layout = {
    style: await context.style,
    width: context.width,
    relativeTo,
    quiet: context.quiet,
    maxWarnings: policy.maxWarnings,
  };
  if (output !== undefined) {
    await writeReport(output, await renderReport(format, report, { ...layout, style: plainStyle }));
    await print(context, 'pretty', await renderReport('pretty', report, layout));
  } else {
    await print(context, format, await renderReport(format, report, layout));
  }
  if (format === 'github') await writeStepSummary(context.io.env['GITHUB_STEP_SUMMARY'], report, relativeTo);
  if (report.verdict === 'fail') throw new Failed();
}
