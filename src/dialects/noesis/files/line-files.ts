import { stat } from 'node:fs/promises';
import { fileErrorCode } from '../../../base/errors.ts';
import { LocalHash } from '../../../base/files/stream-hash.ts';
import { tooLongForDocument } from '../../../base/json/limits.ts';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { type EventCheck, EventReporter, type LoggedEvent } from '../../../findings/check.ts';
import { parseOrReport } from '../../../findings/document.ts';
import { AS_STORED, LogForm } from '../../../log/log-form.ts';
import { readLog } from '../../../log/read.ts';
import { field, type LogRecord } from '../../../log/record.ts';
import { type Row, RowSource } from '../../../log/row.ts';
import { membersLayout } from '../../../log/row-layout.ts';
import type { NamedEpisode } from '../course/course.ts';
import { PHASE } from '../event/rows.ts';
import type { EpisodeContents } from './contents.ts';
import { CHECKPOINT_FILE, KNOWN_FILES, LEARN_FILE, MANIFEST_FILE, PROMPTS_FILE } from './names.ts';
import { checkLearnRecord, checkOwner, checkPromptRecord } from './records.ts';

const ID = field('id');

/** How the log is read to look up events: only their ids, as the first column. */
const EVENT_IDS = membersLayout(ID);

/** The references of a prompt: the event it led to, and the event with the outcome (noesis.md §4). */
const LINKS = ['event_id', 'outcome_event_id'].map(field);

/** Yields the references in a prompt's record, by key. */
function* linksOf(record: LogRecord): Generator<readonly [key: string, id: string]> {
  for (const link of LINKS) {
    const id = record.string(link);
    if (id !== undefined) yield [link.name, id];
  }
}

/** Corrupt lines were reported when the file was first read. */
const alreadyReported = (): void => {};

/** The event ids in an episode's prompts, to be looked up in its log. */
class PromptLinks {
  readonly #ids = new Set<string>();

  add(record: LogRecord): void {
    for (const [, id] of linksOf(record)) this.#ids.add(id);
  }

  /**
   * Reports prompts that refer to events not in the log, which must be intact. It reads the log again: few episodes have
   * prompts, so event ids are not kept in the first pass.
   */
  async check(log: string, contents: EpisodeContents): Promise<void> {
    const missing = this.#ids;
    if (missing.size === 0) return;
    const rows = RowSource.open(LogForm.stored(EVENT_IDS));
    try {
      await readLog(log, rows, {
        row: (row) => missing.delete(row.text(0) ?? ''),
        corrupt: alreadyReported,
        between: () => missing.size > 0,
      });
    } finally {
      rows.close();
    }
    if (missing.size === 0) return;
    const report = new EventReporter(contents.findings, PROMPTS_FILE);
    await readLog(contents.path(PROMPTS_FILE), AS_STORED, {
      record: (record) => {
        for (const [key, id] of linksOf(record)) {
          if (!missing.has(id)) continue;
          const message = `the prompt belongs to the event ${JSON.stringify(id)}, which the log does not have`;
          const { line, value: event } = record;
          report.at(
            { record, event, line, id: undefined },
            { code: 'lineage/broken-link', message, path: [key] },
          );
        }
      },
      corrupt: alreadyReported,
    });
  }
}

/**
 * Reads a JSONL artifact, and hashes it if there is a manifest. Reports a line that is not a record as
 * `artifact/corrupt`; without `look` a line may be any JSON value. Returns whether every line could be read.
 */
async function checkLines(
  contents: EpisodeContents,
  name: string,
  look?: (logged: LoggedEvent, report: EventReporter) => void,
): Promise<boolean> {
  const report = new EventReporter(contents.findings, name);
  const hash = contents.isThere(MANIFEST_FILE) ? new LocalHash() : undefined;
  const reading = readLog(contents.path(name), AS_STORED, {
    bytes: (chunk) => hash?.update(chunk),
    record(line) {
      const id = line.string(ID);
      look?.({ record: line, event: line.value, line: line.line, id }, report);
    },
    corrupt({ code, lineExcerpt: _, ...place }) {
      if (code === 'log/not-object' && look === undefined) return;
      report.report({ ...place, code: 'artifact/corrupt', file: name });
    },
  });
  try {
    const { bytes: size, corruptions } = await reading;
    if (hash) contents.keepDigest(name, { sha256: hash.digest(), size });
    return corruptions === 0;
  } catch (error) {
    contents.cannotRead(name, fileErrorCode(error));
    return false;
  }
}

