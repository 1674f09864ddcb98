import { basename, dirname } from 'node:path';
import { isThere } from '../../base/files/files.ts';
import { severitiesOf } from '../../findings/catalogue-severities.ts';
import { EventReporter } from '../../findings/check.ts';
import type { Document } from '../../findings/document.ts';
import { Findings } from '../../findings/findings.ts';
import {
  chainSettings,
  type LogVerifyOptions,
  logFileOf,
  placeOf,
  type VerifyTarget,
} from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { requireLog, runStages, stage } from '../../findings/stages.ts';
import type { LogExtent } from '../../log/read.ts';
import { checkConsistency } from './agreement/index.ts';
import { LogStatements } from './agreement/log-statements.ts';
import { NOESIS } from './catalogue.ts';
import {
  type Checkpoint,
  CheckpointEvents,
  CheckpointMarks,
  checkCheckpoint,
  checkCheckpointsWritten,
  readCheckpoints,
} from './checkpoint/checkpoint.ts';
import { Course } from './course/course.ts';
import { EpisodeContents } from './files/contents.ts';
import {
  checkAttachments,
  checkLearn,
  checkLearnEvents,
  checkPrompts,
  LearnEvents,
} from './files/line-files.ts';
import { type Look, lookAgain, whileOpen } from './files/live.ts';
import { FINAL_FILE, LOG_FILE, MANIFEST_FILE, STATE_FILE, SUMMARY_FILE } from './files/names.ts';
import { checkSummary } from './files/summary.ts';
import { passOverLog } from './log-pass.ts';
import { finalSchema } from './seal/final-schema.ts';
import { checkSeal } from './seal/manifest.ts';
import type { NoesisManifest } from './seal/manifest-schema.ts';
import { checkSealMarkers } from './seal/markers.ts';
import { SealedLog } from './seal/sealed-log.ts';
import { checkSignature } from './seal/signature.ts';
import { actionsOf } from './state/action-comparison.ts';
import { isPaused } from './state/outcome-comparison.ts';
import { hasWrittenLastState, NoesisProjector } from './state/projection.ts';
import { checkProjection } from './state/projection-check.ts';
import { checkState } from './state/state-check.ts';

const SEVERITIES = severitiesOf(NOESIS);

/** Why stages are skipped or incomplete. */
const LOG_ALONE = 'a log alone';
const NOT_INTACT = 'the log is damaged';
const PARTLY = 'the log has damaged lines, so only what they cannot affect was checked';

/** A valid manifest. */
interface SealedBy {
  readonly document: Document;
  readonly manifest: NoesisManifest;
}

/** The verification of one episode. */
class Verification {
  readonly #target: VerifyTarget;
  readonly #options: LogVerifyOptions;
  readonly #findings: Findings;
  readonly #course = new Course();
  readonly #said = new LogStatements(this.#course);
  readonly #learn = new LearnEvents();
  readonly #checkpoints = new CheckpointEvents();
  readonly #projector = new NoesisProjector('values', false, this.#course);
  readonly #events: EventReporter;
  readonly #contents: EpisodeContents;
  readonly #open: boolean;

  constructor(target: VerifyTarget, options: LogVerifyOptions, { open, listing }: Look) {
    this.#target = target;
    this.#options = options;
    this.#open = open;
    this.#findings = new Findings(open ? whileOpen(options.policy) : options.policy, SEVERITIES);
    this.#contents = new EpisodeContents(target, listing, this.#findings);
    this.#events = new EventReporter(this.#findings, logFileOf(target, LOG_FILE));
  }

