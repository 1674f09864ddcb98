import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { UsageError } from '../src/base/errors.ts';
import { forOutput } from '../src/base/json/output.ts';
import { ALGORITHMS, PAIR_ALGORITHM } from '../src/base/keys/algorithms.ts';
import { hasPairKey } from '../src/base/keys/key-pair-marks.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { readKeyFiles, remarkOnShortKey } from '../src/cli/keys/key-files.ts';
import { sayWhoIsWaitedFor } from '../src/cli/terminal/while-waiting.ts';
import type { SealKey } from '../src/dialects/kit/sealing.ts';
import type { EpisodeReport } from '../src/findings/report.ts';
import { escapeText } from '../src/show/render/escape.ts';
import { plural } from '../src/show/render/tally.ts';
import { sealEpisode, signEpisode } from '../src/write/seal.ts';
import { realSystem } from '../src/write/system.ts';
import { existingLog } from '../src/write/target.ts';

interface SealCommandOptions extends GlobalOptions {
  readonly key?: string;
  readonly alg?: string;
  readonly force?: boolean;
}

const SEAL_MORE = `
Writes the same files as the runtime: final.json, manifest.json with the hash of every
file, and summary.json if it is missing. Verifies the episode before and after. seal
refuses a damaged log, and without --force a run that has no terminate event.`;

const withKeyOptions = (command: Command): Command =>
  command
    .option('--key <kid=file>', 'sign with this key: a shared secret or an Ed25519 private key')
    .addOption(
      new Option(
        '--alg <name>',
        'the signature algorithm (default: HS256; Ed25519 for an Ed25519 key)',
      ).choices(ALGORITHMS),
    );

export function addSeal(program: Command, io: Io): void {
  withKeyOptions(
    withExamples(
      program.command('seal'),
      ['seal latest', 'seal the newest run'],
      ['seal latest --force', 'even if it has not ended'],
    )
      .description('seal an episode: write a manifest with the hash of each file')
      .argument('<target>', 'the episode to seal'),
  )
    .option('--force', 'seal a run that has not ended or has errors')
    .addHelpText('after', SEAL_MORE)
    .action(action(io, runSeal));
}

export function addSign(program: Command, io: Io): void {
  withKeyOptions(
    withExamples(
      program.command('sign'),
      ['sign latest --key ops-1=ops.key', 'sign a seal that has no signature'],
      ['sign ep_01KJ --key ops-1=ops.key', 'sign the seal of a run by its id'],
    )
      .description('sign the seal of an unsigned episode')
      .argument('<target>', 'the sealed episode'),
  ).action(action(io, runSign));
}

async function keyOf(
  context: Context,
  { key: option, alg }: SealCommandOptions,
): Promise<SealKey | undefined> {
  if (option === undefined) {
    if (alg === undefined) return undefined;
    throw new UsageError('usage', '--alg needs --key', {
      hint: 'add --key KID=FILE',
    });
  }
  const keys = await readKeyFiles([option], context.io.cwd);
  const [entry] = keys;
  if (entry === undefined) return undefined;
  const [kid, key] = entry;
  const isPair = hasPairKey(key);
  const short = isPair ? undefined : remarkOnShortKey(kid, key);
  if (short !== undefined) await context.say(escapeText(short));
  return { kid, key, alg: alg ?? (isPair ? PAIR_ALGORITHM : 'HS256') };
}

/** Prints the result, as JSON or in a line. */
async function say(context: Context, members: object, line: string): Promise<void> {
  if (context.quiet) return;
  if (context.json) await context.out(`${JSON.stringify(forOutput(members))}\n`);
  else await context.show(`${escapeText(line)}\n`);
}

async function sayVerdict(context: Context, { verdict, findings }: EpisodeReport): Promise<void> {
  if (verdict === 'ok') return;
  const loud = findings.filter(({ severity }) => severity !== 'info').length;
  await context.say(`noesis verify has ${plural(loud, 'finding')} for it, as it did before`);
}

async function runSeal(context: Context, target: string, options: SealCommandOptions): Promise<void> {
  const key = await keyOf(context, options);
  const log = await existingLog(target, context.search, { dialect: context.dialect });
  const { interrupted: signal } = context.io;
  const { written, files, report } = await sealEpisode(
    log,
    { key, force: options.force, signal, onWaiting: sayWhoIsWaitedFor(context) },
    realSystem,
  );
  const { episode, path } = report;
  const signed = key && { kid: key.kid, alg: key.alg };
  await say(
    context,
    { episode, path: resolve(path), written, files, ...(signed && { signed }), verdict: report.verdict },
    `sealed ${episode}: ${plural(files, 'file')} in the manifest; wrote ${written.join(', ')}${signed ? `; signed with ${signed.kid} (${signed.alg})` : ''}`,
  );
  await sayVerdict(context, report);
}

async function runSign(context: Context, target: string, options: SealCommandOptions): Promise<void> {
  const key = await keyOf(context, options);
  if (key === undefined)
    throw new UsageError('usage', 'sign needs a key', { hint: 'give it as --key KID=FILE' });
  const log = await existingLog(target, context.search, { dialect: context.dialect });
  const report = await signEpisode(log, key, realSystem);
  const { episode, path } = report;
  await say(
    context,
    { episode, path: resolve(path), signed: { kid: key.kid, alg: key.alg }, verdict: report.verdict },
    `signed ${episode} with ${key.kid} (${key.alg})`,
  );
  await sayVerdict(context, report);
}
