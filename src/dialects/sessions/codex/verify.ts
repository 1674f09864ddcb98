import { severitiesOf } from '../../../findings/catalogue-severities.ts';
import type { EventCheck, EventReporter } from '../../../findings/check.ts';
import type { LogVerifyOptions, VerifyTarget } from '../../../findings/options.ts';
import type { EpisodeReport } from '../../../findings/report.ts';
import { verifyLog } from '../../kit/verify-log.ts';
import { checkRepairedCopy } from '../kit/repaired-copy.ts';
import { SubagentLogCheck, verifiedAgents } from '../kit/subagent-logs.ts';
import { CODEX } from './catalogue.ts';
import { CopyCheck } from './checks/copies.ts';
import { EnvelopeCheck } from './checks/envelope.ts';
import { checkHistoryBase, type LogsOfThread } from './checks/history-base.ts';
import { OrdinalCheck } from './checks/ordinals.ts';
import { RepeatedRecordCheck } from './checks/repeated.ts';
import { ThreadCheck } from './checks/thread.ts';
import { ToolCheck } from './checks/tools.ts';
import { UsageCheck } from './checks/usage.ts';
import { logInName } from './files.ts';
import { itemOf, startedIn } from './records.ts';
import { COLUMN, LAYOUT } from './rows.ts';

const SEVERITIES = severitiesOf(CODEX);

function logsOfThread({ log, place = log, parts = [], partPlaces = parts }: VerifyTarget): LogsOfThread {
  const logs = [[log, place] as const, ...parts.map((part, at) => [part, partPlaces[at]] as const)];
  const named = logs.flatMap(([path, of]): [string, string][] => {
    const id = logInName(of ?? '');
    return path === undefined || id === undefined ? [] : [[id, path]];
  });
  return { first: log, byId: new Map(named) };
}

/** The result of a call that starts a subagent names its thread. */
function subagents(report: EventReporter, verified: ReadonlySet<string>): EventCheck {
  const calls = new Set<string>();
  return new SubagentLogCheck(report, verified, {
    started(row) {
      const id = row.text(COLUMN.call);
      if (id === undefined) return undefined;
      if (row.text(COLUMN.name) === 'spawn_agent') calls.add(id);
      else if (calls.has(id)) return startedIn(itemOf(row.event));
      return undefined;
    },
  });
}

/** Verifies a rollout and those of its subagents (codex.md §9). */
export function verifyRollout(target: VerifyTarget, options: LogVerifyOptions): Promise<EpisodeReport> {
  const ordinals: OrdinalCheck[] = [];
  const thread = logsOfThread(target);
  const agents = verifiedAgents(target, logInName);
  return verifyLog(target, options, {
    dialect: 'codex',
    severities: SEVERITIES,
    checks: (report, log) => {
      const ordinal = new OrdinalCheck(report);
      ordinals.push(ordinal);
      return [
        new EnvelopeCheck(report),
        ordinal,
        new RepeatedRecordCheck(report),
        new ToolCheck(report),
        new CopyCheck(report),
        new ThreadCheck(report),
        new UsageCheck(report),
        checkHistoryBase(report, log, thread),
        subagents(report, agents),
      ];
    },
    layout: LAYOUT,
    otherFiles: target.fileName === undefined ? checkRepairedCopy : undefined,
    isUnlinked: () => ordinals.some(({ isNumbered }) => !isNumbered),
  });
}
