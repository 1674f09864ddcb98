import type { EventCheck, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import type { FindingCode } from '../../../findings/codes.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { Row } from '../../../log/row.ts';
import {
  type CandidateState,
  candidateId,
  candidateNamespace,
  candidateStateHash,
  decisionHash,
  directiveHash,
  ulidOf,
} from '../content-ids/ids.ts';
import { COLUMN, PHASE } from '../rows.ts';

const GOVERNANCE_ID = /^gov-[0-9a-f]{24}$/;
const DIRECTIVE_ID = /^dir-[0-9a-f]{24}$/;
const UUID_5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const STATE_HASH = /^sha256:[0-9a-f]{64}$/;

/** A writer known to make ids otherwise is believed when at least this many do not fit. */
const ENOUGH_TO_TELL = 3;

/** The schema of the runtime's decisions; their ids are hashes. */
const DECISION_VERSION = '1.1.0';

/** How many events of a kind have the form that the runtime writes, and how many have another. */
class FormTally {
  #own = 0;
  #other = 0;

  count(isOwn: boolean): void {
    if (isOwn) this.#own += 1;
    else this.#other += 1;
  }

  /** All of them have another form, so another program wrote them. */
  get isForeign(): boolean {
    return this.#own === 0 && this.#other > 0;
  }
}

/** What had an id before: its line, and the hash of its content. */
interface Earlier {
  readonly line: number;
  readonly hash: string;
}

/** Ids that the runtime derives from the content they name (noesis.md §13): an edit that keeps the id is seen. */
export class ContentIdCheck implements EventCheck {
  readonly types = new Set([
    PHASE.start,
    PHASE.plan,
    PHASE.governance,
    PHASE.direction,
    PHASE.action_candidate,
  ]);
  readonly #report: EventReporter;
  /** Certain only when it is known that this writer's ids are hashes. */
  readonly #ids: EventReporter;
  /** Certain only when neither the start nor a plan was lost to a corrupt line. */
  readonly #stateHashes: EventReporter;
  readonly #decisions = new Map<string, Earlier>();
  readonly #directives = new Map<string, Earlier>();
  #fitting = 0;
  #misfitting = 0;
  /** Of the first id that does not fit. */
  #first: { readonly line: number; readonly eventId: string | undefined } | undefined;
  readonly #decisionForms = new FormTally();
  readonly #candidateForms = new FormTally();
  #episodeId: string | undefined;
  /** The payloads that a candidate's state is made of. */
  #start: JsonObject | undefined;
  #plan: JsonObject | undefined;
  #namespace: { readonly episodeId: string; readonly id: string | undefined } | undefined;
  #state: (CandidateState & { readonly hash: string | undefined }) | undefined;

  constructor(report: EventReporter) {
    this.#report = report;
    this.#ids = report.later();
    this.#stateHashes = report.later();
  }

  row(row: Row): void {
    this.#episodeId ??= row.text(COLUMN.episode);
    // With its numbers as they are stored: the hashes are made of them.
    const payload = row.exact(COLUMN.payload);
    if (!isObject(payload)) return;
    if (row.type === PHASE.start) this.#start ??= payload;
    else if (row.type === PHASE.plan) this.#plan = payload;
    else if (row.type === PHASE.governance) this.#checkDecision(row, payload);
    else if (row.type === PHASE.direction) this.#checkDirective(row, payload);
    else this.#checkCandidate(row, payload);
  }

  end(): void {
    const [fitting, misfitting] = [this.#fitting, this.#misfitting];
    const other = this.#otherWriter();
    if (fitting === 0 && misfitting >= ENOUGH_TO_TELL && this.#first && other !== undefined) {
      const { line, eventId } = this.#first;
      const message = `none of the ${misfitting} ids and hashes of content fits, and another program than the runtime made them (${other}): they show no edits`;
      this.#report.onLine(line, eventId, { code: 'governance/content-id', severity: 'info', message });
      return;
    }
    this.#report.confirm(this.#ids);
    this.#report.ifWhole.confirm(this.#stateHashes);
  }

  /**
   * Why the ids are known to be of another program; undefined where the runtime may have written them. That no id fits
   * proves nothing: anyone who edits a decision can break all ids too.
   */
  #otherWriter(): string | undefined {
    if (this.#episodeId !== undefined && ulidOf(this.#episodeId) === undefined)
      return 'the id of the episode has no ULID';
    if (this.#decisionForms.isForeign) return `no decision has schema_version ${DECISION_VERSION}`;
    return this.#candidateForms.isForeign ? 'no candidate names its adapter' : undefined;
  }

  #count(fits: boolean, { line, id: eventId }: LoggedEvent): void {
    if (fits) this.#fitting += 1;
    else {
      this.#misfitting += 1;
      this.#first ??= { line, eventId };
    }
  }

  #checkDecision(row: Row, payload: JsonObject): void {
    this.#decisionForms.count(payload['schema_version'] === DECISION_VERSION);
    const id = payload['governance_id'];
    if (typeof id !== 'string') return;
    const { hash, id: made } = decisionHash(payload);
    if (GOVERNANCE_ID.test(id)) this.#compare(row, 'governance/content-id', 'governance_id', id, made);
    const before = this.#decisions.get(id);
    if (before === undefined) this.#decisions.set(id, { line: row.line, hash });
    else if (before.hash !== hash || made !== id) {
      const other = before.hash === hash ? 'the same' : 'another';
      const message = `${other} decision on line ${before.line} has this governance_id`;
      const path = ['payload', 'governance_id'];
      this.#report.at(row, { code: 'governance/duplicate-id', message, path, actual: id });
    }
  }

  #checkDirective(row: Row, payload: JsonObject): void {
    const id = payload['directive_id'];
    if (typeof id !== 'string') return;
    const { hash, id: made } = directiveHash(payload);
    if (DIRECTIVE_ID.test(id)) this.#compare(row, 'lineage/content-id', 'directive_id', id, made);
    const before = this.#directives.get(id);
    if (before === undefined) this.#directives.set(id, { line: row.line, hash });
    else if (before.hash !== hash) {
      const message = `another directive on line ${before.line} has this directive_id`;
      const path = ['payload', 'directive_id'];
      this.#report.at(row, { code: 'lineage/duplicate-id', message, path, actual: id });
    }
  }

  #checkCandidate(row: Row, payload: JsonObject): void {
    const episodeId = row.text(COLUMN.episode) ?? this.#episodeId;
    if (episodeId === undefined) return;
    const id = payload['action_candidate_id'];
    if (typeof id === 'string' && UUID_5.test(id))
      this.#compare(
        row,
        'governance/candidate-id',
        'action_candidate_id',
        id,
        candidateId(payload, this.#namespaceOf(episodeId)),
      );
    this.#checkState(row, payload, episodeId);
  }

  /** Candidates of tools have hashes that are made otherwise. */
  #checkState(logged: LoggedEvent, payload: JsonObject, episodeId: string): void {
    const { kind, payload: inner, state_hash: actual } = payload;
    if (kind !== 'adapter' || !isObject(inner)) return;
    this.#candidateForms.count('adapter_label' in inner);
    if (typeof actual !== 'string' || !STATE_HASH.test(actual)) return;
    const expected = this.#stateHash(episodeId, inner['adapter_label'] ?? null);
    if (expected === undefined) return;
    this.#count(expected === actual, logged);
    if (expected === actual) return;
    const message = 'state_hash is not that of the plan, the task, the seed and the adapter at that time';
    const path = ['payload', 'state_hash'];
    this.#stateHashes.at(logged, { code: 'governance/state-hash', message, path, expected, actual });
  }

  #namespaceOf(episodeId: string): string | undefined {
    if (this.#namespace?.episodeId !== episodeId)
      this.#namespace = { episodeId, id: candidateNamespace(episodeId) };
    return this.#namespace.id;
  }

  /** Candidates come by the thousand, and the state that they are made of changes with each plan. */
  #stateHash(episodeId: string, label: JsonValue): string | undefined {
    const [start, plan, before] = [this.#start, this.#plan, this.#state];
    if (start === undefined || plan === undefined) return undefined;
    if (before?.plan === plan && before.label === label && before.episodeId === episodeId) return before.hash;
    const state = { episodeId, start, plan, label };
    const hash = candidateStateHash(state);
    this.#state = { ...state, hash };
    return hash;
  }

  #compare(logged: LoggedEvent, code: FindingCode, key: string, id: string, made: string | undefined): void {
    if (made === undefined) return;
    this.#count(made === id, logged);
    if (made === id) return;
    const message = `${key} is a hash of its content, and this content gives another`;
    this.#ids.at(logged, { code, message, path: ['payload', key], expected: made, actual: id });
  }
}
