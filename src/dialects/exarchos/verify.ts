import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../base/json/value.ts';
import { severitiesOf } from '../../findings/catalogue-severities.ts';
import { type Check, EventReporter } from '../../findings/check.ts';
import { type Document, openState } from '../../findings/document.ts';
import { Findings } from '../../findings/findings.ts';
import { checkLog } from '../../findings/log-stage.ts';
import {
  chainSettings,
  type LogVerifyOptions,
  logFileOf,
  type VerifyTarget,
} from '../../findings/options.ts';
import type { Difference } from '../../findings/projection/difference.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { DOES_NOT_APPLY } from '../../findings/report-words.ts';
import { requireLog, runStages, stage } from '../../findings/stages.ts';
import type { LogExtent } from '../../log/read.ts';
import { reportDifference, reportNotCompared, shown } from '../kit/state-check.ts';
import { EXARCHOS } from './catalogue.ts';
import { checkCounter } from './checks/artifacts/counter.ts';
import { checkSidecars, type Pending } from './checks/artifacts/sidecar.ts';
import { checkSnapshots } from './checks/artifacts/snapshots.ts';
import { CauseCheck } from './checks/causes.ts';
import { EnvelopeCheck } from './checks/envelope.ts';
import { IdempotencyCheck } from './checks/idempotency.ts';
import { PayloadCheck } from './checks/payload.ts';
import { SequenceCheck } from './checks/sequence.ts';
import { StreamCheck } from './checks/stream.ts';
import { WorkflowCheck } from './checks/workflow.ts';
import { streamNamer } from './identity.ts';
import { filesOf, stateFileOf } from './names.ts';
import { ExarchosProjector } from './projection/projector.ts';
import { WAITING } from './projection/waiting.ts';
import { nothingRegistered, type Registered } from './registered.ts';
import { EventChecks, LAYOUT, type StreamEvent } from './rows.ts';
import { stateSchema } from './schema/artifacts.ts';
import { phaseAfter } from './workflow-types.ts';

const SEVERITIES = severitiesOf(EXARCHOS);

const NO_STREAM = "the log's name has no stream";

/** The checks that are skipped if lines are corrupt. */
const PARTLY = {
  events: 'the log has damaged lines, so gaps and the order of phases were not checked',
  lineage: 'the log has damaged lines, so missing causes were not checked',
};

/** Why the state is not compared with the log. */
const NEW_STATE = 'the state file was written while the log was read';

const inLog = ({ projected, evidence }: Difference): string =>
  `${evidence === undefined ? 'the log' : `the event on line ${evidence.line}`} gives ${shown(projected)}`;

/**
 * Compares the state file with the log (exarchos.md §12). The program does not derive the file from the log. `waiting`:
 * events that are not merged yet. Returns whether one of them may explain a difference.
 */
function checkStateContent(
  state: Document,
  projector: ExarchosProjector,
  waiting: readonly JsonObject[],
): boolean {
  const { differences, not_compared: parts, isOpen } = projector.compareWaiting(state.exact, waiting);
  for (const difference of differences)
    reportDifference(state, 'projection/state', difference, inLog(difference), 'log');
  reportNotCompared(state, parts);
  return isOpen;
}

const NONE_PENDING: Pending = { events: 0, changes: [] };

/**
 * Verifies a stream: its log, and the files that belong to it (exarchos.md §19). `registered`: custom types and
 * schema versions. Throws only if the log cannot be read.
 */
