import { basename } from 'node:path';
import type { Command } from 'commander';
import { StateError, UsageError } from '../src/base/errors.ts';
import { readStateFile } from '../src/base/files/state-file.ts';
import { forOutput } from '../src/base/json/output.ts';
import { writeJson } from '../src/base/json/write.ts';
import { jsonPieces } from '../src/base/json/written-objects.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { corruptLog, Failed } from '../src/cli/failure.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { notEmpty } from '../src/cli/option-values.ts';
import { type OpenLog, openLog } from '../src/cli/targets/open-log.ts';
import { NEWEST_RUN, streamOption } from '../src/cli/targets/target-options.ts';
import { whileReading } from '../src/cli/terminal/while-reading.ts';
import { parseStopAt, projectLog, type StopAt } from '../src/findings/projection/project-log.ts';
import {
  type Comparison,
  comparesNothing,
  type Projector,
  type RecordFold,
  reasonUpTo,
} from '../src/findings/projection/projector.ts';

const INDENT = 2;

interface ProjectOptions extends GlobalOptions {
  readonly at?: string;
  readonly diff?: boolean;
}

export function addProject(program: Command, io: Io): void {
  withExamples(
    program.command('project'),
    ['project latest --diff', 'compare the state with the log'],
    ['project latest --at 12 -j', 'the state after line 12, as JSON'],
  )
    .description('rebuild the state from the log')
    .argument('[target]', NEWEST_RUN)
    .addOption(streamOption())
    .option('--at <event>', 'stop after this event (id or line)', notEmpty)
    .option('--diff', 'compare with the stored state; exit 1 if they differ')
    .action(action(io, runProject));
}

async function runProject(
  context: Context,
  target: string | undefined,
  { at, diff }: ProjectOptions,
): Promise<void> {
  if (diff && target === '-') {
    throw new UsageError('usage', '--diff needs the stored state, which standard input does not have', {
      hint: 'give the path or the id of the run',
    });
  }
  await using log = await openLog(context, target);
  const stopAt = at === undefined ? undefined : parseStopAt(at);
  const { dialect, run } = log;
  const written = !diff && context.json ? await dialect.writtenProjection?.(INDENT) : undefined;
  if (written) {
    await readInto(context, log, written, stopAt);
    return await printJson(context, written.result().value);
  }
  const projector = await dialect.projector({ run, log: stopAt ? undefined : log.path });
  const line = await readInto(context, log, projector, stopAt);
  const upTo = stopAt && line;
  if (diff) await printComparison(context, log, projector, upTo);
  else await printProjection(context, log, projector, upTo);
}

/** Passes the records of a log to a projector. Returns the line of the last one. */
async function readInto(
  context: Context,
  log: OpenLog,
  fold: RecordFold,
  stopAt?: StopAt,
): Promise<number | undefined> {
  const { corruption, line } = await whileReading(context, log, (onBytes) =>
    projectLog(log.path, fold, log.dialect, stopAt, onBytes),
  );
  if (corruption) throw corruptLog(log.label, corruption);
  return line;
}

async function printJson(context: Context, value: unknown): Promise<void> {
  for (const piece of jsonPieces(value, INDENT)) await context.out(piece);
  await context.out('\n');
}

async function printProjection(
  context: Context,
  { dialect }: OpenLog,
  projector: Projector,
  upTo: number | undefined,
): Promise<void> {
  const { value, underivable } = projector.result();
  if (context.json) return printJson(context, value);
  const view = await dialect.stateView?.(value, 'projected');
  if (view === undefined) return printJson(context, value);
  await context.showView(view);
  if (underivable.length > 0) {
    const missing = `no evidence for ${underivable.join(', ')}`;
    await context.say(`${upTo === undefined ? 'in this log' : `up to line ${upTo}`}: ${missing}`);
  }
}

/** A comparison with a part of the log. Its reasons are about that part only. */
const upToLine = (comparison: Comparison, line: number): Comparison => ({
  ...comparison,
  not_compared: comparison.not_compared.map((part) => ({ ...part, reason: reasonUpTo(part.reason, line) })),
});

async function printComparison(
  context: Context,
  log: OpenLog,
  projector: Projector,
  upTo: number | undefined,
): Promise<void> {
  const file = log.dialect.stateFile(log.place ?? log.path);
  if (file === undefined || projector.compare === undefined) {
    throw new StateError(
      'projection-unsupported',
      `a log of this dialect (${log.dialect.name}) has no stored state`,
      {
        hint: 'run noesis project without --diff to see the state that the log gives',
      },
    );
  }
  const state = await readStateFile(file, true);
  const compared = projector.compare(state.exact);
  const comparison = upTo === undefined ? compared : upToLine(compared, upTo);
  const equal = comparison.differences.length === 0;
  if (comparesNothing(comparison)) {
    const name = basename(state.path);
    throw new StateError(
      'projection-unsupported',
      `nothing in ${name} can be compared with the log${upTo === undefined ? '' : ` up to line ${upTo}`}`,
      {
        place: { file: state.path },
        hint: 'run noesis project without --diff to see the state that the log gives, noesis state to see the stored one',
      },
    );
  }
  if (context.json) {
    await context.out(
      `${writeJson(forOutput({ equal, ...(upTo !== undefined && { at: upTo }), ...comparison }), INDENT)}\n`,
    );
  } else if (!context.quiet) {
    const { renderComparison } = await import('../src/show/render/comparison-view.ts');
    const names = { log: basename(log.path), stored: basename(state.path), upTo };
    await context.show(
      renderComparison(comparison, { style: await context.style, width: context.width, ...names }),
    );
  }
  if (!equal) throw new Failed();
}
