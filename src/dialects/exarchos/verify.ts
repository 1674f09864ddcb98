import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { severitiesOf } from '../../findings/catalogue-severities.ts';
import { type Check, EventReporter } from '../../findings/check.ts';
import type { Document } from '../../findings/document.ts';
import { Findings } from '../../findings/findings.ts';
import { checkLog } from '../../findings/log-stage.ts';
import { logFileOf, type VerifyOptions, type VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { DOES_NOT_APPLY, requireLog, runStages, stage } from '../../findings/stages.ts';
import type { LogExtent } from '../../log/read.ts';
import { EXARCHOS } from './catalogue.ts';
import { checkCounter } from './checks/artifacts/counter.ts';
import { checkSidecars, type Pending } from './checks/artifacts/sidecar.ts';
import { checkSnapshots } from './checks/artifacts/snapshots.ts';
import { checkStateContent, checkStateShape, openState } from './checks/artifacts/state.ts';
import { CauseCheck } from './checks/causes.ts';
import { EnvelopeCheck } from './checks/envelope.ts';
import { IdempotencyCheck } from './checks/idempotency.ts';
import { LifecycleCheck } from './checks/lifecycle.ts';
import { PayloadCheck } from './checks/payload.ts';
import { SequenceCheck } from './checks/sequence.ts';
import { StreamCheck } from './checks/stream.ts';
import { type StreamNamer, streamNamer } from './identity.ts';
import { filesOf, type StreamFiles } from './names.ts';
import { ExarchosProjector } from './projection/projector.ts';
import { WAITING } from './projection/waiting.ts';
import { nothingRegistered, type Registered } from './registered.ts';
import { EventChecks, LAYOUT, type StreamEvent } from './rows.ts';
import { phaseAfter } from './workflow-types.ts';

const SEVERITIES = severitiesOf(EXARCHOS);

const NO_STREAM = "the log's name says no stream";

/** What is left out where lines are corrupt. */
const PARTLY = {
  events: 'the log has corrupt lines: gaps and the order of phases were not looked for',
  lineage: 'the log has corrupt lines: missing causes were not looked for',
};

/** Why the state is not held against the log. */
const NEW_STATE = 'the state file was written while the log was read';

/** One log on its way through the stages. */
class Verification {
  readonly #target: VerifyTarget & { readonly log: string };
  readonly #registered: Registered;
  readonly #findings: Findings;
  readonly #projector: ExarchosProjector;
  readonly #files: StreamFiles | undefined;
  /** There is a state to hold the log against: else nothing is projected. */
  readonly #hasState: boolean;
  readonly #onBytes: VerifyOptions['onBytes'];
  readonly #report: EventReporter;
  readonly #streamOf: StreamNamer;
  readonly #sequences: SequenceCheck;
  readonly #keys: IdempotencyCheck;
  readonly #lifecycle: LifecycleCheck;

  constructor(
    target: VerifyTarget & { readonly log: string },
    options: VerifyOptions,
    registered: Registered,
  ) {
    this.#target = target;
    this.#registered = registered;
    this.#projector = new ExarchosProjector(registered);
    this.#findings = new Findings(options.policy, SEVERITIES);
    this.#onBytes = options.onBytes;
    this.#files = filesOf(target.log);
    this.#hasState = this.#files !== undefined && existsSync(join(this.#files.dir, this.#files.state));
    this.#report = new EventReporter(this.#findings, logFileOf(target));
    this.#streamOf = streamNamer(this.#files?.stream ?? '');
    this.#sequences = new SequenceCheck(this.#report, this.#streamOf);
    this.#keys = new IdempotencyCheck(this.#report, this.#streamOf);
    this.#lifecycle = new LifecycleCheck(this.#report, this.#streamOf);
  }

  async run(): Promise<EpisodeReport> {
    const files = this.#files;
    let extent = { records: 0, bytes: 0, whole: false, grew: false };
    let pending: Pending = { events: 0, changes: [] };
    let state: Document | string = NO_STREAM;
    let waits = false;
    const isWhole = () => extent.whole && !extent.grew;
    const steps = [
      stage({
        names: ['log', 'events', 'lineage'],
        needs: () => undefined,
        run: async () => {
          extent = await this.#readLog(async () => {
            pending = await this.#checkSidecars();
          });
          if (extent.whole && !pending.changes.some(phaseAfter)) this.#lifecycle.settle();
        },
        partly: () => (extent.whole ? undefined : PARTLY),
      }),
      stage({
        names: ['state'],
        needs: () => {
          if (files) state = openState(files, this.#findings);
          return state;
        },
        run: checkStateShape,
      }),
      stage({
        names: ['projection'],
        needs: () => {
          if (typeof state === 'string') return state;
          if (!this.#hasState) return NEW_STATE;
          return isWhole() ? state : 'the log is not whole';
        },
        run: (document) => {
          waits = checkStateContent(document, this.#projector, pending.changes);
        },
        partly: () => (waits ? WAITING : undefined),
      }),
      stage({
        names: ['artifacts'],
        needs: () => files ?? NO_STREAM,
        run: (found) => this.#checkArtifacts(found, isWhole(), pending),
        partly: () => {
          if (!isWhole()) return 'the log is not whole: nothing was held against it';
          return pending.events > 0 ? WAITING : undefined;
        },
      }),
    ];
    const { fileName, log } = this.#target;
    const facts = () => ({
      target: this.#target,
      dialect: 'exarchos',
      // One of several streams in a directory.
      path: fileName ?? log,
      events: extent.records,
      bytes: extent.bytes,
    });
    return runStages(steps, facts, this.#findings);
  }

  /** `settle`: what is done when all has been read, while the keys can be asked for. */
  async #readLog(settle: () => Promise<void>): Promise<LogExtent> {
    const report = this.#report;
    const projection: Check<StreamEvent> = {
      row: ({ event, line }) => this.#projector.addEvent(event, line),
    };
    const checks = new EventChecks([
      new EnvelopeCheck(report, this.#registered),
      new PayloadCheck(report, this.#registered),
      new StreamCheck(report, this.#files?.stream),
      new CauseCheck(report, this.#streamOf, { sequences: this.#sequences, keys: this.#keys }),
      this.#sequences,
      this.#keys,
      this.#lifecycle,
      ...(this.#hasState ? [projection] : []),
    ]);
    const { log } = this.#target;
    return checkLog(
      { path: log, file: report.file, checks: [checks], layout: LAYOUT, settle, onBytes: this.#onBytes },
      this.#findings,
    );
  }

  async #checkSidecars(): Promise<Pending> {
    const files = this.#files;
    if (files === undefined) return { events: 0, changes: [] };
    return checkSidecars({
      files,
      types: this.#registered.types,
      hasKey: (key) => this.#keys.lineOf(files.stream, key) !== undefined,
      findings: this.#findings,
    });
  }

  async #checkArtifacts(files: StreamFiles, whole: boolean, pending: Pending): Promise<void> {
    const numbers = whole ? this.#sequences.numbersOf(files.stream) : undefined;
    await checkCounter(files, numbers, this.#findings);
    // Readers give the events that wait numbers behind the last one of the log, and snapshots are taken of both.
    const log = pending.events > 0 ? undefined : numbers && { path: this.#target.log, numbers };
    await checkSnapshots(files, log, this.#findings);
  }
}

/**
 * Verifies one stream: its log, and what lies beside it under the stream's name (exarchos.md §19). `registered` says
 * which custom types and schema versions a project has. Changes nothing; throws only where the log cannot be read.
 */
export async function verifyExarchos(
  target: VerifyTarget,
  options: VerifyOptions,
  registered: Partial<Registered> = {},
): Promise<EpisodeReport> {
  const { log } = target;
  if (log !== undefined) {
    return new Verification({ ...target, log }, options, { ...nothingRegistered(), ...registered }).run();
  }
  const findings = new Findings(options.policy, SEVERITIES);
  const missing = {
    message: 'the directory holds no log of a stream',
    file: '<stream>.events.jsonl',
    reason: DOES_NOT_APPLY,
  };
  requireLog(undefined, missing, findings);
  return runStages([], () => ({ target, dialect: 'exarchos' }), findings);
}
