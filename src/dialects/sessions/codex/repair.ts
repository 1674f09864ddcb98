import { basename, dirname, join } from 'node:path';
import type { JsonValue } from '../../../base/json/value.ts';
import { named } from '../../../base/json/write.ts';
import { grouped } from '../../../base/text/grouped.ts';
import { numberIn, objectIn, textIn } from '../../kit/members.ts';
import type { Part } from '../kit/loading/model.ts';
import { movedTo } from '../kit/repair/moved-folder.ts';
import type { ProgramRepair, RepairStep } from '../kit/repair/program.ts';
import type { RepairRecord } from '../kit/repair/repair-log.ts';
import { threadInName } from './files.ts';
import { codexParts } from './loading.ts';
import { CALLS, OUTPUTS } from './vocabulary.ts';

const payloadOf = ({ value }: RepairRecord) => objectIn(value, 'payload');
const isItem = ({ value }: RepairRecord) => value['type'] === 'response_item';

/** Adds the first record if it is lost. */
const head: RepairStep = ({ log, options }) => {
  const [first] = log.records;
  if (first === undefined || first.value['type'] === 'session_meta') return;
  const id = threadInName(options.path);
  const turn = log.records.find(({ value }) => value['type'] === 'turn_context');
  const cwd = options.cwd ?? (turn && textIn(payloadOf(turn), 'cwd'));
  const timestamp = textIn(first.value, 'timestamp');
  if (id === undefined || cwd === undefined || timestamp === undefined) return;
  const ordinal = numberIn(first.value, 'ordinal');
  const meta = {
    id,
    session_id: id,
    timestamp,
    cwd,
    originator: 'codex_exec',
    cli_version: '0.171.0',
    source: 'exec',
  };
  const isPaged = ordinal !== undefined;
  log.add(
    {
      timestamp,
      ...(isPaged && { ordinal: Math.max(0, ordinal - 1) }),
      type: 'session_meta',
      payload: { ...meta, ...(isPaged && { history_mode: 'paginated' }) },
    },
    undefined,
  );
  log.act(
    'head',
    1,
    'the first record is lost: a new one was made from the name of the log and the first turn',
    true,
  );
};

/** Drops items that are in the log twice. Two equal prompts have different ids. */
const sameItems: RepairStep = ({ log }) => {
  const seen = new Map<string, RepairRecord>();
  for (const record of [...log.records]) {
    if (!isItem(record)) continue;
    const payload = payloadOf(record);
    if (textIn(payload, 'id') === undefined && textIn(payload, 'call_id') === undefined) continue;
    const text = JSON.stringify(payload);
    const before = seen.get(text);
    if (before === undefined) seen.set(text, record);
    else {
      log.reject(record, `the same item as line ${before.line}`);
      log.act('same-record', record.line, `the same item as line ${before.line} was dropped`);
    }
  }
};

/** Gives a second call with a used id, and its output, another id. */
const callIds: RepairStep = ({ log }) => {
  const calls = new Map<string, number>();
  const renamed = new Map<string, string>();
  for (const record of log.records) {
    if (!isItem(record)) continue;
    const payload = payloadOf(record);
    const call = textIn(payload, 'call_id');
    if (call === undefined) continue;
    if (CALLS.has(payload['type'])) {
      const count = (calls.get(call) ?? 0) + 1;
      calls.set(call, count);
      if (count === 1) continue;
      const given = `${call}-${count}`;
      renamed.set(call, given);
      log.set(record, ['payload', 'call_id'], given);
      log.act('new-id', record.line, `a second call with the id ${call} got the id ${given}`);
    } else if (OUTPUTS.has(payload['type'])) {
      const given = renamed.get(call);
      if (given !== undefined) log.set(record, ['payload', 'call_id'], given);
    }
  }
};

/** Moves an output behind its call. Looks at each record twice, because a log may have many thousands of calls. */
const outputOrder: RepairStep = ({ log }) => {
  const calls = new Map<JsonValue | undefined, { readonly record: RepairRecord; readonly place: number }>();
  for (const [place, record] of log.records.entries()) {
    const { type, call_id: id } = payloadOf(record);
    if (isItem(record) && CALLS.has(type) && !calls.has(id)) calls.set(id, { record, place });
  }
  const moved: { readonly output: RepairRecord; readonly call: RepairRecord }[] = [];
  for (const [place, record] of log.records.entries()) {
    const { type, call_id: id } = payloadOf(record);
    const call = isItem(record) && OUTPUTS.has(type) ? calls.get(id) : undefined;
    if (call === undefined || call.place < place) continue;
    moved.push({ output: record, call: call.record });
    log.act('order', record.line, `the output of ${named(id)} was moved behind its call`);
  }
  if (moved.length === 0) return;
  const outputs = new Set(moved.map(({ output }) => output));
  const behind = grouped(moved, ({ call }) => call);
  const left = log.records.filter((record) => !outputs.has(record));
  log.replaceAll(
    left.flatMap((record) => [
      record,
      ...(behind.get(record) ?? []).map(({ output }) => output).toReversed(),
    ]),
  );
};

/** Numbers the records again, if numbers are missing or fall. */
const ordinals: RepairStep = ({ log }) => {
  const first = log.records[0];
  const start = first && numberIn(first.value, 'ordinal');
  if (start === undefined) return;
  const isRising = log.records.every(({ value }, index) => {
    const [own, before] = [numberIn(value, 'ordinal'), log.records[index - 1]];
    return (
      own !== undefined && (before === undefined || own > (numberIn(before.value, 'ordinal') ?? Infinity))
    );
  });
  if (isRising) return;
  for (const [index, record] of log.records.entries())
    if (record.value['ordinal'] !== start + index) setOrdinal(log, record, start + index);
  log.act('order', 1, 'ordinals were missing or fell: the records are numbered again');
};

/** The program writes the ordinal behind the time. */
function setOrdinal(log: Parameters<RepairStep>[0]['log'], record: RepairRecord, ordinal: number): void {
  const match = 'ordinal' in record.value ? null : /^\{"timestamp":"[^"\\]*"/.exec(record.text);
  if (match === null) return log.set(record, ['ordinal'], ordinal);
  record.text = `${match[0]},"ordinal":${ordinal}${record.text.slice(match[0].length)}`;
  record.value = { ...record.value, ordinal };
}

const partsOf: ProgramRepair['partsOf'] = (event, line): readonly Part[] => {
  const parts = event['type'] === 'response_item' ? codexParts(objectIn(event, 'payload'), line) : [];
  return typeof parts === 'string' ? [] : parts;
};

/** How sessions of Codex are repaired. */
export const codexRepair: ProgramRepair = {
  bytes: { replacesHalves: true },
  partsOf,
  steps: [head, sameItems, callIds, outputOrder, ordinals, movedTo(['payload', 'cwd'])],
  rename: (log, id) => {
    for (const record of log.records) {
      if (record.value['type'] !== 'session_meta') continue;
      log.set(record, ['payload', 'id'], id);
      if (textIn(payloadOf(record), 'session_id') !== undefined)
        log.set(record, ['payload', 'session_id'], id);
      return;
    }
  },
  pathFor: (path, id) => {
    const time = /^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-/.exec(basename(path))?.[0] ?? 'rollout-';
    return join(dirname(path), `${time}${id}.jsonl`);
  },
};
