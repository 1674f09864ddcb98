import { basename } from 'node:path';
import type { FindingCode } from '../../findings/catalogue/index.ts';
import type { EventReporter } from '../../findings/check.ts';
import type { Document } from '../../findings/document.ts';
import type { Severity } from '../../findings/finding.ts';
import { type JsonPath, valueAt } from '../../json/path.ts';
import { isObject, type JsonObject, type JsonValue, jsonEqual } from '../../json/value.ts';
import { parseInstant } from '../../time/instant.ts';
import type { LogFacts } from './facts.ts';
import { isFailure, sameStatus } from './vocabulary.ts';

/** The artifacts of one episode that could be read, and what the log says. */
export interface EpisodeView {
  /** The episode's directory; undefined for a log alone. */
  readonly dir: string | undefined;
  readonly facts: LogFacts;
  readonly log: EventReporter;
  readonly state: Document | undefined;
  readonly summary: Document | undefined;
  readonly final: Document | undefined;
  readonly manifest: Document | undefined;
}

/** One statement of a value that several places repeat. */
interface Statement {
  readonly value: JsonValue | undefined;
  /** Where it stands, for the message: `start on line 1`, `state.json goal.task`. */
  readonly where: string;
  readonly report: (message: string, expected: string, actual: string) => void;
}

const show = (value: JsonValue | undefined): string => JSON.stringify(value) ?? 'nothing';

/** Builds statements, and compares them: the first that is there sets the value, each that differs is reported. */
class Agreement {
  readonly #code: FindingCode;
  readonly #view: EpisodeView;
  readonly #severity: Severity | undefined;
  readonly #equal: (a: JsonValue, b: JsonValue) => boolean;
  readonly #statements: Statement[] = [];

  constructor(
    view: EpisodeView,
    code: FindingCode,
    equal: (a: JsonValue, b: JsonValue) => boolean = jsonEqual,
    severity?: Severity,
  ) {
    this.#view = view;
    this.#code = code;
    this.#equal = equal;
    this.#severity = severity;
  }

  /** What an event's payload says. */
  event(phase: string, fact: LogFacts['start'], key: string): this {
    if (fact === undefined) return this;
    const { line, id, payload } = fact;
    this.#statements.push({
      value: payload[key],
      where: `${phase} on line ${line}`,
      report: (message, expected, actual) =>
        this.#view.log.onLine(line, id, { code: this.#code, message, expected, actual, ...this.#weight() }),
    });
    return this;
  }

  /** What an artifact says at a path; `read` may translate it. */
  document(
    document: Document | undefined,
    path: JsonPath,
    read?: (value: JsonValue) => JsonValue | undefined,
  ): this {
    if (document === undefined) return this;
    const stored = valueAt(document.value, path) as JsonValue | undefined;
    this.#statements.push({
      value: stored === undefined || read === undefined ? stored : read(stored),
      where: `${document.name} ${path.join('.')}`,
      report: (message, expected, actual) =>
        document.at({ code: this.#code, message, path, expected, actual, ...this.#weight() }),
    });
    return this;
  }

  settle(): void {
    const [first, ...rest] = this.#statements.filter(({ value }) => value !== undefined && value !== null);
    if (first?.value === undefined) return;
    for (const { value, where, report } of rest) {
      if (value === undefined || this.#equal(first.value, value)) continue;
      report(
        `${where} says ${show(value)}, ${first.where} says ${show(first.value)}`,
        show(first.value),
        show(value),
      );
    }
  }

  #weight(): { severity?: Severity } {
    return this.#severity === undefined ? {} : { severity: this.#severity };
  }
}

function sameInstants(a: JsonValue, b: JsonValue): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return jsonEqual(a, b);
  return a === b || (parseInstant(a) !== undefined && parseInstant(a) === parseInstant(b));
}

const withoutAdapter = (value: JsonValue) =>
  typeof value === 'string' ? value.replace(/^adapter:/, '') : value;

function sameUsing(a: JsonValue, b: JsonValue): boolean {
  return jsonEqual(withoutAdapter(a), withoutAdapter(b));
}

function sameWord(a: JsonValue, b: JsonValue): boolean {
  return typeof a === 'string' && typeof b === 'string' ? sameStatus(a, b) : jsonEqual(a, b);
}

function checkIds(view: EpisodeView): void {
  const { dir, facts, log } = view;
  const first = facts.episodeId;
  const agreement = new Agreement(view, 'consistency/episode-id');
  agreement.event(
    'the log',
    first && { payload: { id: first.value ?? null }, line: first.line, id: first.id },
    'id',
  );
  for (const [document, path] of [
    [view.manifest, ['episode_id']],
    [view.state, ['episode', 'id']],
    [view.summary, ['episode_id']],
    [view.final, ['episode_id']],
  ] as const) {
    agreement.document(document, path);
  }
  agreement.settle();
  if (dir === undefined || first === undefined || basename(dir) === first.value) return;
  const name = basename(dir);
  const message = `the directory is called ${JSON.stringify(name)}, the log is of ${show(first.value)}`;
  log.onLine(first.line, first.id, {
    code: 'consistency/episode-id',
    message,
    expected: name,
    actual: String(first.value),
  });
}

