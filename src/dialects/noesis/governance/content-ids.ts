import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { FindingCode } from '../../../findings/codes.ts';
import type { Row } from '../../../log/row.ts';
import type { Condition, Doubt, Rule } from '../../kit/rules.ts';
import { COLUMN, PHASE } from '../event/rows.ts';
import {
  CANDIDATE,
  type CandidateState,
  type ContentHash,
  candidateId,
  candidateNamespace,
  candidateStateHash,
  contentHash,
  DECISION,
  DIRECTIVE,
  ulidOf,
} from './ids.ts';

const GOVERNANCE_ID = /^gov-[0-9a-f]{24}$/;
const DIRECTIVE_ID = /^dir-[0-9a-f]{24}$/;
const UUID_5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const STATE_HASH = /^sha256:[0-9a-f]{64}$/;

/** At least this many ids must not fit before they are attributed to another program. */
const MIN_FOREIGN_IDS = 3;

const DECISION_VERSION = '1.1.0';

/** Counts events of a kind in the runtime's form and in other forms. */
class FormTally {
  #own = 0;
  #other = 0;

  count(isOwn: boolean): void {
    if (isOwn) this.#own += 1;
    else this.#other += 1;
  }

  /** Whether all events have another form, so another program wrote them. */
  get isForeign(): boolean {
    return this.#own === 0 && this.#other > 0;
  }
}

const hashIn = (id: string): string => id.slice(DECISION.prefix.length);

/** An earlier event with an id. `hash`: of its content; undefined if that hash is in its id. */
interface Earlier {
  readonly line: number;
  readonly hash: string | undefined;
}

const TYPES = new Set([PHASE.start, PHASE.plan, PHASE.governance, PHASE.direction, PHASE.action_candidate]);

/** The ids of a log that the runtime derives from content (noesis.md §13). */
export class ContentIds implements Condition {
  /** By the ordinal of the decision's id. */
  readonly #decisions = new Map<number, Earlier>();
  readonly #directives = new Map<string, Earlier>();
  /** The first id of each directive, by the hash of its content. */
  readonly #directiveIds = new Map<string, { readonly line: number; readonly id: string }>();
  #fitting = 0;
  #misfitting = 0;
  /** The first id that does not fit. */
  first: { readonly line: number; readonly eventId: string | undefined } | undefined;
  readonly #decisionForms = new FormTally();
  readonly #candidateForms = new FormTally();
  #episodeId: string | undefined;
  /** The payloads on which a candidate's state is based. */
  #start: JsonObject | undefined;
  #plan: JsonObject | undefined;
  #namespace: { readonly episodeId: string; readonly bytes: Uint8Array | undefined } | undefined;
  #state: (CandidateState & { readonly hash: string | undefined }) | undefined;
  /** What the last event that was read is doubted for, and its line. */
  #doubts: Doubt[] = [];
  #line = 0;

  take(row: Row): void {
    if (TYPES.has(row.type)) this.doubts(row);
  }

