import { stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Episode } from '../src/discover/find.ts';
import { episodePlaces, episodesIn } from '../src/discover/find.ts';
import { type Config, findConfig, requireRoot } from '../src/discover/root.ts';
import { resolveTarget } from '../src/discover/target.ts';
import { NoesisError, reasonOf } from '../src/errors.ts';
import type { VerifyTarget } from '../src/findings/options.ts';
import { DEFAULT_POLICY, type Policy } from '../src/findings/policy.ts';
import { assembleReport, type EpisodeReport } from '../src/findings/report.ts';
import { spool } from '../src/log/spool.ts';
import { plain as plainStyle } from '../src/render/style.ts';
import { keysInEnvironment } from '../src/verify/keys.ts';
import { usefulJobs, verifyAll } from '../src/verify/pool.ts';
import { optionsOf, type RunSettings } from '../src/verify/run.ts';
import { applyRuleOptions, policyFromConfig, settingsFromConfig } from '../src/verify/verify-config.ts';
import { verifyTarget } from '../src/verify/verify-episode.ts';
import { version } from '../src/version.ts';
import { Context, type GlobalOptions } from './context.ts';
import { wholeNumber } from './event-options.ts';
import { Failed } from './failure.ts';
import { Interrupted, type Io } from './io.ts';
import { readKeyFiles } from './key-files.ts';
import { dialectOfFile } from './open-log.ts';
import { startProgress } from './progress.ts';
import { FORMATS, type FormatName, renderReport, writeStepSummary } from './report-formats.ts';

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

function policyOf(config: Config | undefined, options: VerifyOptions): Policy {
  const base = config ? policyFromConfig(config.path, config.table) : DEFAULT_POLICY;
  const policy = applyRuleOptions(base, options.rule ?? []);
  return {
    ...policy,
    strict: options.strict ?? policy.strict,
    requireSeal: options.requireSeal ?? policy.requireSeal,
    requireSignature: options.requireSignature ?? policy.requireSignature,
    ...(options.maxWarnings !== undefined && { maxWarnings: options.maxWarnings }),
    ...(options.maxFindings !== undefined && { maxFindings: options.maxFindings }),
  };
}

const asTarget = ({ name, dir, log, run }: Episode): VerifyTarget => ({
  name,
  dir,
  log,
  ...(run !== undefined && { run }),
});

async function allUnderRoot(context: Context): Promise<VerifyTarget[]> {
  const root = await requireRoot(context.search);
  const targets: VerifyTarget[] = [];
  for (const { dir } of await episodePlaces(root))
    for (const episode of (await episodesIn(dir)).episodes) targets.push(asTarget(episode));
  if (targets.length > 0) return targets;
  throw new NoesisError('target-missing', `no episode under ${root.dir}: nothing was checked`, {
    place: { file: root.dir },
    hint: 'name a folder, or the root with --root DIR',
  });
}

/** Everything that was named, and what is to be cleaned up afterwards. */
async function targetsOf(
  context: Context,
  names: readonly string[],
): Promise<{ targets: VerifyTarget[]; dispose: () => Promise<void> }> {
  const targets: VerifyTarget[] = [];
  let dispose = async () => {};
  if (names.length === 0) return { targets: await allUnderRoot(context), dispose };
  for (const name of new Set(names)) {
    const target = await resolveTarget(name, context.search);
    if (target.kind === 'stdin') {
      const copy = await spool(context.io.stdin, context.io.tmpDir);
      dispose = copy.dispose;
      targets.push({ name: '-', dir: undefined, log: copy.path, fileName: '-' });
    } else if (target.kind === 'episode') {
      if (
        target.episode.log === undefined &&
        (await episodesIn(target.episode.dir ?? '')).episodes.length === 0
      ) {
        throw new NoesisError('log-missing', `${target.episode.dir} has no event log`, {
          place: { file: target.episode.dir ?? '' },
        });
      }
      const { dir, log, run } = target.episode;
      if (log !== undefined && dir === undefined) await dialectOfFile(context, log, run);
      targets.push(asTarget(target.episode));
    } else {
      if (target.episodes.length === 0) {
        const shown = context.shortPath(target.dir);
        throw new NoesisError('target-missing', `no episode below ${shown}: nothing was checked`, {
          place: { file: target.dir },
          hint: 'an episode is a folder with an event log, such as events.jsonl',
        });
      }
      for (const episode of target.episodes) targets.push(asTarget(episode));
    }
  }
  return { targets, dispose };
}

