import type { JsonObject } from '../../../../base/json/value.ts';
import type { Part } from '../loading/model.ts';
import { type LinkMembers, madeId, type RepairState, type RepairStep, textOf } from './program.ts';
import type { RepairLog, RepairRecord } from './repair-log.ts';

const MOST_PASSES = 20;

/** Drops records that are in the log twice, and gives other records with a used id a new one. */
export const uniqueIds =
  ({ id, parent }: LinkMembers, newId: (old: string, line: number) => string = uuidFor): RepairStep =>
  ({ log }) => {
    const seen = new Map<string, RepairRecord>();
    /** What a later record that names this id as its parent has to name. */
    const renamed = new Map<string, string>();
    for (const record of [...log.records]) {
      const above = renamed.get(textOf(record, parent) ?? '');
      if (above !== undefined) log.set(record, [parent], above);
      const own = textOf(record, id);
      if (own === undefined || (record.value['type'] === 'session' && record.line === 1)) continue;
      const before = seen.get(own);
      if (before === undefined) {
        seen.set(own, record);
        continue;
      }
      if (before.text === record.text) {
        log.reject(record, `the same record as line ${before.line}`);
        log.act('same-record', record.line, `the same record as line ${before.line} was dropped`);
        continue;
      }
      const given = newId(own, record.line);
      log.set(record, [id], given);
      renamed.set(own, given);
      log.act('new-id', record.line, `a second record with the id ${own} got a new id, ${given}`);
      seen.set(given, record);
    }
  };

const uuidFor = (old: string, line: number): string => madeId('noesis doctor', old, String(line));

/** Joins each record whose parent is missing to the record that probably was its parent. */
export const joinedLinks =
  ({ id, parent }: LinkMembers, mendsNull: boolean): RepairStep =>
  ({ log, load, options }) => {
    if (options.keepCut) return;
    for (let pass = 0; pass < MOST_PASSES; pass += 1) {
      const cuts = load().cuts.filter((cut) => mendsNull || cut.parent !== undefined);
      let isChanged = false;
      for (const cut of cuts) {
        const [record, guess] = [log.records[(cut.from ?? cut.line) - 1], log.records[(cut.guess ?? 0) - 1]];
        const to = textOf(guess, id);
        if (record === undefined || guess === undefined || to === undefined) continue;
        if (textOf(record, parent) === to) continue;
        log.set(record, [parent], to);
        log.act(
          'link',
          record.line,
          `${cut.message}: joined to line ${guess.line}, the record before it`,
          true,
        );
        isChanged = true;
      }
      if (!isChanged) return;
    }
  };

/** Leaves out a record, and joins what follows it to its parent. */
export function rejectLinked(
  log: RepairLog,
  record: RepairRecord,
  { id, parent }: LinkMembers,
  why: string,
): void {
  const [own, above] = [textOf(record, id), record.value[parent] ?? null];
  log.reject(record, why);
  for (const other of log.linked(parent, own)) log.set(other, [parent], above);
}

/** The calls and results in a log. */
function callsIn(log: RepairLog, partsOf: (event: JsonObject, line: number) => readonly Part[]) {
  const [calls, results] = [new Set<string>(), new Set<string>()];
  for (const { value } of log.records)
    for (const { kind, call } of partsOf(value, 0)) {
      if (call === undefined) continue;
      if (kind === 'call') calls.add(call);
      if (kind === 'result') results.add(call);
    }
  return { calls, results };
}

/** Leaves out records that are only results of calls that are not in the log. */
export const withoutOrphans =
  (members: LinkMembers, partsOf: (event: JsonObject, line: number) => readonly Part[]): RepairStep =>
  ({ log }) => {
    const { calls } = callsIn(log, partsOf);
    for (const record of [...log.records]) {
      const parts = partsOf(record.value, record.line);
      const isOrphan = ({ kind, call }: Part) => kind === 'result' && call !== undefined && !calls.has(call);
      if (parts.length === 0 || !parts.every(isOrphan)) continue;
      rejectLinked(log, record, members, 'a result without its call');
      log.act('orphan-result', record.line, `a result without its call (${parts[0]?.call}) was rejected`);
    }
  };

/** Makes the record of a result that says that the result is not in the log. */
export type MakeResult = (call: RepairRecord, part: Part, id: string) => JsonObject;

/** Adds a result for each call that has none, if the conversation goes on after it. */
export const closedCalls =
  (
    { id, parent }: LinkMembers,
    partsOf: (event: JsonObject, line: number) => readonly Part[],
    make: MakeResult,
    follows: (next: RepairRecord, call: RepairRecord) => boolean = () => true,
    newId: (old: string, line: number) => string = (call, line) =>
      madeId('noesis doctor result', call, String(line)),
  ): RepairStep =>
  ({ log, load, options }: RepairState) => {
    if (options.noCloseCalls) return;
    const { results } = callsIn(log, partsOf);
    const { loaded, dropped } = load();
    const lastSaid = loaded.findLast(
      ({ kind }) => kind === 'prompt' || kind === 'text' || kind === 'thinking',
    );
    const inMiddle = new Set(dropped.map(({ line }) => line));
    const place = lastSaid === undefined ? -1 : loaded.lastIndexOf(lastSaid);
    for (const part of loaded.slice(0, place + 1)) inMiddle.add(part.line);
    for (const [index, record] of [...log.records].entries()) {
      if (!inMiddle.has(index + 1)) continue;
      for (const part of partsOf(record.value, record.line)) {
        const { kind, call } = part;
        if (kind !== 'call' || call === undefined || results.has(call)) continue;
        results.add(call);
        const own = textOf(record, id);
        const given = newId(call, record.line);
        const added = log.add(make(record, part, given), record);
        for (const next of log.linked(parent, own))
          if (next !== added && follows(next, record)) log.set(next, [parent], given);
        log.act('open-call', record.line, `the call ${call} has no result: one was added that says so`);
      }
    }
  };
