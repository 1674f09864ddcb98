import { closeSync, existsSync, readSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { UsageError } from '../src/base/errors.ts';
import { openGivenFile, readGivenFile } from '../src/base/files/given-file.ts';
import { requirePrivateKey } from '../src/base/keys/ed25519.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { Failed, needs } from '../src/cli/failure.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { readKeyFile, trustedKeys } from '../src/cli/keys/key-files.ts';
import { repeated } from '../src/cli/option-values.ts';
import {
  guardedIn,
  openReport,
  pathToWrite,
  refuseTargetAsOutput,
  writeReport,
} from '../src/cli/report/write-report.ts';
import { notOneRun, type OpenLog, openLog } from '../src/cli/targets/open-log.ts';
import { streamOption } from '../src/cli/targets/target-options.ts';
import type { CheckedCheckpointOutput, TakenCheckpointOutput } from '../src/read/outputs/checkpoint.ts';
import { escapeText } from '../src/show/render/escape.ts';
import { plural } from '../src/show/render/tally.ts';
import {
  type Checkpoint,
  checkExtension,
  type Extension,
  openCheckpoint,
  signCheckpoint,
  type TakenCheckpoint,
  takeCheckpoint,
} from '../src/verify/attest/checkpoint.ts';
import { Leaves, type ReadAt } from '../src/verify/attest/leaves.ts';
import { verifierKey } from '../src/verify/attest/note.ts';

interface CheckpointOptions extends GlobalOptions {
  readonly output?: string;
  readonly key?: string;
  readonly origin?: string;
  readonly leaves?: boolean;
  readonly verify?: string;
  readonly trust?: string[];
}

/** The file of the line hashes, which is next to the checkpoint. */
const leavesOf = (file: string): string => `${file}.leaves`;

const MORE = `
A checkpoint is a C2SP tlog-checkpoint: the number of whole lines and their RFC
6962 root, signed with Ed25519. Keep it where the writer of the log cannot change
it. FILE.leaves has the hash of each line. With it, --verify names the first changed
line. Without it, --verify only reports that there is a change.`;

/** Options that have no effect when a checkpoint is compared. */
const OF_SIGNING = ['output', 'key', 'leaves'];

export function addCheckpoint(program: Command, io: Io): void {
  withExamples(
    program.command('checkpoint'),
    ['checkpoint latest -o then.ckpt --key ops.key', 'sign the present contents of the log'],
    ['checkpoint latest --verify then.ckpt --trust ops.pub', 'prove that it has only grown since'],
  )
    .description('sign the contents of a log, or prove that it has only grown since')
    .argument('<target>', 'a run (id, beginning of an id, path or `latest`) or a log')
    .addOption(streamOption())
    .option('-o, --output <file>', 'write the checkpoint to this file')
    .option('--key <file>', 'sign with this private key (noesis keygen makes one)')
    .option('--origin <name>', 'the name of the log in the checkpoint (default: the name of its folder)')
    .option('--no-leaves', 'do not write the hash of each line to FILE.leaves')
    .addOption(new Option('--verify <file>', 'compare the log with this checkpoint').conflicts(OF_SIGNING))
    .option('--trust <file>', 'accept signatures of this public key (repeatable)', repeated)
    .addHelpText('after', MORE)
    .action(
      action(io, (context, target: string, options: CheckpointOptions) =>
        options.verify === undefined
          ? runTake(context, target, options)
          : runVerify(context, target, options.verify, options),
      ),
    );
}

/** A checkpoint covers a whole file, not one of its runs. */
async function openWhole(context: Context, target: string): Promise<OpenLog> {
  const log = await openLog(context, target);
  if (log.run === undefined) return log;
  await log[Symbol.asyncDispose]();
  throw notOneRun('a checkpoint covers', context.shortPath(log.path));
}

/** Takes a checkpoint and writes the line hashes meanwhile, because a log may have millions of lines. */
async function takeWithLeaves(
  log: string,
  origin: string,
  leaves: string | undefined,
): Promise<TakenCheckpoint> {
  if (leaves === undefined) return takeCheckpoint(log, origin);
  await using writer = await openReport(leaves);
  const taken = await takeCheckpoint(log, origin, writer.write);
  await writer.commit();
  return taken;
}

async function runTake(context: Context, target: string, options: CheckpointOptions): Promise<void> {
  if (options.output === undefined || options.key === undefined) {
    throw new UsageError(
      'usage',
      'a checkpoint is signed and written to a file: it needs --key and --output',
      {
        hint: 'run noesis checkpoint <target> -o FILE --key NAME.key; or --verify FILE to check one',
      },
    );
  }
  if (options.trust) throw needs('--trust', '--verify');
  const output = pathToWrite(context.io.cwd, '--output', options.output);
  const key = requirePrivateKey(await readKeyFile(options.key, context.io.cwd), options.key);
  if (output === resolve(context.io.cwd, options.key))
    throw new UsageError('usage', '--output and --key name the same file', {
      hint: 'give another file to --output; the key would be lost',
    });
  await using log = await openWhole(context, target);
  for (const file of [output, leavesOf(output)]) await refuseTargetAsOutput(file, [guardedIn(log)]);
  const origin = options.origin ?? log.name;
  const taken = await takeWithLeaves(
    log.path,
    origin,
    options.leaves === false ? undefined : leavesOf(output),
  );
  await writeReport(output, [signCheckpoint(taken, key)]);
  const verifier = verifierKey(origin, key);
  const root = taken.root.toString('base64');
  if (context.json) {
    const { size, uncovered } = taken;
    const document: TakenCheckpointOutput = {
      schema: 'noesis.checkpoint/1',
      origin,
      size,
      root,
      uncovered,
      verifierKey: verifier,
    };
    return await context.printJson(document);
  }
  await context.show(
    [
      `checkpoint  ${escapeText(context.shortPath(output))}`,
      `origin      ${escapeText(origin)}`,
      `lines       ${taken.size}`,
      `root        ${root}`,
      `key         ${escapeText(verifier)}`,
      '',
    ].join('\n'),
  );
  if (taken.uncovered > 0)
    await context.say(
      `${plural(taken.uncovered, 'byte')} after the last newline are not covered: the line is incomplete`,
    );
}

/** Explains how a log differs from its checkpoint. */
function whatChanged({ now, line, lost }: Extract<Extension, { extends: false }>, size: number): string {
  if (lost !== undefined)
    return `the ${lost === 'newline' ? 'newline at the ' : ''}end of line ${line} is gone`;
  if (line !== undefined && line > now.size)
    return `line ${line} is gone: the log has ${plural(now.size, 'line')}`;
  if (line !== undefined) return `line ${line} has changed`;
  if (now.size < size) return `the log has ${plural(now.size, 'line')}, and had ${size}`;
  return `one of the first ${plural(size, 'line')} has changed`;
}

/** Compares a log with a checkpoint, and with its line hashes if that file exists. */
async function compareWith(log: string, then: Checkpoint, leaves: string): Promise<Extension> {
  if (!existsSync(leaves)) return checkExtension(log, then);
  const { file, bytes } = openGivenFile(leaves);
  try {
    const read: ReadAt = (into, at) => readSync(file, into, 0, into.length, at);
    return await checkExtension(log, then, new Leaves(bytes, read));
  } finally {
    closeSync(file);
  }
}

/** A checkpoint may name a log by its own path or by its episode. */
const namesOf = ({ name, path }: OpenLog): string[] => [name, basename(path), basename(dirname(path))];

async function runVerify(
  context: Context,
  target: string,
  file: string,
  options: CheckpointOptions,
): Promise<void> {
  const keys = await trustedKeys('checkpoint', options.trust ?? [], context.io.cwd);
  const path = resolve(context.io.cwd, file);
  const then = openCheckpoint((await readGivenFile(path)).toString(), keys, context.shortPath(path));
  await using log = await openWhole(context, target);
  const found = await compareWith(log.path, then, leavesOf(path));
  const { origin, size } = then;
  const expected = options.origin ?? log.name;
  // Otherwise, anyone who can replace both files could replace them with another log and its checkpoint.
  const names = options.origin === undefined ? namesOf(log) : [options.origin];
  const isOfLog = names.includes(origin);
  if (!isOfLog)
    await context.say(
      escapeText(
        `the checkpoint is for the log ${origin}, and this log is ${expected}; --origin sets another name`,
      ),
    );
  if (context.json) {
    const document: CheckedCheckpointOutput = {
      schema: 'noesis.extension/1',
      extends: found.extends,
      level: found.extends && isOfLog ? 'anchored' : 'none',
      log: expected,
      origin,
      before: { size, root: then.root.toString('base64') },
      now: { size: found.now.size, root: found.now.root.toString('base64') },
      ...(!found.extends && found.line !== undefined && { line: found.line }),
      ...(!found.extends && found.lost !== undefined && { lost: found.lost }),
    };
    await context.printJson(document);
  } else if (!isOfLog) {
    await context.show(`fail  ${escapeText(expected)}  nothing proven: the checkpoint is for another log\n`);
  } else if (found.extends) {
    const more = found.added === 0 ? 'nothing was added' : `${plural(found.added, 'line')} more`;
    await context.show(`ok    ${escapeText(origin)}  anchored: ${plural(size, 'line')} unchanged; ${more}\n`);
  } else {
    await context.show(`fail  ${escapeText(origin)}  ${whatChanged(found, size)}\n`);
  }
  if (!found.extends || !isOfLog) throw new Failed();
}
