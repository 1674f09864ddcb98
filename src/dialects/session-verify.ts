import { dirname, relative } from 'node:path';
import type { Severities } from '../findings/catalogue-severities.ts';
import { type EventCheck, EventReporter } from '../findings/check.ts';
import { Findings } from '../findings/findings.ts';
import { checkLog } from '../findings/log-stage.ts';
import { logFileOf, type VerifyOptions, type VerifyTarget } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';
import { type Partly, requireLog, runStages, stage, unlessWhole } from '../findings/stages.ts';
import type { LogRecord } from '../log/record.ts';
import { membersLayout } from '../log/row-layout.ts';

/** What the verification of a session goes by. */
export interface SessionChecks {
  readonly dialect: string;
  readonly severities: Severities;
  /** The checks of one log: that of the session, or of a part of it. */
  readonly checks: (report: EventReporter, log: string, findings: Findings) => readonly EventCheck[];
  /** The name by which findings know a record. */
  readonly idOf: (record: LogRecord) => string | undefined;
  /** What is looked at beside the log, once it was read. */
  readonly beside?: ((log: string, findings: Findings) => void | Promise<void>) | undefined;
}

/**
 * Verifies a session of a coding agent, with the logs that are parts of it. What a corrupt line may have held is not
 * missed aloud: the checks hear that a log is not whole.
 */
export async function verifySession(
  target: VerifyTarget,
  { policy, onBytes }: VerifyOptions,
  { dialect, severities, checks, idOf, beside }: SessionChecks,
): Promise<EpisodeReport> {
  const { log, parts = [] } = target;
  const findings = new Findings(policy, severities);
  const file = logFileOf(target, 'events.jsonl');
  let [events, bytes, whole] = [0, 0, true];
  const read = async (path: string, name: string): Promise<void> => {
    const report = new EventReporter(findings, name);
    const layout = { ...membersLayout(), idOf };
    const extent = await checkLog(
      { path, file: name, checks: checks(report, path, findings), layout, onBytes },
      findings,
    );
    events += extent.records;
    bytes += extent.bytes;
    whole &&= extent.whole;
  };
  const reading = stage({
    names: ['log', 'events', 'lineage', 'consistency'],
    needs: () => requireLog(log, { message: 'there is no log', file, reason: 'there is no log' }, findings),
    run: async ({ path }) => {
      await read(path, file);
      for (const part of parts) await read(part, relative(dirname(path), part).replaceAll('\\', '/'));
      await beside?.(path, findings);
    },
    partly: (): Partly => unlessWhole({ whole }, 'what it may have lost is not missed'),
  });
  return runStages([reading], () => ({ target, dialect, events, bytes }), findings);
}