  /** The doubts about the next event. Hashes are expensive, so an event is read once: here, or by `take`. */
  doubts(row: Row): readonly Doubt[] | undefined {
    if (this.#line !== row.line) {
      this.#line = row.line;
      if (this.#doubts.length > 0) this.#doubts = [];
      this.#read(row);
    }
    return this.#doubts.length > 0 ? this.#doubts : undefined;
  }

  /** Whether ids can be compared with their content, because the runtime made them. */
  get holds(): boolean {
    return this.foreign === undefined;
  }

  /** The note about ids that another program made; undefined for those of the runtime. */
  get note(): string | undefined {
    const other = this.foreign;
    if (this.first === undefined || other === undefined) return undefined;
    return `the ${this.#misfitting} content ids and hashes were not made by the runtime, so they cannot reveal edits (${other})`;
  }

  #read(row: Row): void {
    this.#episodeId ??= row.text(COLUMN.episode);
    if (row.type === PHASE.governance && row.hasContentId(COLUMN.payload, DECISION))
      return this.#addSureDecision(row);
    const isSureId = row.type === PHASE.action_candidate && this.#hasSureId(row);
    if (isSureId && this.#hasSureState(row)) return;
    // Numbers must be as stored, because hashes depend on their text.
    const payload = row.exact(COLUMN.payload);
    if (!isObject(payload)) return;
    if (row.type === PHASE.start) this.#start ??= payload;
    else if (row.type === PHASE.plan) this.#plan = payload;
    else if (row.type === PHASE.governance) this.#checkDecision(row, payload);
    else if (row.type === PHASE.direction) this.#checkDirective(row, payload);
    else this.#checkCandidate(row, payload, isSureId);
  }

  /** Why ids so far cannot be compared with their content: another program made them. Undefined if they can. */
  get foreign(): string | undefined {
    return this.#fitting === 0 && this.#misfitting >= MIN_FOREIGN_IDS ? this.#otherWriter() : undefined;
  }

  /**
   * Why the ids must come from another program; undefined if the runtime may have written them. It is not enough that no
   * id fits, because someone who edits a decision can break all ids too.
   */
  #otherWriter(): string | undefined {
    if (this.#episodeId !== undefined && ulidOf(this.#episodeId) === undefined)
      return 'the id of the episode has no ULID';
    if (this.#decisionForms.isForeign) return `no decision has schema_version ${DECISION_VERSION}`;
    return this.#candidateForms.isForeign ? 'no candidate names its adapter' : undefined;
  }

  #count(fits: boolean, { line, id: eventId }: Row): void {
    if (fits) this.#fitting += 1;
    else {
      this.#misfitting += 1;
      this.first ??= { line, eventId };
    }
  }

  /** Adds a decision whose id is certainly the hash of its content, so that its form need not be checked. */
  #addSureDecision(row: Row): void {
    this.#fitting += 1;
    const decision = row.ordinal(COLUMN.governance);
    const before = this.#decisions.get(decision);
    if (before === undefined) this.#decisions.set(decision, { line: row.line, hash: undefined });
    else if (before.hash !== undefined) {
      const id = row.texts.textOf(decision);
      this.#checkDuplicate(before, id, { hash: hashIn(id), id });
    }
  }

