import { accessSync, constants, lstatSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { UsageError } from '../src/base/errors.ts';
import { sizeOf } from '../src/base/files/paths.ts';
import { action, type Context } from '../src/cli/context.ts';
import { Failed, needs } from '../src/cli/failure.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import { CONFIGURATION } from '../src/cli/help/topics.ts';
import { Interrupted, type Io } from '../src/cli/io.ts';
import { readKeyFiles } from '../src/cli/keys/key-files.ts';
import { byteSize, repeated, wholeNumber } from '../src/cli/option-values.ts';
import { prepareAttestation, runAttestationCheck } from '../src/cli/report/attestation.ts';
import { baselineFile, readBaseline } from '../src/cli/report/baseline.ts';
import { CacheRun, withCache } from '../src/cli/report/cache-options.ts';
import { WhatWasChecked } from '../src/cli/report/nothing-checked.ts';
import { formatOf, outputOf } from '../src/cli/report/print-report.ts';
import { FORMATS } from '../src/cli/report/report-formats.ts';
import { areLong, threadsWanted, usefulThreads } from '../src/cli/report/threads.ts';
import { VerifyJobs } from '../src/cli/report/verify-jobs.ts';
import {
  type ReportSink,
  requireFitting,
  streamReport,
  type VerifyOptions,
  wholeReport,
} from '../src/cli/report/verify-report.ts';
import { refuseTargetAsOutput } from '../src/cli/report/write-report.ts';
import { type Targets, targetsOf } from '../src/cli/targets/find-targets.ts';
import { ALL_RUNS, streamOption, withManyTargets } from '../src/cli/targets/target-options.ts';
import { startCounting, startProgress } from '../src/cli/terminal/progress.ts';
import { formatsInUse } from '../src/dialects/registry.ts';
import { hasPackedParts } from '../src/find/compressed-log.ts';
import { type Configuration, findConfiguration } from '../src/find/configuration.ts';
import { plainFile } from '../src/find/episode.ts';
import { mayBeDocument } from '../src/find/require-log.ts';
import { isInStore } from '../src/find/stores.ts';
import { requireChain } from '../src/findings/chains/choose.ts';
import { REQUIRED_LEVELS } from '../src/findings/level.ts';
import type { VerifyTarget } from '../src/findings/options.ts';
import { DEFAULT_POLICY, type Policy, withLevel } from '../src/findings/policy.ts';
import { escapeText } from '../src/show/render/escape.ts';
import { BytesRead } from '../src/verify/bytes-read.ts';
import { keysInEnvironment } from '../src/verify/keys.ts';
import { verifyEach } from '../src/verify/pool.ts';
import { configurationOf, reportPolicy } from '../src/verify/report-policy.ts';
import { optionsOf, type RunSettings } from '../src/verify/run.ts';
import { applyRuleOptions, policyFromSettings, requireConsistent } from '../src/verify/verify-config.ts';
import { verifyTarget } from '../src/verify/verify-episode.ts';

const MORE = `
Keys:
  NOESIS_MANIFEST_KEY_<KID> holds the secret of key KID. Write KID in upper case, with _ for every character that is not a letter or digit. --key reads the secret from a file. For signed records, --key =FILE is the key of those whose key you do not name: PEM, a JWK or a set of JWKs, hex, base64url, or a secret.

${CONFIGURATION}`;

/** Options that have no effect if nothing is verified. */
const OF_VERIFICATIONS = [
  'attest',
  'attestKey',
  'baseline',
  'cache',
  'cacheMode',
  'chain',
  'expectCount',
  'expectHead',
  'format',
  'key',
  'maxFindings',
  'maxWarnings',
  'output',
  'rule',
  'subset',
  'views',
  'writeBaseline',
];

export function addVerify(program: Command, io: Io): void {
  const command = withExamples(
    program.command('verify'),
    ['verify runs/', 'every run below a folder'],
    ['verify latest --strict', 'fail on warnings too'],
    ['verify -f sarif -o noesis.sarif', 'for code scanning'],
  )
    .description('check that runs can be trusted')
    .argument('[target...]', ALL_RUNS)
    .addHelpText('after', MORE)
    .addOption(streamOption())
    .addOption(new Option('-f, --format <name>', 'output format of the report').choices(FORMATS))
    .option('-o, --output <file>', 'write the report to this file; the terminal shows the readable report')
    .option('--views <dir>', 'with -f html: write a page for each run to this folder')
    .option('--strict', 'fail on warnings too')
    .option('--max-warnings <n>', 'fail on more than n warnings', wholeNumber(0))
    .option(
      '--max-findings <n>',
      'keep at most n findings per code and run; the rest are only counted (0: keep all)',
      wholeNumber(0),
    )
    .option(
      '--rule <code=severity>',
      'set a severity: off, info, warn or error; codes accept globs (repeatable)',
      repeated,
    )
    .option(
      '--key <kid=file>',
      'check signatures of manifests and records with this secret or public key (repeatable)',
      repeated,
    )
    .option('--chain <name>', 'check the records as this chain; none: check no chain (noesis help chains)')
    .option('--expect-head <hash>', 'fail unless the last record of the chain has this hash')
    .option('--expect-count <n>', 'fail unless the chain has n records', wholeNumber(0))
    .option('--attest <file>', 'write a signed attestation of the verdict and of every file (in-toto, DSSE)')
    .option('--attest-key <file>', 'sign with this private key (noesis keygen makes one)')
    .addOption(
      new Option(
        '--attestation <file>',
        'check the files against this attestation instead of running the checks',
      ).conflicts(OF_VERIFICATIONS),
    )
    .option('--trust <file>', 'accept signatures of this public key (repeatable)', repeated)
    .option('--require-seal', 'fail on unsealed runs (--require-level sealed)')
    .option('--require-signature', 'fail on unsigned runs (--require-level signed)')
    .addOption(
      new Option('--require-level <level>', 'fail on runs below this level').choices(REQUIRED_LEVELS),
    )
    .option('--tar <file>', 'read a tar of runs, compressed or not (-: standard input)')
    .option(
      '--max-unpacked <size>',
      'unpack at most this much of an archive (default: half of the free space for temporary files, at most 64G)',
      byteSize,
    )
    .option(
      '--baseline <file>',
      'ignore findings listed in this file; errors that mean a damaged or altered log are never ignored',
    )
    .option('--write-baseline', 'with --baseline: write the present findings to the file')
    .option('--jobs <n>', 'use at most n threads (default: the number of cores)', wholeNumber(1));
  withManyTargets(withCache(command)).action(action(io, runVerify));
}

function policyOf(config: Configuration | undefined, options: VerifyOptions): Policy {
  const base = config ? policyFromSettings(config.verify, config.path) : DEFAULT_POLICY;
  const policy = applyRuleOptions(base, options.rule ?? []);
  const asked: Policy = {
    ...policy,
    strict: options.strict ?? policy.strict,
    requireSeal: options.requireSeal ?? policy.requireSeal,
    requireSignature: options.requireSignature ?? policy.requireSignature,
    ...(options.maxWarnings !== undefined && { maxWarnings: options.maxWarnings }),
    ...(options.maxFindings !== undefined && { maxFindings: options.maxFindings }),
  };
  const { requireLevel = policy.requireLevel } = options;
  if (requireLevel === 'anchored' && options.attestation === undefined)
    throw new UsageError('usage', 'only --attestation reaches the level anchored', {
      hint: 'add --attestation FILE --trust FILE, or require the level signed',
    });
  return requireConsistent(withLevel(asked, requireLevel));
}

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/** The threads and sources of a verification. */
interface Run {
  readonly targets: Targets;
  readonly maxUnpacked: number | undefined;
  readonly settings: RunSettings;
  readonly jobs: number;
  readonly sink: ReportSink;
}

/** With fewer episodes, progress counts bytes, because one may take minutes. */
const FEW_EPISODES = 16;

/** The total size of the logs as stored. */
const logBytes = (targets: readonly VerifyTarget[]): number =>
  targets
    .flatMap(({ log, parts = [] }) => [log ?? [], parts].flat())
    .reduce((sum, path) => sum + sizeOf(path), 0);

/** Shows progress in episodes, or in bytes of their logs. */
function verifyProgress(context: Context, targets: readonly VerifyTarget[]) {
  const doing = 'verifying';
  if (targets.length < FEW_EPISODES && targets.every(({ packed }) => packed === undefined)) {
    const read = new BytesRead();
    const work = { doing, unit: 'bytes', total: logBytes(targets) };
    const { stop } = startCounting(context, work, () => read.total);
    return { bytesRead: read.memory, onEpisode: () => {}, stop };
  }
  const { update, stop } = startProgress(context, { doing, unit: 'runs', total: targets.length });
  return { bytesRead: undefined, onEpisode: update, stop };
}

async function verifyTargets(context: Context, run: Run): Promise<void> {
  const { settings, jobs, sink } = run;
  const { targets, part, input } = run.targets;
  const { workerUrl, hashWorkerUrl, interrupted } = context.io;
  const progress = verifyProgress(context, targets);
  try {
    const [only] = targets;
    const useful = await usefulThreads(jobs, targets);
    if (useful > 0 && areLong(targets)) context.io.readsMuch?.();
    const isOne = targets.length === 1 && part === undefined && only?.packed === undefined;
    // If the only target cannot be read, that is an error instead of a finding.
    const file = only && plainFile(only);
    const isPlain =
      only?.log !== undefined &&
      (input === undefined || input.layers.length === 0) &&
      !hasPackedParts(only) &&
      !(file && mayBeDocument(file, basename(file)));
    const spare = isOne && jobs > 1 ? hashWorkerUrl?.href : undefined;
    const counted = { ...settings, hashWorker: spare, bytesRead: progress.bytesRead };
    if (useful === 0 && isOne && isPlain && settings.cache === undefined) {
      const report = await verifyTarget(only, optionsOf(counted, interrupted), settings.dialect);
      interrupted.throwIfAborted();
      return await sink({ report });
    }
    if (isOne && only?.log !== undefined && !isLink(only.log) && !isInStore(only.log))
      accessSync(only.log, constants.R_OK);
    await verifyEach(
      new VerifyJobs(context, run.targets, settings, { maxUnpacked: run.maxUnpacked }),
      counted,
      { jobs: useful, workerUrl, signal: interrupted, onProgress: progress.onEpisode },
      sink,
    );
  } catch (error) {
    throw interrupted.aborted ? new Interrupted() : error;
  } finally {
    progress.stop();
  }
}

/** The options about chains. Throws `usage` for an unknown name. */
function chainOf({ chain: name, expectHead, expectCount }: VerifyOptions): RunSettings['chain'] {
  if (name !== undefined && name !== 'none') requireChain(name, formatsInUse().chains);
  if (name === 'none' && (expectHead !== undefined || expectCount !== undefined))
    throw new UsageError('usage', '--chain none cannot be combined with --expect-head or --expect-count', {
      hint: 'remove one of the two options',
    });
  return { name, expectHead, expectCount };
}

async function runVerify(context: Context, names: readonly string[], options: VerifyOptions): Promise<void> {
  if (options.trust && options.attestation === undefined) throw needs('--trust', '--attestation');
  const config = await findConfiguration(context.search);
  const policy = policyOf(config, options);
  if (options.attestation !== undefined) return runAttestationCheck(context, names, options, policy);
  const byKid = await readKeyFiles(options.key ?? [], context.io.cwd);
  const keys = { byKid, byVariable: keysInEnvironment(context.io.env) };
  const baseline = baselineFile(context, options);
  // A seal, a shard or a baseline of a part would later be taken for one of all.
  const isForAll = [options.attest, options.shard, options.writeBaseline].every((one) => one === undefined);
  await using found = await targetsOf(context, names, {
    ...options,
    withPassedOver: true,
    keepsFound: isForAll,
  });
  const how = {
    policy,
    keys,
    dialect: context.dialect,
    settings: config?.dialects ?? {},
    formats: formatsInUse(),
    chain: chainOf(options),
  };
  const jobs = threadsWanted(options.jobs);
  const output = outputOf(context, options);
  if (output !== undefined) await refuseTargetAsOutput(output, found.targets);
  const format = formatOf(context, options);
  if (baseline !== undefined) await requireFitting(baseline, format, options, found.targets);
  const accepted = baseline === undefined || options.writeBaseline ? undefined : await readBaseline(baseline);
  const attest = await prepareAttestation(context, options, found.targets, policy);
  if (attest && format === 'ndjson') throw new UsageError('usage', '--attest does not work with -f ndjson');
  const { maxUnpacked } = options;
  const cache = await CacheRun.open(context, options, found, how);
  const settings = { ...how, cache: cache?.settings };
  const targets = cache?.targets ?? found;
  const verify = (sink: ReportSink) =>
    verifyTargets(context, {
      targets,
      settings,
      jobs,
      maxUnpacked,
      sink: (verified) => (cache === undefined || cache.take(verified) ? sink(verified) : undefined),
    });
  const report = {
    policy: reportPolicy(settings),
    configuration: config && configurationOf(config, policy, context.takeUsed().runsDir),
    shard: found.part?.shard,
    cache,
    accepted,
    baseline,
    checked: new WhatWasChecked(
      found.names.map((name) => (name === '-' ? name : resolve(context.io.cwd, name))),
    ),
  };
  if (options.views !== undefined && format !== 'html')
    throw new UsageError('usage', '--views needs -f html', {
      hint: 'add -f html',
    });
  const [missing, ...others] = found.missing ?? [];
  for (const { message } of others) await context.say(escapeText(message));
  try {
    if (format === 'ndjson') await streamReport(context, options, report, verify);
    else
      await wholeReport(
        context,
        { ...options, format },
        { ...report, attest, targets: found.targets },
        verify,
      );
  } catch (error) {
    if (missing === undefined) throw error;
    // A target that was not verified weighs more than what was found in the others.
    if (!(error instanceof Failed)) {
      await context.say(escapeText(missing.message));
      throw error;
    }
  }
  if (missing !== undefined) throw missing;
}
