import type { EventCheck, EventReporter } from '../../findings/check.ts';
import type { Findings } from '../../findings/findings.ts';
import { checkLog } from '../../findings/log-stage.ts';
import type { LogExtent } from '../../log/read.ts';
import type { LogRecord } from '../../log/record.ts';
import type { CheckpointMarks } from './artifacts/checkpoint.ts';
import type { SealedLog } from './artifacts/sealed-log.ts';
import { AfterSealCheck } from './checks/after-seal.ts';
import { AgreementCheck } from './checks/agreement.ts';
import { EnvelopeCheck } from './checks/envelope.ts';
import { GovernanceCheck } from './checks/governance.ts';
import { LifecycleCheck } from './checks/lifecycle.ts';
import { LineageCheck, ReferenceCheck } from './checks/lineage.ts';
import { OrderCheck } from './checks/order.ts';
import { PayloadCheck } from './checks/payload.ts';
import { TimeCheck } from './checks/time.ts';
import type { LogFacts } from './facts.ts';
import { NoesisLane } from './fast/lane.ts';
import { FastLedger } from './fast/ledger.ts';
import { type Ledger, PlainLedger } from './ledger.ts';
import type { NoesisProjector } from './projection.ts';

/** What one pass over a log needs, and whom it tells. */
export interface LogPass {
  readonly log: string;
  readonly report: EventReporter;
  readonly findings: Findings;
  readonly facts: LogFacts;
  /** Undefined where there is no state to compare a projection with. */
  readonly projector: NoesisProjector | undefined;
  /** The episode has its final.json. */
  readonly hasFinal: boolean;
  readonly sealed: SealedLog;
  readonly marks: CheckpointMarks;
  /** Whether records that are plainly fine may be accepted without being parsed. */
  readonly fast: boolean;
}

interface Checks {
  readonly all: EventCheck[];
  /** Those that remember more of an event than the ledger does: they see what the fast lane accepts of such events. */
  readonly remembering: EventCheck[];
}

function checksOf({ report, facts, projector, hasFinal, sealed, marks }: LogPass, ledger: Ledger): Checks {
  const references = new ReferenceCheck(report, ledger);
  const remembering: EventCheck[] = [
    facts,
    references.origins,
    new OrderCheck(report, ledger, hasFinal),
    new LifecycleCheck(report),
    { event: ({ event, line }) => projector?.addEvent(event, line) },
  ];
  const all = [
    new EnvelopeCheck(report),
    new PayloadCheck(report),
    new TimeCheck(report, ledger),
    new AgreementCheck(report, ledger),
    new LineageCheck(report, ledger),
    references,
    ...remembering,
    new GovernanceCheck(report, ledger),
    marks,
    new AfterSealCheck(report, sealed),
  ];
  return { all, remembering };
}

/** Checkpoints and whatever comes after the seal are looked at with care, so the fast lane leaves them alone. */
function openLane({ fast, sealed, marks }: LogPass): NoesisLane | undefined {
  if (!fast) return undefined;
  const stopAtRecords = [...marks.marks.keys()].sort((a, b) => a - b);
  return NoesisLane.open({ verify: true, seen: [], stopAtByte: sealed.sealedSize, stopAtRecords });
}

/** Reads the log once: every check of single events and of their order, the facts, the projection and the hash. */
export async function passOverLog(pass: LogPass): Promise<LogExtent> {
  const { log, report, findings, facts, projector, sealed } = pass;
  const lane = openLane(pass);
  try {
    const ledger = lane ? new FastLedger(lane.module) : new PlainLedger();
    const { all, remembering } = checksOf(pass, ledger);
    const accepted = (record: LogRecord) => {
      const act = lane?.act();
      if (act) return projector?.addAct(act, record.line);
      const { value: event, line } = record;
      const id = typeof event['id'] === 'string' ? event['id'] : undefined;
      for (const check of remembering) check.event?.({ record, event, line, id });
    };
    const extent = await checkLog(
      {
        path: log,
        file: report.file,
        checks: all,
        bytes: (chunk) => sealed.add(chunk),
        pressure: () => sealed.pressure(),
        settle: () => sealed.settle(),
        fast: lane,
        accepted,
      },
      findings,
    );
    facts.acts += ledger.acts;
    facts.records = extent.records;
    return extent;
  } finally {
    lane?.close();
    sealed.close();
  }
}