/**
 * Checks learn.jsonl. Returns the ids of its records and proposals; undefined if a line could not be read.
 */
export async function checkLearn(
  contents: EpisodeContents,
  episode: NamedEpisode | undefined,
): Promise<ReadonlySet<string> | undefined> {
  if (!contents.has(LEARN_FILE)) return undefined;
  const ids = new Set<string>();
  const isWhole = await checkLines(contents, LEARN_FILE, (logged, report) => {
    checkLearnRecord(logged, report);
    checkOwner(logged, report, episode);
    if (logged.id !== undefined) ids.add(logged.id);
    const { payload } = logged.event;
    if (isObject(payload) && typeof payload['id'] === 'string') ids.add(payload['id']);
  });
  return isWhole ? ids : undefined;
}

/** Checks prompts.jsonl. Returns the references to events, to be checked with the log. */
export async function checkPrompts(
  contents: EpisodeContents,
  episode: NamedEpisode | undefined,
): Promise<PromptLinks> {
  const links = new PromptLinks();
  if (!contents.has(PROMPTS_FILE)) return links;
  await checkLines(contents, PROMPTS_FILE, (logged, report) => {
    links.add(logged.record);
    checkPromptRecord(logged, report);
    checkOwner(logged, report, episode);
  });
  return links;
}

/** Collects the learn events of a log. */
export class LearnEvents implements EventCheck {
  readonly types = new Set([PHASE.learn]);
  readonly events: {
    readonly payload: JsonObject;
    readonly line: number;
    readonly id: string | undefined;
  }[] = [];

  row({ record, line, id }: Row): void {
    const { payload } = record.comparable;
    if (isObject(payload)) this.events.push({ payload, line, id });
  }
}

/**
 * Checks learn events of a finished run that refer to learn.jsonl: the file, its records and the seal
 * (noesis.md §8.5). `recordIds`: the ids in the file; undefined if part of it could not be read.
 */
export function checkLearnEvents(
  { events }: LearnEvents,
  contents: EpisodeContents,
  recordIds: ReadonlySet<string> | undefined,
  log: EventReporter,
): void {
  for (const { payload, line, id } of events) {
    if (payload['learn_path'] !== LEARN_FILE) continue;
    const say = (message: string) => log.onLine(line, id, { code: 'consistency/learn', message });
    if (!contents.lists(LEARN_FILE)) {
      say(`the event points to ${LEARN_FILE}, which does not exist`);
      continue;
    }
    if (contents.manifest && contents.entry(LEARN_FILE)?.kind !== 'learn')
      say(`the manifest does not list ${LEARN_FILE} as kind learn`);
    const proposals = payload['proposal_ids'];
    if (recordIds === undefined || !Array.isArray(proposals)) continue;
    for (const proposal of proposals) {
      if (typeof proposal !== 'string' || recordIds.has(proposal)) continue;
      say(`proposal ${JSON.stringify(proposal)} is not in ${LEARN_FILE}`);
    }
  }
}

/**
 * Checks that every other JSON and JSONL file of an episode, such as snapshots and transcripts, can be
 * parsed. Files over 64 MiB are only covered by the manifest's hash.
 */
export async function checkAttachments(contents: EpisodeContents): Promise<void> {
  for (const { name, inside } of contents.files) {
    if (!inside || KNOWN_FILES.has(name) || CHECKPOINT_FILE.test(name)) continue;
    if (name.endsWith('.jsonl')) await checkLines(contents, name);
    if (!name.endsWith('.json')) continue;
    const size = await stat(contents.path(name)).then(
      (status) => status.size,
      () => 0,
    );
    if (tooLongForDocument(size) !== undefined) continue;
    const bytes = contents.read(name);
    if (bytes) parseOrReport(name, bytes, 'artifact/corrupt', contents.findings);
  }
}
