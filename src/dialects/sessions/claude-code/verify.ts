import { SHARED_SEVERITIES } from '../../../findings/catalogue-severities.ts';
import type { EventCheck, EventReporter } from '../../../findings/check.ts';
import { type LogVerifyOptions, logFileOf, type VerifyTarget } from '../../../findings/options.ts';
import type { EpisodeReport } from '../../../findings/report.ts';
import { verifyLog } from '../../kit/verify-log.ts';
import { OneSession } from '../kit/envelope.ts';
import { checkRepairedCopy } from '../kit/repaired-copy.ts';
import { reportReach } from '../kit/resume.ts';
import { SubagentLogCheck, verifiedAgents } from '../kit/subagent-logs.ts';
import { AgentTotalsCheck } from './checks/agent-totals.ts';
import { AnswerCheck } from './checks/answers.ts';
import { ChainCheck } from './checks/chain.ts';
import { ContentCheck, EnvelopeCheck } from './checks/envelope.ts';
import { InputCheck } from './checks/inputs.ts';
import { OutcomeCheck } from './checks/outcome.ts';
import { ParentTimeCheck } from './checks/parent-time.ts';
import { RequestCheck } from './checks/requests.ts';
import { agentInName, sessionInName } from './files.ts';
import { claudeLoading } from './loading.ts';
import { CHAIN, COLUMN, LAYOUT } from './rows.ts';

/** Checks that all records of a log, and its name, belong to one session (claude-code.md §9). */
function checkSession(report: EventReporter): EventCheck {
  const session = new OneSession(report, sessionInName(report.file));
  return {
    types: CHAIN,
    row: (row) => session.add(row, row.text(COLUMN.session), 'sessionId'),
    end: ({ whole }) => (whole ? session.end() : undefined),
  };
}

/** Older versions wrote what a subagent did into the log of its session (claude-code.md §6). */
function subagents(report: EventReporter, verified: ReadonlySet<string>): EventCheck {
  let hasAsides = false;
  return new SubagentLogCheck(report, verified, {
    started(row) {
      hasAsides ||= row.value(COLUMN.aside) === true;
      return row.text(COLUMN.agent);
    },
    hasAll: () => hasAsides,
  });
}

// Several writers append, so a record may come before its parent.
const SEVERITIES = new Map([...SHARED_SEVERITIES, ['lineage/forward-cause', 'info'] as const]);

/** Verifies a transcript and those of its subagents (claude-code.md §9). */
export function verifyTranscript(target: VerifyTarget, options: LogVerifyOptions): Promise<EpisodeReport> {
  const chains: ChainCheck[] = [];
  const agents = verifiedAgents(target, agentInName);
  return verifyLog(target, options, {
    dialect: 'claude-code',
    severities: SEVERITIES,
    checks: (report, log) => {
      const chain = new ChainCheck(report, log);
      chains.push(chain);
      return [
        new EnvelopeCheck(report),
        new ContentCheck(report),
        chain,
        new ParentTimeCheck(report),
        new OutcomeCheck(report),
        new AnswerCheck(report),
        new InputCheck(report),
        new AgentTotalsCheck(report),
        checkSession(report),
        new RequestCheck(report),
        subagents(report, agents),
      ];
    },
    layout: LAYOUT,
    otherFiles: async (path, findings) => {
      if (target.fileName === undefined) checkRepairedCopy(path, findings);
      if (chains[0]?.mayLack)
        await reportReach(
          path,
          logFileOf(target, 'events.jsonl'),
          { loading: async () => claudeLoading },
          findings,
        );
    },
  });
}
