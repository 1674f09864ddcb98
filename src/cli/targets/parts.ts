import { partName } from '../../dialects/registry.ts';
import type { SkippedInRun } from '../../log/corrupt-lines.ts';
import type { Context } from '../context.ts';
import type { OpenLog } from './open-log.ts';
import type { ReadLog } from './partial.ts';

/**
 * The log of a run, and the logs of its parts: those of subagents, and further files of a thread. A run is all of them, for
 * every command. A part is open as long as its run.
 */
export const logsOfRun = (context: Context, log: OpenLog): readonly OpenLog[] => [
  log,
  ...(log.parts ?? []).map((path): OpenLog => {
    const origin = log.shown(path);
    return {
      label: context.shortPath(origin),
      path,
      origin,
      dir: undefined,
      name: partName(path),
      dialect: log.dialect,
      shown: log.shown,
      [Symbol.asyncDispose]: async () => {},
    };
  }),
];

/** The logs of a run, with the damaged lines that were skipped when they were read. */
export const readLogsOf = (
  context: Context,
  log: OpenLog,
  { skipped, skippedInParts }: SkippedInRun,
): readonly ReadLog[] =>
  logsOfRun(context, log).map((one) => ({
    label: one.label,
    whole: log.label,
    source: one,
    skipped: one.path === log.path ? skipped : skippedInParts?.get(one.path),
  }));
