import type { ChainCheckSettings } from '../../findings/chains/settings.ts';
import type { EventCheck, EventReporter } from '../../findings/check.ts';
import type { Findings } from '../../findings/findings.ts';
import { checkLog } from '../../findings/log-stage.ts';
import type { VerifyOptions } from '../../findings/options.ts';
import type { LogForm } from '../../log/log-form.ts';
import type { LogExtent } from '../../log/read.ts';
import type { LogStatements } from './agreement/log-statements.ts';
import type { CheckpointEvents, CheckpointMarks } from './checkpoint/checkpoint.ts';
import type { Course } from './course/course.ts';
import { LAYOUT } from './event/rows.ts';
import type { LearnEvents } from './files/line-files.ts';
import { RuleCheck } from './rule-check.ts';
import { AfterSealCheck } from './seal/after-seal.ts';
import type { SealedLog } from './seal/sealed-log.ts';
import type { NoesisProjector } from './state/projection.ts';

/** What a pass over the log reads, and the objects that receive it. */
interface LogPass {
  readonly log: string;
  readonly report: EventReporter;
  readonly findings: Findings;
  readonly course: Course;
  readonly said: LogStatements;
  readonly learn: LearnEvents;
  readonly checkpoints: CheckpointEvents;
  /** Undefined if there is no state to compare with. */
  readonly projector: NoesisProjector | undefined;
  /** Whether the episode has a final.json. */
  readonly hasFinal: boolean;
  readonly sealed: SealedLog;
  readonly marks: CheckpointMarks;
  /** Receives the number of bytes of each chunk. */
  readonly onBytes: VerifyOptions['onBytes'];
  readonly chain: ChainCheckSettings;
  readonly form: LogForm;
}

/** The first of them adds each event to the course of the run, which others ask. */
function checksOf(pass: LogPass): EventCheck[] {
  const { report, course, said, learn, checkpoints, projector, hasFinal, sealed, marks } = pass;
  return [
    new RuleCheck(report, course, hasFinal),
    said,
    learn,
    checkpoints,
    { row: (row) => projector?.addRow(row) },
    marks,
    new AfterSealCheck(report, sealed),
  ];
}

/** Reads the log once for all checks of events, what files repeat, the projection and the hash of the log. */
export async function passOverLog(pass: LogPass): Promise<LogExtent> {
  const { log, report, findings, sealed } = pass;
  try {
    return await checkLog(
      {
        path: log,
        file: report.file,
        checks: checksOf(pass),
        form: pass.form.withLayout(LAYOUT),
        bytes: (chunk) => sealed.add(chunk),
        onBytes: pass.onBytes,
        chain: pass.chain,
        pressure: () => sealed.pressure(),
        settle: () => sealed.settle(),
      },
      findings,
    );
  } finally {
    sealed.close();
  }
}
