import { basename, dirname } from 'node:path';
import { ZodObject, type ZodType } from 'zod';
import { pushAll } from '../../../base/files/push-all.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import { named, ticked } from '../../../base/json/write.ts';
import { SHARED_SEVERITIES } from '../../../findings/catalogue-severities.ts';
import { type EventReporter, type LogEnd, ReportingCheck } from '../../../findings/check.ts';
import { type LogVerifyOptions, logFileOf, placeOf, type VerifyTarget } from '../../../findings/options.ts';
import type { EpisodeReport } from '../../../findings/report.ts';
import { field, type LogRecord } from '../../../log/record.ts';
import type { Row } from '../../../log/row.ts';
import { layoutOf } from '../../../log/row-layout.ts';
import { RepeatedIds, RepeatedRecords } from '../../kit/repeated-ids.ts';
import { verifyLog } from '../../kit/verify-log.ts';
import { type Link, SessionChain } from './chain.ts';
import { CountCheck } from './count-check.ts';
import { EditCheck } from './edit-check.ts';
import { OneSession, reportEnvelope, reportUnknownType, TimeOrder } from './envelope.ts';
import { FileCheck } from './file-check.ts';
import type { Said, SessionFormat, SessionRules } from './format.ts';
import { textAt } from './member.ts';
import { PathCheck } from './path-check.ts';
import { checkRepairedCopy } from './repaired-copy.ts';
import { reportReach } from './resume.ts';
import { type PairedCall, ToolPairs } from './tool-pairs.ts';

/** Checks each record by itself: its members, type, version and session, and that the head comes first. */
class RecordCheck extends ReportingCheck {
  readonly #format: SessionFormat;
  readonly #rules: SessionRules;
  readonly #columns: Columns;
  readonly #types: ReadonlySet<string>;
  readonly #session: OneSession;
  #head: JsonObject | undefined;
  #isBegun = false;

  constructor(format: SessionFormat, rules: SessionRules, report: EventReporter, columns: Columns) {
    super(report);
    this.#format = format;
    this.#rules = rules;
    this.#columns = columns;
    this.#types = new Set(rules.types);
    this.#session = new OneSession(report, format.sessionIn(basename(report.file)));
  }