async function totalBytes(targets: readonly VerifyTarget[]): Promise<number> {
  let total = 0;
  for (const { log } of targets)
    if (log !== undefined)
      total += await stat(log).then(
        ({ size }) => size,
        () => 0,
      );
  return total;
}

async function verifyTargets(
  context: Context,
  targets: readonly VerifyTarget[],
  settings: RunSettings,
  jobs: number,
): Promise<EpisodeReport[]> {
  const [only] = targets;
  if (targets.length === 1 && only) {
    const progress = startProgress(context, 1);
    try {
      const hashWorker = jobs > 1 ? context.io.hashWorkerUrl : undefined;
      return [await verifyTarget(only, { ...optionsOf(settings), hashWorker }, settings.dialect)];
    } finally {
      progress.stop();
    }
  }
  const { workerUrl, interrupted } = context.io;
  const progress = startProgress(context, targets.length);
  try {
    const useful = await usefulJobs(jobs, targets.length, () => totalBytes(targets));
    return await verifyAll(targets, settings, {
      jobs: useful,
      workerUrl,
      signal: interrupted,
      onProgress: progress.update,
    });
  } catch (error) {
    throw interrupted.aborted ? new Interrupted() : error;
  } finally {
    progress.stop();
  }
}

async function writeReport(path: string, pieces: Iterable<string>): Promise<void> {
  try {
    await writeFile(path, pieces);
  } catch (error) {
    throw new NoesisError('usage', `cannot write ${path}: ${reasonOf(error)}`, {
      place: { file: path },
      hint: 'give --output a file in a folder that exists and that you may write to',
      cause: error,
    });
  }
}

async function print(context: Context, pieces: Iterable<string>): Promise<void> {
  for (const piece of pieces) await context.out(piece);
}

/** A log of no known dialect without a line has nothing that could be checked. */
function refuseEmpty(reports: readonly EpisodeReport[]): void {
  const empty = reports.find(
    ({ dialect, events, verdict }) => dialect === 'generic' && events === 0 && verdict === 'ok',
  );
  if (empty === undefined) return;
  const what = empty.path === '-' ? 'standard input' : empty.path;
  throw new NoesisError('log-missing', `${what} is empty: nothing was checked`, {
    place: { file: empty.path },
    hint: '--dialect says what the log should be',
  });
}

async function runVerify(context: Context, names: readonly string[], options: VerifyOptions): Promise<void> {
  const config = await findConfig(context.io.cwd);
  const policy = policyOf(config, options);
  const own = config ? await settingsFromConfig(config.path, config.table) : {};
  const byKid = await readKeyFiles(options.key ?? [], context.io.cwd);
  const keys = { byKid, byVariable: keysInEnvironment(context.io.env) };
  const { targets, dispose } = await targetsOf(context, names);
  let reports: EpisodeReport[];
  try {
    const settings = { policy, keys, dialect: context.dialect, settings: own };
    reports = await verifyTargets(context, targets, settings, options.jobs ?? availableParallelism());
  } finally {
    await dispose();
  }
  refuseEmpty(reports);
  const report = assembleReport(version, reports, policy);

  const format = options.format ?? (context.json ? 'json' : 'pretty');
  const relativeTo = resolve(context.io.cwd);
  const layout = {
    style: await context.style,
    width: context.width,
    relativeTo,
    quiet: context.quiet,
    maxWarnings: policy.maxWarnings,
  };
  if (options.output !== undefined) {
    const path = resolve(context.io.cwd, options.output);
    await writeReport(path, await renderReport(format, report, { ...layout, style: plainStyle }));
    await print(context, await renderReport('pretty', report, layout));
  } else {
    await print(context, await renderReport(format, report, layout));
  }
  if (format === 'github') await writeStepSummary(context.io.env['GITHUB_STEP_SUMMARY'], report, relativeTo);
  if (report.verdict === 'fail') throw new Failed();
}