export async function verifyExarchos(
  target: VerifyTarget,
  options: LogVerifyOptions,
  registered: Registered = nothingRegistered(),
): Promise<EpisodeReport> {
  const { log, fileName, place } = target;
  const { policy, onBytes } = options;
  const chain = chainSettings(options);
  const findings = new Findings(policy, SEVERITIES);
  if (log === undefined) {
    const message = 'the folder has no log of a stream';
    requireLog(undefined, { message, file: '<stream>.events.jsonl', reason: DOES_NOT_APPLY }, findings);
    return runStages([], () => ({ target, dialect: 'exarchos' }), findings);
  }
  const files = filesOf(place ?? log);
  const report = new EventReporter(findings, logFileOf(target));
  const sequences = new SequenceCheck(report);
  const keys = new IdempotencyCheck(report);
  const workflows = new WorkflowCheck(report);
  // Nothing is projected if there is no state to compare with.
  const hasState = files !== undefined && existsSync(join(files.dir, files.state));
  const projector = new ExarchosProjector(registered);
  const folding: Check<StreamEvent> = { row: ({ event, line }) => projector.addEvent(event, line) };
  const checks = new EventChecks(streamNamer(files?.stream ?? ''), [
    new EnvelopeCheck(report, registered),
    new PayloadCheck(report, registered),
    new StreamCheck(report, files?.stream),
    new CauseCheck(report, sequences, keys),
    sequences,
    keys,
    workflows,
    ...(hasState ? [folding] : []),
  ]);

  /** Reads the log, and at its end the files next to it, while keys can still be looked up. */
  const readAll = async (): Promise<LogExtent & { readonly pending: Pending }> => {
    let pending: Pending = NONE_PENDING;
    const settle = async () => {
      if (files === undefined) return;
      const hasKey = (key: string) => keys.lineOf(files.stream, key) !== undefined;
      pending = await checkSidecars({ files, registered, hasKey, findings });
    };
    const { file } = report;
    const logToCheck = {
      path: log,
      file,
      checks: [checks],
      form: options.form.withLayout(LAYOUT),
      settle,
      onBytes,
      chain,
    };
    const extent = await checkLog(logToCheck, findings);
    if (extent.whole && !pending.changes.some(phaseAfter)) workflows.settle();
    return { ...extent, pending };
  };

  const reading = stage({
    names: ['log', 'events', 'lineage'],
    needs: () => undefined,
    run: readAll,
    partly: ({ whole }) => (whole ? undefined : PARTLY),
  });
  const isWhole = () => reading.result?.whole === true && !reading.result.grew;
  const pending = () => reading.result?.pending ?? NONE_PENDING;
  const state = stage({
    names: ['state'],
    needs: () => (files ? openState(files.dir, files.state, findings) : NO_STREAM),
    run: (document) => {
      // The program refuses a file without these parts (exarchos.md §12).
      document.fits(stateSchema, 'state/schema');
      return document;
    },
  });
  const projection = stage({
    names: ['projection'],
    needs: () => {
      if (state.result === undefined) return state.skipped ?? NO_STREAM;
      if (!hasState) return NEW_STATE;
      return isWhole() ? state.result : 'the log is damaged';
    },
    run: (document) => checkStateContent(document, projector, pending().changes),
    partly: (waits) => (waits ? WAITING : undefined),
  });
  const artifacts = stage({
    names: ['artifacts'],
    needs: () => files ?? NO_STREAM,
    run: async (found) => {
      const numbers = isWhole() ? sequences.numbersOf(found.stream) : undefined;
      await checkCounter(found, numbers, findings);
      // Snapshots include waiting events, which the program numbers after the end of the log.
      const compared = pending().events > 0 ? undefined : numbers && { path: log, numbers };
      await checkSnapshots(found, compared, findings);
    },
    partly: () => {
      if (!isWhole()) return 'the log is damaged: nothing was compared with it';
      return pending().events > 0 ? WAITING : undefined;
    },
  });
  // The path is that of the log, because a directory has several streams.
  const facts = () => ({
    target,
    dialect: 'exarchos',
    path: fileName ?? log,
    // A log with another name names no state, and the file may be its state.
    leavesOutState: files === undefined && existsSync(stateFileOf(place ?? log)),
    events: reading.result?.records ?? 0,
    bytes: reading.result?.bytes ?? 0,
  });
  return runStages([reading, state, projection, artifacts], facts, findings);
}
