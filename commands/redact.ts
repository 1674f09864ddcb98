import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../src/base/errors.ts';
import { parsePath } from '../src/base/json/path.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { corruptLog } from '../src/cli/failure.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { listed } from '../src/cli/option-values.ts';
import { folderToWrite, guardedIn, refuseTargetAsOutput } from '../src/cli/report/write-report.ts';
import { sayCopyName } from '../src/cli/targets/copy-name.ts';
import { notOneRun, openLog } from '../src/cli/targets/open-log.ts';
import { streamOption } from '../src/cli/targets/target-options.ts';
import { tableSection, viewCell } from '../src/dialects/kit/state-view.ts';
import { EventLogIntegrityError } from '../src/log/integrity-error.ts';
import type { RedactedCopy } from '../src/read/outputs/redact.ts';
import { type Redaction, redactLog } from '../src/write/redact/redact.ts';

interface RedactOptions extends GlobalOptions {
  readonly output?: string;
  readonly keep?: string[];
  readonly drop?: string[];
}

const MORE = `
Replaces passwords, tokens, keys of many services, values of fields with such names,
email addresses, user names in paths, and random-looking texts. A secret has the same
placeholder everywhere. Ids, times and types stay, so the copy can be verified. No set
of rules finds every secret: check the copy before you share it.`;

export function addRedact(program: Command, io: Io): void {
  withExamples(
    program.command('redact'),
    ['redact latest -o shared', 'a copy of the newest run for sharing'],
    ['redact run.jsonl -o shared --drop message.content', 'without the messages'],
  )
    .description('make a copy without secrets, for sharing')
    .argument('<target>', 'the run or log to copy')
    .addOption(streamOption())
    .option('-o, --output <dir>', 'create this folder for the copy')
    .option('--keep <path>', 'keep the values at this path (repeatable, or a comma list)', listed)
    .option('--drop <path>', 'remove the values at this path (repeatable, or a comma list)', listed)
    .addHelpText('after', MORE)
    .action(action(io, runRedact));
}

async function runRedact(
  context: Context,
  target: string,
  { output, keep = [], drop = [] }: RedactOptions,
): Promise<void> {
  if (output === undefined)
    throw new UsageError('usage', 'redact needs a folder for the copy', { hint: 'name it with -o DIR' });
  const to = folderToWrite(context.io.cwd, '--output', output);
  const wrong = [...keep, ...drop].find((path) => !parsePath(path)?.length);
  if (wrong !== undefined)
    throw new UsageError('usage', `${JSON.stringify(wrong)} is not a valid path`, {
      hint: 'give dotted names, as in --drop message.content',
    });
  await using log = await openLog(context, target);
  if (log.run !== undefined) throw notOneRun('redact copies', context.shortPath(log.path));
  await refuseTargetAsOutput(to, [guardedIn(log)]);
  const source = {
    log: log.path,
    dialect: log.dialect,
    dir: log.dir,
    parts: log.parts,
    partPlaces: log.partPlaces,
    unreadParts: log.unreadParts,
    place: log.place,
  };
  const redaction = await redactLog(source, to, { keep, drop }).catch((error: unknown) => {
    if (!(error instanceof EventLogIntegrityError)) throw error;
    const { path } = error.corruption;
    const label = path === log.path ? log.label : context.shortPath(log.shown(path));
    throw corruptLog(label, error.details, { writing: true });
  });
  if (context.json) await context.printJson({ output: to, ...redaction } satisfies RedactedCopy);
  else await report(context, to, redaction);
  await sayCopyName(context, log.dir, to);
}

async function report(context: Context, to: string, redaction: Redaction): Promise<void> {
  const { files, left_out, replaced, no_longer_valid } = redaction;
  const rows = replaced.map(({ rule, places, different }) => [
    viewCell(String(places)),
    viewCell(rule === 'dropped' ? '' : String(different)),
    viewCell(rule, 'name'),
  ]);
  await context.showView([
    {
      fields: [
        ...(left_out.length > 0 ? [{ label: 'Left out', text: left_out.join(', ') }] : []),
        { label: 'Written', text: files.map((file) => context.shortPath(resolve(to, file))).join(', ') },
        ...(no_longer_valid.length > 0
          ? [{ label: 'No longer valid', text: no_longer_valid.join(', ') }]
          : []),
      ],
    },
    ...tableSection('Replaced', ['PLACES', 'SECRETS', 'RULE'], rows),
  ]);
  if (rows.length === 0) await context.say('nothing looked like a secret; check the copy anyway');
}
