import { createHash } from 'node:crypto';
import { fileErrorCode } from '../../../base/errors.ts';
import { hashFile } from '../../../base/files/digest.ts';
import { named } from '../../../base/json/write.ts';
import type { EventCheck, EventReporter } from '../../../findings/check.ts';
import { type Document, openDocument } from '../../../findings/document.ts';
import type { Row } from '../../../log/row.ts';
import { asObject, stringIn } from '../../kit/members.ts';
import type { Course } from '../course/course.ts';
import { pythonJson } from '../event/python-json.ts';
import { COLUMN, PHASE } from '../event/rows.ts';
import type { EpisodeContents } from '../files/contents.ts';
import {
  CHECKPOINT_FILE,
  LEARN_FILE,
  LOG_FILE,
  MANIFEST_FILE,
  PROMPTS_FILE,
  STATE_FILE,
  SUMMARY_FILE,
} from '../files/names.ts';
import { checkpointSchema } from './schema.ts';

/**
 * The files that a checkpoint's digest covers, in order. Of the log it covers only the records before the checkpoint.
 */
const DIGESTED = [LOG_FILE, PROMPTS_FILE, STATE_FILE, SUMMARY_FILE, LEARN_FILE];

/** The id and the end of the last record that a checkpoint covers. */
interface Mark {
  readonly id: string | undefined;
  /** The offset after the record's newline. */
  readonly end: number;
}

/** Remembers the offset in the log at each checkpoint that a file names. */
export class CheckpointMarks implements EventCheck {
  readonly marks = new Map<number, Mark | undefined>();

  constructor(offsets: readonly number[]) {
    for (const offset of offsets) this.marks.set(offset, undefined);
  }

  row(row: Row): void {
    if (this.marks.size === 0) return;
    const { ordinal, byteEnd } = row.record;
    if (this.marks.has(ordinal)) this.marks.set(ordinal, { id: row.id, end: byteEnd + 1 });
  }
}

/** A checkpoint event that names the file of its checkpoint. */
interface WrittenCheckpoint {
  readonly path: string;
  readonly line: number;
  readonly id: string | undefined;
}

/** Collects the checkpoints of a log that have a file. */
export class CheckpointEvents implements EventCheck {
  readonly types = new Set([PHASE.runtime]);
  readonly written: WrittenCheckpoint[] = [];

  row(row: Row): void {
    if (row.text(COLUMN.eventType) !== 'run.checkpoint') return;
    const path = stringIn(asObject(row.event['payload']), 'checkpoint_path');
    if (path !== undefined) this.written.push({ path, line: row.line, id: row.id });
  }
}

/** A valid checkpoint.json. */
export interface Checkpoint {
  readonly document: Document;
  readonly id: string;
  /** Whether its folder is named after it. Copies elsewhere only have to be valid. */
  readonly isInOwnFolder: boolean;
  readonly runId: string;
  readonly offset: number;
  readonly lastEventId: string;
  readonly stateHash: string;
  readonly digest: string;
}

/** Reads every checkpoint of an episode and reports invalid ones. */
export function readCheckpoints(contents: EpisodeContents): Checkpoint[] {
  const found: Checkpoint[] = [];
  for (const { name, inside } of contents.files) {
    const folder = CHECKPOINT_FILE.exec(name)?.[1];
    const bytes = folder !== undefined && inside ? contents.read(name) : undefined;
    const document = bytes && openDocument(name, bytes, 'artifact/corrupt', contents.findings);
    if (folder === undefined || !document?.fits(checkpointSchema, 'artifact/schema')) continue;
    const value = checkpointSchema.parse(document.value);
    if (value.checkpoint_id !== folder) {
      const message = `checkpoint_id is ${named(value.checkpoint_id)}, but the folder is ${named(folder)}`;
      document.at({
        code: 'checkpoint/mismatch',
        message,
        path: ['checkpoint_id'],
        expected: folder,
        actual: value.checkpoint_id,
      });
    }
    found.push({
      document,
      id: value.checkpoint_id,
      isInOwnFolder: value.checkpoint_id === folder,
      runId: value.run_id,
      offset: value.event_offset,
      lastEventId: value.last_event_id,
      stateHash: value.state_hash,
      digest: value.artifact_manifest_hash,
    });
  }
  return found;
}

