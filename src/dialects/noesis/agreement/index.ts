import { valueAt } from '../../../base/json/path.ts';
import { type JsonObject, type JsonValue, jsonEqual } from '../../../base/json/value.ts';
import type { FindingCode } from '../../../findings/codes.ts';
import { INTUITION_MODES, isOneOf, sameStatus } from '../event/vocabulary.ts';
import { folderName, isEpisodeId } from '../files/folder-name.ts';
import { Agreement } from './agreement.ts';
import { checkMetrics } from './metrics.ts';
import { checkOutcomes } from './outcomes.ts';
import { checkStartedAt } from './started-at.ts';
import { type EpisodeView, isLastState } from './view.ts';

const withoutAdapter = (value: JsonValue) =>
  typeof value === 'string' ? value.replace(/^adapter:/, '') : value;

function sameUsing(a: JsonValue, b: JsonValue): boolean {
  return jsonEqual(withoutAdapter(a), withoutAdapter(b));
}

function sameWord(a: JsonValue, b: JsonValue): boolean {
  return typeof a === 'string' && typeof b === 'string' ? sameStatus(a, b) : jsonEqual(a, b);
}

function checkIds(view: EpisodeView): void {
  const { dir, course, log } = view;
  // A log whose records have no ids may name its episode in its last event.
  const first = course.firstEpisode;
  const agreement = new Agreement(view, 'consistency/episode-id');
  const name = dir === undefined ? undefined : folderName(dir);
  if (first)
    agreement.event('the log', { payload: { id: first.value }, line: first.line, id: first.id }, 'id');
  else if (name !== undefined && isEpisodeId(name)) agreement.folder(name);
  for (const [document, path] of [
    [view.manifest, ['episode_id']],
    [view.state, ['episode', 'id']],
    [view.summary, ['episode_id']],
    [view.final, ['episode_id']],
  ] as const) {
    agreement.document(document, path);
  }
  agreement.settle();
  // A name that is no id, such as that of a copy, says nothing about the run.
  if (name === undefined || !isEpisodeId(name) || first === undefined || name === first.value) return;
  const message = `the folder is called ${JSON.stringify(name)}, but the log belongs to ${JSON.stringify(first.value)}`;
  log.onLine(first.line, first.id, {
    code: 'consistency/episode-id',
    message,
    expected: name,
    actual: first.value,
  });
}

/** The keys of a process block, with their names in final.json. */
const PROCESS = [['id', 'process_id'], ['run_index', 'run_index'], ['name'], ['kind']] as const;

/** Durations and times come from different clocks, so small differences are ignored. */
const DURATION_SLACK_MS = 1000;

/** Compares the duration that terminate states with the times of the run. */
function checkDuration({ course, said, log }: EpisodeView): void {
  const { end } = course;
  const { duration: stated } = said;
  const passed = course.duration();
  // A negative duration has its own finding.
  if (end === undefined || passed === undefined || stated === undefined || stated < 0) return;
  if (Math.abs(passed - stated) <= Math.max(DURATION_SLACK_MS, passed / 100)) return;
  const message = `payload.duration_ms is ${stated}, but ${passed} ms passed from the start event to the end`;
  log.onLine(end.line, end.id, {
    code: 'event/metrics',
    severity: 'info',
    message,
    expected: String(passed),
    actual: String(stated),
  });
}

/**
 * Notes a missing id and duration at the end of a run, which the documents require. Runtimes write neither, but put the
 * id on every record, so this only concerns logs without ids.
 */
function checkEnd({ course: { end, episode }, said, log }: EpisodeView): void {
  if (end === undefined || episode !== undefined) return;
  const missing = [
    ...(end.episode === undefined ? ['payload.episode_id'] : []),
    ...(said.duration === undefined ? ['payload.duration_ms'] : []),
  ];
  if (missing.length === 0) return;
  const message = `terminate has no ${missing.join(' and no ')}, and no record has an episode_id`;
  log.onLine(end.line, end.id, { code: 'event/payload', severity: 'info', message });
}

/** Checks that artifacts agree on all values that they repeat (noesis.md §8.5). */
export function checkConsistency(view: EpisodeView): void {
  const { course, said, state, summary, final } = view;
  const { start, observe } = said;
  checkIds(view);
  checkEnd(view);
  checkDuration(view);
  const agree = (code: FindingCode, equal?: (a: JsonValue, b: JsonValue) => boolean) =>
    new Agreement(view, code, equal);
  agree('consistency/task')
    .event('start', start, 'task')
    .event('observe', observe, 'task')
    .document(state, ['goal', 'task'])
    .document(summary, ['task'])
    .settle();
  agree('consistency/using', sameUsing)
    .event('start', start, 'using')
    .document(state, ['episode', 'using'])
    .document(summary, ['flags', 'using'])
    .settle();
  // If intuition is off, the summary says `off`, but the state has the configured mode.
  if (valueAt(summary?.value, ['flags', 'intuition']) === true)
    agree('consistency/mode')
      .document(state, ['episode', 'intuition_mode'], (word) =>
        isOneOf(INTUITION_MODES, word) ? word : undefined,
      )
      .document(summary, ['flags', 'mode'])
      .settle();
  if (course.resumedAt === 0)
    agree('consistency/mode')
      .event('governance', said.governance, 'mode')
      .document(summary, ['flags', 'governance_mode'])
      .settle();
  agree('consistency/seed')
    .event('start', start, 'seed')
    .document(state, ['episode', 'seed'])
    .document(summary, ['seed'])
    .settle();
  agree('consistency/tags')
    .event('observe', observe, 'tags')
    .document(state, ['episode', 'tags'])
    .document(summary, ['tags'])
    .settle();
  checkStartedAt(view);
  if (course.end) {
    const { status, line, id } = course.end;
    const ended: JsonObject = typeof status === 'string' ? { status } : {};
    agree('consistency/status', sameWord)
      .event('terminate', { payload: ended, line, id }, 'status')
      .document(isLastState(view) ? state : undefined, ['outcomes', 'status'])
      .document(summary, ['status'])
      .settle();
  }
  for (const [key, inFinal] of PROCESS) {
    agree('consistency/process')
      .document(state, ['process', key])
      .document(summary, ['process', key])
      .document(inFinal && final, [inFinal ?? key])
      .settle();
  }
  checkOutcomes(view);
  checkMetrics(view);
}