/** What final.json must say for a summary's outcome (noesis.md §8.4); a vetoed run says so itself. */
const FINAL_OF: Readonly<Record<string, readonly [outcome: string, verification: string]>> = {
  success: ['success', 'verified'],
  success_unverified: ['success', 'unverified'],
  goal_not_achieved: ['failed', 'verified'],
  error: ['error', 'not_applicable'],
};

function checkFinalOutcome({ facts, summary, final }: EpisodeView): void {
  if (final === undefined) return;
  const ended = facts.terminate?.value;
  const stated = valueAt(final.value, ['outcome']);
  const outcome = valueAt(summary?.value, ['outcome']);
  const mapped =
    typeof outcome === 'string' && Object.hasOwn(FINAL_OF, outcome) ? FINAL_OF[outcome] : undefined;
  const vetoed = ended === 'vetoed';
  const wanted = vetoed ? (['vetoed', 'not_applicable'] as const) : mapped;
  if (isFailure(ended) && stated === 'success' && (wanted ?? ['success'])[0] === 'success') {
    const message = `the run ended with ${String(ended)} on line ${facts.terminate?.line}, and final.json says success`;
    const values = { expected: String(ended), actual: stated };
    final.at({ code: 'consistency/status', message, path: ['outcome'], ...values });
    return;
  }
  if (wanted === undefined) return;
  // A run that was stopped is written down as an error by some runtimes and as cancelled by others.
  const stopped =
    (ended === 'aborted' || ended === 'cancelled') && ['cancelled', 'interrupted'].includes(String(stated));
  const reason = vetoed ? 'a vetoed run' : `summary.json says ${String(outcome)}, for which final.json`;
  for (const [index, key] of (['outcome', 'verification_status'] as const).entries()) {
    const actual = valueAt(final.value, [key]);
    const expected = wanted[index] ?? '';
    if (typeof actual !== 'string' || actual === expected || stopped) continue;
    const message = `${reason} has ${key} ${expected}, not ${actual}`;
    final.at({ code: 'consistency/status', message, path: [key], expected, actual });
  }
}

function checkSummaryOutcome({ summary }: EpisodeView): void {
  const value = summary?.value;
  if (summary === undefined || !isObject(value) || !isObject(value['verification'])) return;
  const { adapter_result: result, outcome } = value;
  const { provided, passed } = value['verification'];
  if (typeof result !== 'string' || typeof outcome !== 'string' || typeof provided !== 'boolean') return;
  const expected =
    result !== 'success'
      ? 'error'
      : !provided
        ? 'success_unverified'
        : passed === true
          ? 'success'
          : 'goal_not_achieved';
  if (outcome === expected) return;
  const message = `outcome is ${outcome}; adapter_result and verification give ${expected}`;
  summary.at({ code: 'consistency/status', message, path: ['outcome'], expected, actual: outcome });
}

/** The keys of a process block, and what final.json calls those it repeats. */
const PROCESS = [['id', 'process_id'], ['run_index', 'run_index'], ['name'], ['kind']] as const;

const INSIGHT_KEYS = ['plan_adherence', 'tool_coverage', 'veto_count', 'success', 'act_count'] as const;

function checkMetrics({ facts, summary }: EpisodeView): void {
  const metrics = valueAt(summary?.value, ['metrics']);
  if (summary === undefined || !isObject(metrics)) return;
  const compare = (key: string, counted: JsonValue, what: string) => {
    const stored = metrics[key];
    const same = jsonEqual(stored, counted) || jsonEqual(Number(stored), Number(counted));
    if (stored === undefined || stored === null || same) return;
    const message = `metrics.${key} is ${show(stored)}, ${what} ${show(counted)}`;
    summary.at({
      code: 'consistency/metrics',
      message,
      path: ['metrics', key],
      expected: show(counted),
      actual: show(stored),
    });
  };
  compare('act_count', facts.acts, 'and the log has acts:');
  compare('direction_events', facts.directions.events, 'and the log has direction events:');
  compare('direction_applied', facts.directions.applied, 'and the log has applied directives:');
  compare('direction_vetoed', facts.directions.vetoed, 'and the log has blocked directives:');
  const insight = facts.insight?.payload['metrics'];
  if (!isObject(insight)) return;
  for (const key of INSIGHT_KEYS) {
    const said = insight[key];
    const told = key === 'act_count' && metrics[key] !== facts.acts;
    if (said !== undefined && !told)
      compare(key, said, `and the insight event on line ${facts.insight?.line} says`);
  }
}

/** Everything that artifacts repeat of each other must be said alike (noesis.md §8.5). */
export function checkConsistency(view: EpisodeView): void {
  const { facts, state, summary, final } = view;
  const { start, observe } = facts;
  checkIds(view);
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
  agree('consistency/started-at', sameInstants)
    .document(state, ['episode', 'started_at'])
    .document(summary, ['started_at'])
    .settle();
  if (facts.terminate) {
    const { value, line, id } = facts.terminate;
    const ended: JsonObject = typeof value === 'string' ? { status: value } : {};
    agree('consistency/status', sameWord)
      .event('terminate', { payload: ended, line, id }, 'status')
      .document(state, ['outcomes', 'status'])
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
  checkSummaryOutcome(view);
  checkFinalOutcome(view);
  checkMetrics(view);
}