function artifactDigest(contents: EpisodeContents, logEnd: number): string {
  const path = (name: string) => contents.path(name);
  if (contents.has(MANIFEST_FILE)) return `sha256:${hashFile(path(MANIFEST_FILE)).sha256}`;
  const entries = [];
  for (const name of DIGESTED) {
    if (!contents.has(name)) continue;
    const { sha256, size } = hashFile(path(name), name === LOG_FILE ? logEnd : undefined);
    entries.push({ name, sha256: `sha256:${sha256}`, size_bytes: size });
  }
  const digested = { files: entries, schema_version: 'checkpoint_artifact_digest/1.0.0' };
  const text = pythonJson(digested, 'utf8');
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/**
 * Compares a checkpoint with the log. If the run has not continued since, also compares state.json and the digest of the
 * files (noesis.md §9).
 */
export function checkCheckpoint(
  checkpoint: Checkpoint,
  { marks }: CheckpointMarks,
  { course, records }: { readonly course: Course; readonly records: number },
  contents: EpisodeContents,
): void {
  const { document, offset, lastEventId, runId } = checkpoint;
  const say: Say = (message, key, expected, actual) =>
    document.at({ code: 'checkpoint/mismatch', message, path: [key], expected, actual });
  const episode = course.episode?.value;
  if (episode !== undefined && runId !== episode) {
    const message = `the checkpoint is of run ${named(runId)}; the log is of ${named(episode)}`;
    document.at({
      code: 'consistency/episode-id',
      message,
      path: ['run_id'],
      expected: episode,
      actual: runId,
    });
  }
  const mark = marks.get(offset);
  if (mark === undefined) {
    say(
      `event_offset is ${offset}, but the log has ${records} records`,
      'event_offset',
      `at most ${records}`,
      String(offset),
    );
    return;
  }
  if (mark.id !== lastEventId) {
    say(
      `the id of record ${offset} of the log is not last_event_id`,
      'last_event_id',
      mark.id ?? 'an event without id',
      lastEventId,
    );
    return;
  }
  if (checkpoint.isInOwnFolder && course.atCheckpoint === checkpoint.id)
    checkHashes(checkpoint, contents, mark.end, say);
}

/** Every checkpoint in the log must exist, so that the run can be resumed from it (noesis.md §9). */
export function checkCheckpointsWritten(
  { written }: CheckpointEvents,
  contents: EpisodeContents,
  log: EventReporter,
): void {
  for (const { path, line, id } of written) {
    if (contents.lists(path)) continue;
    const message = `the event points to ${JSON.stringify(path)}, which does not exist: the run cannot continue from it`;
    log.onLine(line, id, { code: 'checkpoint/mismatch', message });
  }
}

type Say = (message: string, key: string, expected: string, actual: string) => void;

/** Compares the hashes in a checkpoint. A file that cannot be read was reported already. */
function checkHashes(
  { stateHash, digest }: Checkpoint,
  contents: EpisodeContents,
  logEnd: number,
  say: Say,
): void {
  let state: string | undefined;
  let actual: string;
  try {
    if (contents.has(STATE_FILE)) state = `sha256:${hashFile(contents.path(STATE_FILE)).sha256}`;
    actual = artifactDigest(contents, logEnd);
  } catch (error) {
    return void fileErrorCode(error);
  }
  // The digest covers the state too, so a changed state is not reported twice.
  if (state !== undefined && state !== stateHash)
    say('state.json has changed since this checkpoint', 'state_hash', state, stateHash);
  else if (actual !== digest)
    say(
      'the files of the episode have changed since this checkpoint',
      'artifact_manifest_hash',
      actual,
      digest,
    );
}