  async run(): Promise<EpisodeReport> {
    const { dir } = this.#target;
    const checkpoints = readCheckpoints(this.#contents);
    const marks = new CheckpointMarks(checkpoints.map(({ offset }) => offset));
    const sealed = new SealedLog(this.#contents.entry(LOG_FILE), this.#options.hashWorker);
    const state = this.#contents.document(STATE_FILE);
    const noState = dir === undefined ? LOG_ALONE : `${STATE_FILE} is missing or cannot be read`;
    const log = stage({
      names: ['log', 'events', 'lineage', 'governance'],
      needs: () => this.#requireLog(),
      run: ({ path }) => this.#readLog(path, sealed, marks),
      partly: ({ whole }) => (whole ? undefined : { lineage: PARTLY, governance: PARTLY }),
    });
    const isWhole = () => log.result?.whole === true;
    const projection = stage({
      names: ['projection'],
      needs: () => (state === undefined ? noState : isWhole() ? state : NOT_INTACT),
      run: (document) => checkProjection(this.#projector, document, this.#finished),
    });
    const differing = () => projection.result ?? new Set<string>();
    const stateAlone = stage({
      names: ['state'],
      needs: () => state ?? this.#missState(noState),
      run: (document) => this.#checkState(document, isWhole(), differing()),
    });
    const artifacts = stage({
      names: ['artifacts'],
      needs: () => (dir === undefined ? LOG_ALONE : this.#contents),
      run: (contents) => this.#checkArtifacts(contents, log.result, checkpoints, marks),
      partly: () => (isWhole() ? undefined : 'the log is damaged: nothing was compared with it'),
    });
    const manifest = stage({
      names: ['manifest'],
      needs: () => this.#requireManifest(),
      run: (found) => this.#checkManifest(found, log.result && { extent: log.result, sealed }),
    });
    const consistency = stage({
      names: ['consistency'],
      needs: () => (isWhole() ? undefined : NOT_INTACT),
      run: () => this.#checkAgreement(differing()),
    });
    const steps = [log, projection, stateAlone, artifacts, manifest, consistency];
    const facts = () => ({
      target: this.#target,
      dialect: 'noesis',
      events: log.result?.records ?? 0,
      bytes: log.result?.bytes ?? 0,
      sealed: this.#contents.isThere(FINAL_FILE),
      signed: manifest.result?.isSigned ?? false,
      leavesOutState: dir === undefined && this.#hasStateBeside(),
    });
    return runStages(steps, facts, this.#findings);
  }

  /** Whether the folder of a single log has a state, which may be that of the log. */
  #hasStateBeside(): boolean {
    const place = placeOf(this.#target);
    return place !== undefined && isThere(dirname(place), STATE_FILE);
  }

  #requireLog(): { readonly path: string } | string {
    const { log } = this.#target;
    const message = `the episode has no ${LOG_FILE}: nothing in it can be traced to events`;
    const found = requireLog(log, { message, file: LOG_FILE, reason: `no ${LOG_FILE}` }, this.#findings);
    const hasFailed = log !== undefined && this.#contents.hasFailed(basename(log));
    return hasFailed ? `${basename(log)} is missing or cannot be read` : found;
  }

  #readLog(log: string, sealed: SealedLog, marks: CheckpointMarks): Promise<LogExtent> {
    const state = this.#contents.document(STATE_FILE);
    if (state) this.#projector.mirrorIn(actionsOf(state.comparable));
    return passOverLog({
      log,
      report: this.#events,
      findings: this.#findings,
      course: this.#course,
      said: this.#said,
      learn: this.#learn,
      checkpoints: this.#checkpoints,
      projector: state && this.#projector,
      hasFinal: this.#contents.isThere(FINAL_FILE),
      sealed,
      marks,
      onBytes: this.#options.onBytes,
      chain: chainSettings(this.#options),
      form: this.#options.form,
    });
  }

  /** Whether a file exists that is only written after the last state. */
  get #finished(): boolean {
    return hasWrittenLastState((name) => this.#contents.isThere(name));
  }

  /** The progress of the run. Some files are only written after the last state. */
  #stage(whole: boolean): 'running' | 'ended' | 'finished' | undefined {
    const { end, hasLaterEvents } = this.#course;
    if (end === undefined) return whole ? 'running' : undefined;
    return hasLaterEvents || this.#finished ? 'finished' : 'ended';
  }

  /** Reports a missing state, unless a single log is verified or the state is unreadable. */
  #missState(reason: string): string {
    if (this.#target.dir !== undefined && !this.#contents.hasFailed(STATE_FILE)) {
      const message = `the episode has no ${STATE_FILE}; run noesis project to see the state that the log gives`;
      this.#findings.report({ code: 'state/missing', message, file: STATE_FILE });
    }
    return reason;
  }

  #checkState(state: Document, whole: boolean, differing: ReadonlySet<string>): void {
    checkState(state, {
      stage: this.#stage(whole),
      paused: whole && isPaused(this.#projector.evidence()),
      contents: this.#contents,
      differing,
    });
  }

  async #checkArtifacts(
    contents: EpisodeContents,
    extent: LogExtent | undefined,
    checkpoints: readonly Checkpoint[],
    marks: CheckpointMarks,
  ): Promise<void> {
    const summary = contents.document(SUMMARY_FILE);
    if (summary) checkSummary(summary);
    contents.document(FINAL_FILE)?.fits(finalSchema, 'artifact/schema');
    const { episode } = this.#course;
    if (contents.manifest === undefined) this.#reportInnerLogs();
    const recordIds = await checkLearn(contents, episode);
    const prompts = await checkPrompts(contents, episode);
    await checkAttachments(contents);
    const { log } = this.#target;
    if (extent?.whole !== true || log === undefined) return;
    await prompts.check(log, contents);
    if (contents.manifest === undefined) checkCheckpointsWritten(this.#checkpoints, contents, this.#events);
    const run = { course: this.#course, records: extent.records };
    for (const checkpoint of checkpoints) checkCheckpoint(checkpoint, marks, run, contents);
    // The runtime writes learn events before the file.
    if (this.#stage(true) === 'finished') checkLearnEvents(this.#learn, contents, recordIds, this.#events);
  }

  /** Reports other logs in the folder of an episode without a manifest. */
  #reportInnerLogs(): void {
    const message = 'a log inside the episode that no manifest lists; it is a separate episode';
    for (const file of this.#target.inner ?? [])
      this.#findings.report({ code: 'artifact/inner-log', message, file });
  }

  /** Reports which parts of the seal exist. Returns the manifest to verify, or why there is none. */
  #requireManifest(): SealedBy | string {
    if (this.#target.dir === undefined) return LOG_ALONE;
    const ended = this.#course.end !== undefined;
    checkSealMarkers(this.#contents, this.#options.policy, { ended, open: this.#open });
    const { manifest } = this.#contents;
    const document = this.#contents.document(MANIFEST_FILE);
    if (document && manifest) return { document, manifest };
    return document ? `${MANIFEST_FILE} is not valid` : `${MANIFEST_FILE} is missing or cannot be read`;
  }

  #checkManifest(
    { document, manifest }: SealedBy,
    log: { extent: LogExtent; sealed: SealedLog } | undefined,
  ): { readonly isSigned: boolean } {
    const { policy, key } = this.#options;
    checkSeal(document, manifest, { contents: this.#contents, log, strict: policy.strict });
    return { isSigned: checkSignature(document, manifest, key, policy.requireSignature) };
  }

  #checkAgreement(differing: ReadonlySet<string>): void {
    checkConsistency({
      dir: this.#target.dir,
      course: this.#course,
      said: this.#said,
      log: this.#events,
      state: this.#contents.document(STATE_FILE),
      summary: this.#contents.document(SUMMARY_FILE),
      final: this.#contents.document(FINAL_FILE),
      manifest: this.#contents.document(MANIFEST_FILE),
      differing,
    });
  }
}

/**
 * Verifies a Noēsis episode or a single log. Runs every check and changes nothing. Throws only if the log
 * cannot be read.
 */
export async function verifyNoesis(target: VerifyTarget, options: LogVerifyOptions): Promise<EpisodeReport> {
  return lookAgain(target, (how: Look) => new Verification(target, options, how).run());
}
