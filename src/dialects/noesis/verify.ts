import { basename } from 'node:path';
import { EventReporter } from '../../findings/check.ts';
import type { Document } from '../../findings/document.ts';
import { Findings } from '../../findings/findings.ts';
import type { VerifyOptions, VerifyTarget } from '../../findings/options.ts';
import type { Policy } from '../../findings/policy.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { episodeReport, StageList } from '../../findings/stages.ts';
import { isObject } from '../../json/value.ts';
import type { LogExtent } from '../../log/read.ts';
import { checkAttachments } from './artifacts/attachments.ts';
import {
  type Checkpoint,
  CheckpointMarks,
  checkCheckpoint,
  checkCheckpointsWritten,
  readCheckpoints,
} from './artifacts/checkpoint.ts';
import { EpisodeContents } from './artifacts/contents.ts';
import { checkLearnEvents } from './artifacts/learn.ts';
import { checkLines } from './artifacts/lines.ts';
import { checkSeal, readManifest } from './artifacts/manifest.ts';
import {
  FINAL_FILE,
  LEARN_FILE,
  LOG_FILE,
  MANIFEST_FILE,
  PROMPTS_FILE,
  STATE_FILE,
  SUMMARY_FILE,
} from './artifacts/names.ts';
import { PromptLinks } from './artifacts/prompt-links.ts';
import { checkLearnRecord, checkOwner, checkPromptRecord } from './artifacts/records.ts';
import { checkSealMarkers } from './artifacts/seal.ts';
import { SealedLog } from './artifacts/sealed-log.ts';
import { checkSignature } from './artifacts/signature.ts';
import { checkState } from './artifacts/state.ts';
import { checkFinal, checkSummary } from './artifacts/summary.ts';
import { checkConsistency } from './consistency.ts';
import { LogFacts } from './facts.ts';
import { type Look, lookAgain } from './live.ts';
import { passOverLog } from './log-pass.ts';
import { NoesisProjector } from './projection.ts';
import { checkProjection } from './projection-check.ts';
import type { NoesisManifest } from './schema/manifest.ts';

/** A policy without what the next write would mend. */
function whileOpen(policy: Policy): Policy {
  const severities = new Map(policy.severities);
  for (const code of ['log/truncated', 'state/missing'] as const) severities.set(code, 'off');
  return { ...policy, severities };
}

/** One episode on its way through the stages. */
class Verification {
  readonly #target: VerifyTarget;
  readonly #options: VerifyOptions;
  readonly #findings: Findings;
  readonly #stages = new StageList();
  readonly #facts = new LogFacts();
  readonly #projector = new NoesisProjector((record) => record.comparable);
  readonly #events: EventReporter;
  readonly #contents: EpisodeContents;
  readonly #open: boolean;

