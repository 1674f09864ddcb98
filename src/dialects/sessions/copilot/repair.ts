import { basename, dirname, join } from 'node:path';
import { cannotRead } from '../../../base/errors.ts';
import { readEpisodeFile } from '../../../base/files/files.ts';
import { textOf } from '../../../base/json/write.ts';
import { objectIn, textIn } from '../../kit/members.ts';
import { uniqueIds } from '../kit/repair/chain-steps.ts';
import { movedTo } from '../kit/repair/moved-folder.ts';
import { madeId, type ProgramRepair, type RepairStep } from '../kit/repair/program.ts';
import { sessionAt, WORKSPACE } from './files.ts';
import { copilotParts, envelopeFault } from './loading.ts';

/** Adds session.start if it is lost. */
const head: RepairStep = ({ log, options }) => {
  const [first] = log.records;
  if (first === undefined || first.value['type'] === 'session.start') return;
  const sessionId = sessionAt(options.path);
  const timestamp = textIn(first.value, 'timestamp');
  const resumed = log.records.find(({ value }) => value['type'] === 'session.resume');
  const cwd = options.cwd ?? (resumed && textIn(objectIn(objectIn(resumed.value, 'data'), 'context'), 'cwd'));
  if (sessionId === undefined || timestamp === undefined) return;
  log.add(
    {
      type: 'session.start',
      data: {
        sessionId,
        version: 1,
        producer: 'copilot-agent',
        copilotVersion: '1.0.102',
        startTime: timestamp,
        context: cwd === undefined ? {} : { cwd },
        alreadyInUse: false,
      },
      id: madeId('noesis doctor', sessionId, 'session.start'),
      timestamp,
      parentId: null,
    },
    undefined,
  );
  log.act('head', 1, 'session.start is lost: a new one was made from the name of the folder', true);
};

/** A record with a wrong id or time refuses the whole session. */
const envelopes: RepairStep = ({ log }) => {
  let time: string | undefined;
  for (const record of log.records) {
    const fault = envelopeFault(record.value);
    if (fault?.includes('`id`')) {
      log.set(record, ['id'], madeId('noesis doctor', textOf(record.value['id']), String(record.line)));
      log.act('envelope', record.line, 'its id is not a UUID: it got a new one');
    }
    if (envelopeFault(record.value) !== undefined && time !== undefined) {
      log.set(record, ['timestamp'], time);
      log.act(
        'envelope',
        record.line,
        'its time is missing or wrong: it got that of the record before it',
        true,
      );
    }
    time = textIn(record.value, 'timestamp') ?? time;
  }
};

/** How sessions of Copilot CLI are repaired. */
export const copilotRepair: ProgramRepair = {
  bytes: {},
  partsOf: copilotParts,
  steps: [head, uniqueIds({ id: 'id', parent: 'parentId' }), envelopes, movedTo(['data', 'context', 'cwd'])],
  rename: (log, id) => {
    const first = log.records.find(({ value }) => value['type'] === 'session.start');
    if (first) log.set(first, ['data', 'sessionId'], id);
  },
  pathFor: (path, id) =>
    basename(path) === 'events.jsonl'
      ? join(dirname(dirname(path)), id, 'events.jsonl')
      : join(dirname(path), `${id}.jsonl`),
  along: (path, id) => {
    const folder = dirname(path);
    const outcome = readEpisodeFile(folder, WORKSPACE);
    if (outcome.kind === 'missing') return [];
    // The program does not resume a session without this file.
    if (outcome.kind === 'unreadable') throw cannotRead(join(folder, WORKSPACE), outcome.reason);
    const text = outcome.bytes.toString('utf8').replaceAll(basename(folder), id);
    return [{ name: WORKSPACE, text }];
  },
};
