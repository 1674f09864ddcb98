import { dirname, relative } from 'node:path';
import type { Severities } from '../../findings/catalogue-severities.ts';
import { type EventCheck, EventReporter } from '../../findings/check.ts';
import { Findings } from '../../findings/findings.ts';
import { checkLog } from '../../findings/log-stage.ts';
import {
  chainSettings,
  type LogVerifyOptions,
  logFileOf,
  type VerifyTarget,
} from '../../findings/options.ts';
import type { EpisodeReport, StageName } from '../../findings/report.ts';
import { type ReadyStep, requireLog, runStages, stage, unlessWhole } from '../../findings/stages.ts';
import type { LogExtent } from '../../log/read.ts';
import type { LogRecord } from '../../log/record.ts';
import { membersLayout, type RowLayout } from '../../log/row-layout.ts';

/** Results of reading the logs of an episode. */
interface ReadSoFar {
  readonly events: number;
  readonly bytes: number;
  readonly whole: boolean;
}

const NOTHING_READ: ReadSoFar = { events: 0, bytes: 0, whole: true };

/** How the logs of a dialect are verified. */
interface LogRules {
  readonly dialect: string;
  readonly severities: Severities;
  /** The checks of one log: the episode's, or a part's. */
  readonly checks: (report: EventReporter, log: string, findings: Findings) => readonly EventCheck[];
  /** The columns that the checks read; by default the whole record. */
  readonly layout?: RowLayout;
  /** The id of a record in findings, if the layout does not define it. */
  readonly idOf?: (record: LogRecord) => string | undefined;
  /** The stages that the checks belong to; by default those of a session. */
  readonly names?: readonly StageName[];
  /** The log's name in findings, and what is missing if there is no log. */
  readonly logName?: string;
  readonly missing?: string;
  /** Why these stages are skipped if there is no log; by default `missing`. */
  readonly reason?: string;
  /** Checks of other files, run after reading the log. */
  readonly otherFiles?: ((log: string, findings: Findings) => void | Promise<void>) | undefined;
  /** The number of events in the report; by default the number of records. */
  readonly events?: () => number;
  /** Whether the records of this log do not name each other, although those of other logs do. */
  readonly isUnlinked?: () => boolean;
  /** Whether a state next to the log was not compared with it, because it may belong to another log. */
  readonly leavesOutState?: () => boolean;
  /** The steps after the log. */
  readonly steps?: (findings: Findings, read: () => ReadSoFar) => readonly ReadyStep[];
}

/** Verifies a log with its parts. Throws the file system's error if the log cannot be read. */
export async function verifyLog(
  target: VerifyTarget,
  options: LogVerifyOptions,
  rules: LogRules,
): Promise<EpisodeReport> {
  const { log, parts = [], partPlaces = parts } = target;
  const {
    dialect,
    severities,
    checks,
    idOf,
    layout = { ...membersLayout(), ...(idOf && { idOf }) },
    names = ['log', 'events', 'lineage', 'consistency'],
    logName = 'events.jsonl',
    missing = 'there is no log',
    reason = missing,
  } = rules;
  const { policy, onBytes, form } = options;
  const chain = chainSettings(options);
  const findings = new Findings(policy, severities);
  const file = logFileOf(target, logName);
  const read = async (path: string, name: string): Promise<LogExtent> => {
    const report = new EventReporter(findings, name);
    const all = checks(report, path, findings);
    return checkLog(
      { path, file: name, checks: all, form: form.withLayout(layout), onBytes, chain },
      findings,
    );
  };
  const reading = stage({
    names,
    needs: () => requireLog(log, { message: missing, file, reason }, findings),
    run: async ({ path }) => {
      const extents = [await read(path, file)];
      for (const [index, part] of parts.entries()) {
        const place = partPlaces[index] ?? part;
        extents.push(await read(part, relative(dirname(target.place ?? path), place).replaceAll('\\', '/')));
      }
      await rules.otherFiles?.(path, findings);
      return extents.reduce(
        ({ events, bytes, whole }, extent): ReadSoFar => ({
          events: events + extent.records,
          bytes: bytes + extent.bytes,
          whole: whole && extent.whole,
        }),
        NOTHING_READ,
      );
    },
    partly: unlessWhole,
  });
  const soFar = () => reading.result ?? NOTHING_READ;
  const steps = [reading, ...(rules.steps?.(findings, soFar) ?? [])];
  const facts = () => ({
    target,
    dialect,
    ...soFar(),
    events: rules.events?.() ?? soFar().events,
    isUnlinked: rules.isUnlinked?.() ?? false,
    leavesOutState: rules.leavesOutState?.() ?? false,
  });
  return runStages(steps, facts, findings);
}
