import { basename } from 'node:path';
import { EventReporter, type LoggedEvent } from '../../findings/check.ts';
import { Findings } from '../../findings/findings.ts';
import { checkLog } from '../../findings/log-stage.ts';
import type { VerifyOptions, VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { StageList } from '../../findings/stages.ts';
import type { LogExtent } from '../../log/read.ts';
import { membersLayout, type RowLayout } from '../../log/row-layout.ts';
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
import { eventIdOf, type StreamNamer, streamNamer } from './identity.ts';
import { filesOf, type StreamFiles } from './names.ts';
import { ExarchosProjector } from './projection/projector.ts';
import { nothingRegistered, type Registered } from './registered.ts';

/** Findings know a record by the id that this dialect gives it. */
const LAYOUT: RowLayout = { ...membersLayout(), idOf: (record) => eventIdOf(record.value) };

/** Why something is not held against the log. */
const WAITING = 'events wait in a sidecar: what they change is not known yet';

/** One log on its way through the stages. */
class Verification {
  readonly #target: VerifyTarget & { readonly log: string };
  readonly #registered: Registered;
  readonly #findings: Findings;
  readonly #stages = new StageList();
  readonly #projector: ExarchosProjector;
  readonly #files: StreamFiles | undefined;
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
    this.#findings = new Findings(options.policy);
    this.#files = filesOf(target.log);
    this.#report = new EventReporter(this.#findings, target.fileName ?? basename(target.log));
    this.#streamOf = streamNamer(this.#files?.stream ?? '');
    this.#sequences = new SequenceCheck(this.#report, this.#streamOf);
    this.#keys = new IdempotencyCheck(this.#report, this.#streamOf);
    this.#lifecycle = new LifecycleCheck(this.#report, this.#streamOf);
  }

  async run(): Promise<EpisodeReport> {
    const { log, name, fileName } = this.#target;
    const extent = await this.#readLog();
    const whole = extent.corruptions === 0 && !extent.grew;
    const pending = await this.#checkSidecars();
    if (extent.corruptions === 0 && !pending.changesState) this.#lifecycle.settle();
    await this.#checkState(whole, pending);
    await this.#checkArtifacts(whole, pending);
    const { verdict, ...found } = this.#findings.conclude();
    return {
      episode: name,
      path: fileName ?? log,
      dialect: 'exarchos',
      verdict,
      events: extent.records,
      bytes: extent.bytes,
      sealed: false,
      stages: this.#stages.list(),
      ...found,
    };
  }

  async #readLog(): Promise<LogExtent> {
    const report = this.#report;
    const checks = [
      new EnvelopeCheck(report, this.#registered),
      new PayloadCheck(report, this.#registered),
      new StreamCheck(report, this.#files?.stream),
      new CauseCheck(report, this.#streamOf, { sequences: this.#sequences, keys: this.#keys }),
      this.#sequences,
      this.#keys,
      this.#lifecycle,
      { event: ({ record, line }: LoggedEvent) => this.#projector.addEvent(record.comparable, line) },
    ];
    const extent = await checkLog(
      { path: this.#target.log, file: report.file, checks, layout: LAYOUT },
      this.#findings,
    );
    const corrupt = extent.corruptions > 0;
    this.#stages.ran('log');
    this.#stages.ranOrPartly(
      'events',
      corrupt ? 'the log has corrupt lines: gaps and the order of phases were not looked for' : undefined,
    );
    this.#stages.ranOrPartly(
      'lineage',
      corrupt ? 'the log has corrupt lines: missing causes were not looked for' : undefined,
    );
    return extent;
  }

  async #checkSidecars(): Promise<Pending> {
    const files = this.#files;
    if (files === undefined) return { events: 0, changesState: false };
    return checkSidecars({
      files,
      types: this.#registered.types,
      hasKey: (key) => this.#keys.lineOf(files.stream, key) !== undefined,
      findings: this.#findings,
    });
  }

  async #checkState(whole: boolean, pending: Pending): Promise<void> {
    const files = this.#files;
    const skip = (reason: string) => {
      this.#stages.skip('state', reason);
      this.#stages.skip('projection', reason);
    };
    if (files === undefined) return skip("the log's name says no stream");
    const state = await openState(files, this.#findings);
    if (state === 'absent' || state === undefined)
      return skip(`no ${state === undefined ? 'readable ' : ''}${files.state}`);
    checkStateShape(state);
    this.#stages.ran('state');
    if (!whole) return this.#stages.skip('projection', 'the log is not whole');
    if (pending.changesState) return this.#stages.skip('projection', WAITING);
    checkStateContent(state, this.#projector);
    this.#stages.ran('projection');
  }

  async #checkArtifacts(whole: boolean, pending: Pending): Promise<void> {
    const files = this.#files;
    if (files === undefined) return this.#stages.skip('artifacts', "the log's name says no stream");
    const numbers = whole ? this.#sequences.numbersOf(files.stream) : undefined;
    await checkCounter(files, numbers, this.#findings);
    // Readers give the events that wait numbers behind the last one of the log, and snapshots are taken of both.
    const log = pending.events > 0 ? undefined : numbers && { path: this.#target.log, numbers };
    await checkSnapshots(files, log, this.#findings);
    const partly = whole
      ? pending.events > 0
        ? WAITING
        : undefined
      : 'the log is not whole: nothing was held against it';
    this.#stages.ranOrPartly('artifacts', partly);
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
  const findings = new Findings(options.policy);
  findings.report({
    code: 'log/missing',
    message: 'the directory holds no log of a stream',
    file: '<stream>.events.jsonl',
  });
  const { verdict, ...found } = findings.conclude();
  const stages = new StageList().list();
  return {
    episode: target.name,
    path: target.dir ?? '',
    dialect: 'exarchos',
    verdict,
    events: 0,
    bytes: 0,
    sealed: false,
    stages,
    ...found,
  };
}