  constructor(target: VerifyTarget, options: VerifyOptions, { open }: Look) {
    this.#target = target;
    this.#options = options;
    this.#open = open;
    this.#findings = new Findings(open ? whileOpen(options.policy) : options.policy);
    this.#contents = new EpisodeContents(target.dir, this.#findings);
    this.#events = new EventReporter(
      this.#findings,
      target.fileName ?? (target.log === undefined ? LOG_FILE : basename(target.log)),
    );
  }

  async run(): Promise<EpisodeReport> {
    const { dir } = this.#target;
    const { files, cannotRead } = this.#contents;
    const manifestDocument = this.#contents.document(MANIFEST_FILE);
    const manifest = manifestDocument && readManifest(manifestDocument);
    const checkpoints =
      dir === undefined ? [] : await readCheckpoints(dir, files, this.#findings, cannotRead);
    const marks = new CheckpointMarks(checkpoints.map(({ offset }) => offset));

    const entry = manifest?.files.find(({ name }) => name === LOG_FILE);
    const sealed = new SealedLog(entry, this.#options.hashWorker);
    const extent = await this.#readLog(sealed, marks);
    const whole = extent?.whole === true;
    this.#checkState(whole, manifest);
    await this.#checkArtifacts(whole, checkpoints, marks, manifest);
    this.#checkManifest(manifestDocument, manifest, extent && { extent, sealed });
    this.#checkAgreement(whole, manifestDocument);

    const facts = {
      target: this.#target,
      dialect: 'noesis',
      events: extent?.records ?? 0,
      bytes: extent?.bytes ?? 0,
      sealed: this.#contents.isThere(FINAL_FILE),
    };
    return episodeReport(facts, this.#stages.list(), this.#findings);
  }

  async #readLog(sealed: SealedLog, marks: CheckpointMarks): Promise<LogExtent | undefined> {
    const { log } = this.#target;
    if (log === undefined) {
      const message = `the episode has no ${LOG_FILE}: nothing in it can be traced to events`;
      this.#findings.report({ code: 'log/missing', message, file: LOG_FILE });
      for (const stage of ['log', 'events', 'lineage', 'governance'] as const)
        this.#stages.skip(stage, `no ${LOG_FILE}`);
      return undefined;
    }
    if (this.#contents.hasFailed(basename(log))) {
      for (const stage of ['log', 'events', 'lineage', 'governance'] as const)
        this.#stages.skip(stage, `no readable ${basename(log)}`);
      return undefined;
    }
    const extent = await passOverLog({
      log,
      report: this.#events,
      findings: this.#findings,
      facts: this.#facts,
      projector: this.#contents.document(STATE_FILE) ? this.#projector : undefined,
      hasFinal: this.#contents.isThere(FINAL_FILE),
      sealed,
      marks,
    });
    const partly = !extent.whole
      ? 'the log has corrupt lines: only what is certain all the same was checked'
      : undefined;
    this.#stages.ran('log');
    this.#stages.ran('events');
    this.#stages.ranOrPartly('lineage', partly);
    this.#stages.ranOrPartly('governance', partly);
    return extent;
  }

  /** Something lies there that is only written after the last state. */
  get #finished(): boolean {
    return [SUMMARY_FILE, FINAL_FILE, MANIFEST_FILE].some((name) => this.#contents.isThere(name));
  }

  /** How far the run has come: what it writes last tells that its last state was written before. */
  #stage(whole: boolean): 'running' | 'ended' | 'finished' | undefined {
    const { terminate, wentOn } = this.#facts;
    if (terminate === undefined) return whole ? 'running' : undefined;
    return wentOn || this.#finished ? 'finished' : 'ended';
  }

  #checkState(whole: boolean, manifest: NoesisManifest | undefined): void {
    const { dir } = this.#target;
    const state = this.#contents.document(STATE_FILE);
    const missing = dir === undefined ? 'a log alone' : `no readable ${STATE_FILE}`;
    if (state === undefined) {
      if (dir !== undefined && !this.#contents.hasFailed(STATE_FILE)) {
        const message = `the episode has no ${STATE_FILE}; noesis project rebuilds what the log holds`;
        this.#findings.report({ code: 'state/missing', message, file: STATE_FILE });
      }
      this.#stages.skip('state', missing);
      this.#stages.skip('projection', missing);
      return;
    }
    checkState(state, {
      stage: this.#stage(whole),
      files: this.#contents.files,
      sealed: this.#contents.isThere(FINAL_FILE),
      listed: new Set(manifest?.files.map(({ name }) => name)),
    });
    this.#stages.ran('state');
    if (!whole) {
      this.#stages.skip('projection', 'the log is not whole');
      return;
    }
    checkProjection(this.#projector.evidence(), state, this.#finished);
    this.#stages.ran('projection');
  }

  async #checkArtifacts(
    whole: boolean,
    checkpoints: readonly Checkpoint[],
    marks: CheckpointMarks,
    manifest: NoesisManifest | undefined,
  ): Promise<void> {
    const { dir } = this.#target;
    if (dir === undefined) return this.#stages.skip('artifacts', 'a log alone');
    const summary = this.#contents.document(SUMMARY_FILE);
    const final = this.#contents.document(FINAL_FILE);
    if (summary) checkSummary(summary);
    if (final) checkFinal(final);
    const facts = this.#facts;
    const { files, cannotRead } = this.#contents;
    const prompts = new PromptLinks();
    const learnIds = new Set<string>();
    let learnedAll = false;
    if (this.#contents.has(LEARN_FILE)) {
      learnedAll = await checkLines(dir, LEARN_FILE, this.#findings, cannotRead, (logged, report) => {
        checkLearnRecord(logged, report);
        checkOwner(logged, report, facts.episodeId);
        if (logged.id !== undefined) learnIds.add(logged.id);
        const { payload } = logged.event;
        if (isObject(payload) && typeof payload['id'] === 'string') learnIds.add(payload['id']);
      });
    }
    if (this.#contents.has(PROMPTS_FILE)) {
      await checkLines(dir, PROMPTS_FILE, this.#findings, cannotRead, (logged, report) => {
        prompts.add(logged.record);
        checkPromptRecord(logged, report);
        checkOwner(logged, report, facts.episodeId);
      });
    }
    await checkAttachments(dir, files, this.#findings, cannotRead);
    if (whole) {
      if (this.#target.log !== undefined) await prompts.check(dir, this.#target.log, this.#findings);
      if (manifest === undefined) checkCheckpointsWritten(facts, files, this.#events);
      for (const checkpoint of checkpoints) await checkCheckpoint(checkpoint, { dir, files, marks, facts });
      const recordIds = learnedAll ? learnIds : undefined;
      const finished = this.#stage(whole) === 'finished';
      checkLearnEvents({ facts, files, recordIds, manifest, finished, log: this.#events });
    }
    this.#stages.ranOrPartly(
      'artifacts',
      whole ? undefined : 'the log is not whole: nothing was held against it',
    );
  }

  #checkManifest(
    document: Document | undefined,
    manifest: NoesisManifest | undefined,
    log: { extent: LogExtent; sealed: SealedLog } | undefined,
  ): void {
    const { dir } = this.#target;
    const { policy, key } = this.#options;
    if (dir === undefined) return this.#stages.skip('manifest', 'a log alone');
    checkSealMarkers({
      hasFinal: this.#contents.isThere(FINAL_FILE),
      hasManifest: this.#contents.isThere(MANIFEST_FILE),
      manifest,
      ended: this.#facts.terminate !== undefined,
      open: this.#open,
      policy,
      findings: this.#findings,
    });
    if (document === undefined || manifest === undefined) {
      return this.#stages.skip(
        'manifest',
        document ? `${MANIFEST_FILE} is invalid` : `no readable ${MANIFEST_FILE}`,
      );
    }
    checkSeal(document, manifest, {
      dir,
      contents: this.#contents,
      log,
      findings: this.#findings,
      strict: policy.strict,
    });
    checkSignature(document, manifest, key, policy.requireSignature);
    this.#stages.ran('manifest');
  }

  #checkAgreement(whole: boolean, manifest: Document | undefined): void {
    if (!whole) return this.#stages.skip('consistency', 'the log is not whole');
    checkConsistency({
      dir: this.#target.dir,
      facts: this.#facts,
      log: this.#events,
      state: this.#contents.document(STATE_FILE),
      summary: this.#contents.document(SUMMARY_FILE),
      final: this.#contents.document(FINAL_FILE),
      manifest,
    });
    this.#stages.ran('consistency');
  }
}

/**
 * Verifies one Noēsis episode, or a log alone: every check of the catalogue, without stopping at the first finding,
 * and without changing anything. Throws only where the file system does not let it read the log.
 */
export async function verifyNoesis(target: VerifyTarget, options: VerifyOptions): Promise<EpisodeReport> {
  return lookAgain(target, (how: Look) => new Verification(target, options, how).run());
}