  #checkDecision(row: Row, payload: JsonObject): void {
    this.#decisionForms.count(payload['schema_version'] === DECISION_VERSION);
    const id = payload['governance_id'];
    if (typeof id !== 'string') return;
    const made = contentHash(payload, DECISION);
    if (GOVERNANCE_ID.test(id)) this.#compare(row, 'governance/content-id', 'governance_id', id, made.id);
    const decision = row.texts.intern(id);
    const before = this.#decisions.get(decision);
    if (before === undefined) this.#decisions.set(decision, { line: row.line, hash: made.hash });
    else this.#checkDuplicate(before, id, made);
  }

  #checkDuplicate(before: Earlier, id: string, made: ContentHash): void {
    const isSame = (before.hash ?? hashIn(id)) === made.hash;
    if (isSame && made.id === id) return;
    const message = `${isSame ? 'the same' : 'another'} decision on line ${before.line} has this governance_id`;
    const path = ['payload', 'governance_id'];
    this.#doubts.push({ code: 'governance/duplicate-id', message, path, actual: id });
  }

  #checkDirective(row: Row, payload: JsonObject): void {
    const id = payload['directive_id'];
    if (typeof id !== 'string') return;
    const { hash, id: made } = contentHash(payload, DIRECTIVE);
    if (DIRECTIVE_ID.test(id)) this.#compare(row, 'lineage/content-id', 'directive_id', id, made);
    const before = this.#directives.get(id);
    if (before === undefined) this.#directives.set(id, { line: row.line, hash });
    else if (before.hash !== hash) {
      const message = `another directive on line ${before.line} has this directive_id`;
      const path = ['payload', 'directive_id'];
      this.#doubts.push({ code: 'lineage/duplicate-id', message, path, actual: id });
    }
    this.#checkSecondId(row, id, hash);
  }

  /** Notes that a directive has another id than an equal one before it. The id follows from the content. */
  #checkSecondId(row: Row, actual: string, hash: string): void {
    const before = this.#directiveIds.get(hash);
    if (before === undefined) this.#directiveIds.set(hash, { line: row.line, id: actual });
    // An id that does not fit is another finding, an error.
    else if (before.id !== actual && !DIRECTIVE_ID.test(actual)) {
      const message = `the same directive has another directive_id on line ${before.line}`;
      const doubt = { message, path: ['payload', 'directive_id'], expected: before.id, actual };
      this.#doubts.push({ code: 'lineage/duplicate-id', severity: 'info', ...doubt });
    }
  }

  /** Whether the candidate's id certainly fits. */
  #hasSureId(row: Row): boolean {
    const episodeId = row.text(COLUMN.episode) ?? this.#episodeId;
    if (episodeId === undefined) return false;
    const namespace = this.#namespaceOf(episodeId);
    if (namespace === undefined || !row.hasContentId(COLUMN.payload, CANDIDATE, namespace)) return false;
    this.#fitting += 1;
    return true;
  }

  /** Whether no adapter wrote the candidate, or its state is that of the previous one, with the same hash. */
  #hasSureState(row: Row): boolean {
    if (row.text(COLUMN.kind) !== 'adapter') return true;
    const state = this.#state;
    const isSame =
      typeof state?.label === 'string' &&
      state.hash !== undefined &&
      state.plan === this.#plan &&
      state.episodeId === (row.text(COLUMN.episode) ?? this.#episodeId) &&
      row.isText(COLUMN.adapterLabel, state.label) &&
      row.isText(COLUMN.stateHash, state.hash);
    if (isSame) this.#fitting += 1;
    return isSame;
  }

  #checkCandidate(row: Row, payload: JsonObject, isSureId: boolean): void {
    const episodeId = row.text(COLUMN.episode) ?? this.#episodeId;
    if (episodeId === undefined) return;
    const id = payload['action_candidate_id'];
    if (!isSureId && typeof id === 'string' && UUID_5.test(id))
      this.#compare(
        row,
        'governance/candidate-id',
        'action_candidate_id',
        id,
        candidateId(payload, this.#namespaceOf(episodeId)),
      );
    this.#checkState(row, payload, episodeId);
  }

  /** Checks the state hash of an adapter's candidate. Candidates of tools have other hashes. */
  #checkState(row: Row, payload: JsonObject, episodeId: string): void {
    const { kind, payload: inner, state_hash: actual } = payload;
    if (kind !== 'adapter' || !isObject(inner)) return;
    this.#candidateForms.count('adapter_label' in inner);
    if (typeof actual !== 'string' || !STATE_HASH.test(actual)) return;
    const expected = this.#stateHash(episodeId, inner['adapter_label'] ?? null);
    if (expected === undefined) return;
    this.#count(expected === actual, row);
    if (expected === actual) return;
    const message = 'state_hash does not match the plan, task, seed and adapter at that time';
    const path = ['payload', 'state_hash'];
    // A corrupt line may have contained another start or plan.
    const doubt: Doubt = { code: 'governance/state-hash', message, path, expected, actual };
    this.#doubts.push({ ...doubt, onlyIf: this, ifWhole: true });
  }

  #namespaceOf(episodeId: string): Uint8Array | undefined {
    if (this.#namespace?.episodeId !== episodeId)
      this.#namespace = { episodeId, bytes: candidateNamespace(episodeId) };
    return this.#namespace.bytes;
  }

  /** Keeps the last hash: there are thousands of candidates, but their state only changes with the plan. */
  #stateHash(episodeId: string, label: JsonValue): string | undefined {
    const [start, plan, before] = [this.#start, this.#plan, this.#state];
    if (start === undefined || plan === undefined) return undefined;
    if (before?.plan === plan && before.label === label && before.episodeId === episodeId) return before.hash;
    const state = { episodeId, start, plan, label };
    const hash = candidateStateHash(state);
    this.#state = { ...state, hash };
    return hash;
  }

  #compare(row: Row, code: FindingCode, key: string, id: string, made: string | undefined): void {
    if (made === undefined) return;
    this.#count(made === id, row);
    if (made === id) return;
    const message = `${key} must be the hash of the content, but this content has another hash`;
    this.#doubts.push({ code, message, path: ['payload', key], expected: made, actual: id, onlyIf: this });
  }
}

const IDS: Readonly<Record<string, Rule<Row, { readonly contentIds: ContentIds }>>> = {
  'ids are the hashes of their content': (row, { contentIds }) => contentIds.doubts(row),
};

/** The rules for ids that are hashes (noesis.md §13). They reveal an edit that keeps the id. */
export const CONTENT_ID_RULES = {
  governance: IDS,
  direction: IDS,
  action_candidate: IDS,
};