  row(row: Row): void {
    const { event } = row;
    const { said, typeOf } = this.#format;
    const { isHead, isStart, about } = said(event);
    this.#begin(row, isHead, isStart);
    if (isStart) this.#head ??= event;
    const schema = this.#rules.schemaOf(event, this.#head);
    const { time } = this.#format.members;
    reportEnvelope(this.report, row, schema, () => 'error', this.#rules.wrongType, time);
    if (this.#rules.isClosed) this.#unknownKeys(row, schema);
    for (const remark of this.#rules.remarks?.(event) ?? []) this.report.at(row, remark);
    if (isStart) this.#version(row);
    const type = typeOf(event);
    if (type !== undefined && !this.#types.has(type)) reportUnknownType(this.report, row, type);
    const { session } = this.#format.members;
    const own = session === undefined ? undefined : row.text(this.#columns.session);
    const id = session === undefined || (own === undefined && isHead) ? about?.['id'] : own;
    this.#session.add(row, id, session);
  }

  end({ whole }: LogEnd): void {
    if (whole) this.#session.end();
  }

  #version(row: Row): void {
    const [member = '', known] = this.#rules.versions ?? [];
    const version = row.event[member];
    if (known === undefined || typeof version !== 'string' || known.test(version)) return;
    const message = `version ${named(version)} is unknown; the log is read as if it had the newest known version`;
    this.report.at(row, { code: 'event/schema-version', severity: 'info', message, path: [member] });
  }

  #unknownKeys(row: Row, schema: ZodType): void {
    const known = schema instanceof ZodObject ? schema.shape : {};
    for (const key of Object.keys(row.event)) {
      if (Object.hasOwn(known, key)) continue;
      const remark = { code: 'event/unknown-key', severity: 'info', path: [key] } as const;
      const message = `the format does not describe a member ${ticked(key)}`;
      this.report.note(row, { ...remark, message });
    }
  }

  #begin(row: Row, isHead: true | undefined, isStart: true | undefined): void {
    const { start } = this.#rules;
    if (start === undefined) return;
    if (isStart && this.#isBegun)
      this.report.at(row, {
        code: 'order/start-repeated',
        message: this.#format.isEdited
          ? `${start} again: the session was resumed`
          : `${start} again, which the program ignores`,
      });
    else if (!isHead && !this.#isBegun)
      this.report.at(row, {
        code: 'order/start-not-first',
        message: `the log does not begin with ${start}`,
      });
    this.#isBegun ||= isStart === true || !isHead;
  }
}

interface Step extends Link {
  /** Whether it is a prompt or an answer. */
  readonly goesOn: boolean;
  readonly isCompaction: boolean;
}

interface Call extends PairedCall {
  readonly eventId: string | undefined;
  /** The index of its record in the chain. */
  readonly at: number;
  /** Whether its answer failed or was stopped. */
  readonly isStopped: boolean;
}

/** Checks ids, times, parents, branches, calls and results. */
class ChainCheck extends ReportingCheck {
  readonly #format: SessionFormat;
  readonly #rules: SessionRules;
  readonly #columns: Columns;
  readonly #ids = new RepeatedIds(this.report);
  readonly #repeated = new RepeatedRecords(this.report);
  readonly #tools = new ToolPairs<Call>(this.report);
  /** Calls without a result, if the format has a call and its result in one record. */
  readonly #open: Call[] = [];
  readonly #chain: SessionChain<Step>;
  readonly #times = new TimeOrder();
  /** The ids of heads, as ordinals. A head is no record of the conversation. */
  readonly #heads = new Set<number>();
  /** Records that have a child. */
  readonly #parents = new Set<number>();
  #returns = 0;

  constructor(format: SessionFormat, rules: SessionRules, report: EventReporter, columns: Columns) {
    super(report);
    this.#format = format;
    this.#rules = rules;
    this.#columns = columns;
    this.#chain = new SessionChain(report, format.members.parent ?? 'parent');
  }

  /** Whether some record has an id that others can name. */
  get isLinked(): boolean {
    return this.#chain.links.some(({ id }) => id >= 0);
  }

  row(row: Row): void {
    const said = this.#format.said(row.event);
    const id = row.ordinal(this.#columns.id);
    if (said.isHead) {
      if (id >= 0) this.#heads.add(id);
      return;
    }
    const { isEdited, members } = this.#format;
    const hasTimeAlone = id < 0 && !Number.isNaN(row.time(this.#columns.time));
    const isNew = hasTimeAlone
      ? this.#repeated.add(row)
      : this.#ids.addOrdinal(row, id, isEdited ? undefined : members.id.split('.'));
    if (!isNew) {
      if (isEdited) return this.#toolsIn(row, this.#newIn(said));
      for (const { id } of said.results ?? []) if (id !== undefined) this.#tools.answered(id, row.line);
      return;
    }
    this.#times.add(this.report, row, row.time(this.#columns.time), 'info');
    const isLinked = id >= 0 && members.parent !== undefined;
    const parent = isLinked ? this.#parentOf(row) : -1;
    const goesOn =
      said.prompt !== undefined ||
      (said.usage !== undefined && said.usage.answers !== 0) ||
      Boolean(said.answer);
    const isPrompt = said.prompt !== undefined;
    const { line } = row;
    if (isLinked) this.#checkParent(row, parent);
    const isCompaction = said.compaction === true;
    this.#chain.add(row, { id: isLinked ? id : -1, parent, line, isPrompt, goesOn, isCompaction });
    this.#toolsIn(row, said);
  }

  /** Whether a continued session may lack something. */
  mayLack = false;

  end(log: LogEnd): void {
    this.mayLack = this.#format.members.parent !== undefined && (!log.whole || this.#chain.mayLack);
    this.#ids.end(log);
    this.#repeated.end(log);
    // A corrupt line may have contained the missing record.
    if (!log.whole) return;
    this.#tools.reportOrphans();
    this.#chain.end();
    const open = [...this.#open, ...this.#tools.unanswered()];
    if (open.length === 0) return;
    const continued = this.#continued();
    const compacted = this.#compacted();
    const after = this.#afterBranches();
    for (const call of open) {
      const isCompacted = compacted[call.at] === true;
      if (continued[call.at] === true) this.#reportOpen(call, true, isCompacted);
      else this.#reportOpen(call, false, isCompacted, after(call.at));
    }
  }

  /** Why a branch ends before the log does: for a record on it, whether the log continues, and whether a parent is missing. */
  #afterBranches(): (at: number) => string | undefined {
    const { links } = this.#chain;
    const last = links.findLastIndex(({ goesOn }) => goesOn);
    const orphan = links.findLastIndex(
      ({ parent }, index) => index > 0 && parent >= 0 && this.#chain.placeOf(parent) < 0,
    );
    return (at) => {
      if (last <= at) return undefined;
      return orphan > at ? 'a record after it is missing' : 'its branch ends before it';
    };
  }

  /** The ordinal of the parent's id. The head is no record of the conversation, so it counts as none. */
  #parentOf(row: Row): number {
    const parent = row.ordinal(this.#columns.parent);
    if (!this.#heads.has(parent)) return parent;
    const path = [this.#format.members.parent ?? ''];
    const message = 'the parent of the record is the head of the log, which is no record of the conversation';
    this.report.note(row, { code: 'lineage/missing-parent', severity: 'info', message, path });
    return -1;
  }

  /** Reports a parent that is not the previous record, and a return to a branch that was left. */
  #checkParent(row: Row, parent: number): void {
    const { links } = this.#chain;
    const place = this.#chain.placeOf(parent);
    const isTurn = place >= 0 && place !== links.length - 1;
    const isLeft = !this.#parents.has(place);
    this.#parents.add(place);
    if (!isTurn) return;
    const { mayTurnBack } = this.#rules;
    const path = [this.#format.members.parent ?? ''];
    if (mayTurnBack !== undefined && !mayTurnBack(row.event))
      this.report.ifWhole.at(row, {
        code: 'lineage/not-the-previous',
        message: `the parent is on line ${links[place]?.line}, not the previous record: lines were moved or inserted`,
        path,
      });
    if (mayTurnBack !== undefined || !isLeft) return;
    this.#returns += 1;
    if (this.#returns === 2)
      this.report.ifWhole.at(row, {
        code: 'session/two-writers',
        message: `the log returns to an abandoned branch (line ${links[place]?.line}) for the second time`,
        path,
      });
  }

  /** The calls and results that an earlier form of the message did not have. */
  #newIn({ calls = [], results = [], ...said }: Said): Said {
    const isKnown = (among: ReadonlyMap<string, unknown>, id = '') => among.has(id);
    return {
      ...said,
      calls: calls.filter(({ id }) => !isKnown(this.#tools.calls, id)),
      results: results.filter(({ id }) => !isKnown(this.#tools.results, id)),
    };
  }

  #toolsIn(row: Row, { calls = [], results = [], status }: Said): void {
    const { line, id: eventId } = row;
    const { links } = this.#chain;
    const isStopped = status === 'error' || status === 'interrupted';
    const { isSelfContained } = this.#format;
    const tools = isSelfContained ? new ToolPairs<Call>(this.report, 'warn') : this.#tools;
    const answer = isSelfContained ? undefined : line;
    for (const { id, tool, path = [] } of calls)
      if (id !== undefined)
        tools.call(row, { id, tool, line, eventId, at: links.length - 1, isStopped, answer }, path);
    for (const { id, tool, mayRepeat, path = [] } of results) {
      if (id === undefined) continue;
      const isOutside = links.length === 1 && (links[0]?.parent ?? -1) >= 0;
      if (mayRepeat && tools.results.has(id)) tools.copy(row, id, path);
      else tools.result(row, id, path, isOutside);
      const called = tools.calls.get(id)?.tool;
      if (tool === undefined || called === undefined || tool === called) continue;
      const message = `the result is of ${named(tool)}, but the call ${named(id)} is of ${named(called)}`;
      this.report.at(row, { code: 'tool/name', message, path, expected: called, actual: tool });
    }
    if (!isSelfContained) return;
    tools.reportOrphans();
    pushAll(this.#open, tools.unanswered());
  }

  /** For each record: whether a prompt or an answer descends from it. */
  #continued(): readonly boolean[] {
    const { links } = this.#chain;
    const found: boolean[] = [];
    for (let index = links.length - 1; index > 0; index -= 1) {
      const parent = this.#chain.parentOf(index);
      if (parent >= 0 && parent < index && (links[index]?.goesOn || found[index])) found[parent] = true;
    }
    return found;
  }

  /** For each record: whether a compaction comes before the next prompt or answer on its branch. */
  #compacted(): readonly boolean[] {
    const { links } = this.#chain;
    const found: boolean[] = [];
    for (let index = links.length - 1; index > 0; index -= 1) {
      const link = links[index];
      const parent = this.#chain.parentOf(index);
      if (parent < 0 || parent >= index || link === undefined) continue;
      if (link.isCompaction || (found[index] && !link.goesOn)) found[parent] = true;
    }
    return found;
  }

  /** `branchEnd`: why its branch ends, if the log continues after it. */
  #reportOpen(
    { id, tool, line, eventId, isStopped }: Call,
    goesOn: boolean,
    isCompacted: boolean,
    branchEnd?: string,
  ): void {
    const name = `${named(tool)} (${named(id)}) has no result`;
    const [code, message] = isStopped
      ? (['tool/never-started', `${name}: its answer was stopped, so it never ran`] as const)
      : goesOn && isCompacted
        ? (['tool/unanswered', `${name}: a compaction cut it off`] as const)
        : goesOn
          ? (['tool/unanswered', `${name}, but the conversation continues after it`] as const)
          : branchEnd !== undefined
            ? (['tool/unanswered', `${name}: ${branchEnd}`] as const)
            : (['tool/open', `${name}: the log ends before it`] as const);
    const isExcused = code === 'tool/unanswered' && (isCompacted || !goesOn);
    this.report.onLine(line, eventId, { code, ...(isExcused && { severity: 'info' as const }), message });
  }
}

/**
 * The columns of a format. A member that the format lacks gets a name that is never read, because each column
 * needs one.
 */
const columnsOf = ({ id, parent = 'parentId', time, session = 'sessionId' }: SessionFormat['members']) =>
  layoutOf(undefined, { id: [id, 'id'], parent: [parent, 'id'], time: [time, 'time'], session });

type Columns = ReturnType<typeof columnsOf>['at'];

/** Verifies a session and the logs of its parts. */
export function verifySession(
  format: SessionFormat,
  rules: SessionRules,
  target: VerifyTarget,
  options: LogVerifyOptions,
): Promise<EpisodeReport> {
  const layout = columnsOf(format.members);
  const id = field(format.members.id);
  const isInside = format.members.id.includes('.');
  const idOf = (record: LogRecord) =>
    isInside ? textAt(record.value, format.members.id) : record.string(id);
  const place = placeOf(target);
  const folder = place && dirname(place);
  const chains: ChainCheck[] = [];
  return verifyLog(target, options, {
    dialect: format.name,
    severities: new Map([...SHARED_SEVERITIES, ...Object.entries(rules.severities ?? {})]),
    checks: (report) => {
      chains.push(new ChainCheck(format, rules, report, layout.at));
      return [
        new RecordCheck(format, rules, report, layout.at),
        ...chains.slice(-1),
        new CountCheck(format, rules, report),
        new FileCheck(format, report, folder),
        ...(format.members.parent ? [new PathCheck(format, rules, report, layout.at)] : []),
        ...(format.isEdited ? [new EditCheck(format, report)] : []),
        ...(rules.checks?.(report) ?? []),
      ];
    },
    otherFiles: async (path, findings) => {
      if (target.fileName === undefined) checkRepairedCopy(path, findings);
      if (chains[0]?.mayLack) await reportReach(path, logFileOf(target, 'events.jsonl'), format, findings);
    },
    isUnlinked: () => chains.some(({ isLinked }) => !isLinked),
    layout: { ...layout, idOf: format.view?.id ?? idOf },
    ...(format.members.parent === undefined && { names: ['log', 'events', 'consistency'] }),
  });
}
