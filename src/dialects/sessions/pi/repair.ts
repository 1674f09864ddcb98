import { basename, dirname, join } from 'node:path';
import { textIn } from '../../kit/members.ts';
import {
  closedCalls,
  joinedLinks,
  type MakeResult,
  uniqueIds,
  withoutOrphans,
} from '../kit/repair/chain-steps.ts';
import { madeId, NO_RESULT, type ProgramRepair, type RepairStep, textOf } from '../kit/repair/program.ts';
import { piParts } from './loading.ts';
import { sessionIn } from './records.ts';

const LINKS = { id: 'id', parent: 'parentId' };

/** Entries have ids of eight characters. */
const shortId = (old: string, line: number): string => madeId('noesis doctor', old, String(line)).slice(0, 8);

/** The folder of a project, from the name of the folder of its sessions, if only one folder has that name. */
function cwdIn(path: string): string | undefined {
  const slug = /^--(.+)--$/.exec(basename(dirname(path)))?.[1];
  return slug === undefined ? undefined : `/${slug.replaceAll('-', '/')}`;
}

/** Adds the header if it is lost. */
const header: RepairStep = ({ log, options }) => {
  if (log.records.some(({ value }) => value['type'] === 'session')) return;
  const name = basename(options.path);
  const id = sessionIn(name);
  const time = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z_/.exec(name);
  const cwd = options.cwd ?? cwdIn(options.path);
  if (id === undefined || time === null || cwd === undefined || log.records.length === 0) return;
  const timestamp = `${time[1]}:${time[2]}:${time[3]}.${time[4]}Z`;
  log.add({ type: 'session', version: 3, id, timestamp, cwd }, undefined);
  log.act(
    'head',
    1,
    `the header is lost: a new one was made from the name of the log, with the folder ${cwd}`,
    true,
  );
};

const resultFor: MakeResult = ({ value }, { call = '', words }, id) => ({
  type: 'message',
  id: id.slice(0, 8),
  parentId: value['id'] ?? null,
  timestamp: value['timestamp'] ?? '',
  message: {
    role: 'toolResult',
    toolCallId: call,
    toolName: words,
    content: [{ type: 'text', text: NO_RESULT }],
    isError: true,
    timestamp: Date.parse(textIn(value, 'timestamp') ?? '') || 0,
  },
});

/** Makes a compaction keep what comes before it, if the entry that it keeps is lost and the user asks for it. */
const undoneCompaction: RepairStep = ({ log, options }) => {
  if (!options.undoCompaction) return;
  const ids = new Set(log.records.map((record) => textOf(record, 'id')));
  for (const record of [...log.records]) {
    if (record.value['type'] !== 'compaction' || ids.has(textOf(record, 'firstKeptEntryId'))) continue;
    const [own, above] = [textOf(record, 'id'), record.value['parentId'] ?? null];
    log.reject(record, 'a compaction that was undone');
    for (const other of log.linked('parentId', own)) log.set(other, ['parentId'], above);
    log.act('compaction', record.line, 'the compaction was undone: what came before it is loaded again');
  }
};

const moved: RepairStep = ({ log, options: { cwd } }) => {
  const head = log.records.find(({ value }) => value['type'] === 'session');
  if (cwd === undefined || head === undefined || head.value['cwd'] === cwd) return;
  log.set(head, ['cwd'], cwd);
  log.act('moved', head.line, `the folder in the header is now ${cwd}`);
};

/** How sessions of pi are repaired. */
export const piRepair: ProgramRepair = {
  bytes: {},
  partsOf: piParts,
  steps: [
    header,
    uniqueIds(LINKS, shortId),
    undoneCompaction,
    joinedLinks(LINKS, true),
    withoutOrphans(LINKS, piParts),
    closedCalls(LINKS, piParts, resultFor, () => true, shortId),
    moved,
  ],
  rename: (log, id) => {
    const head = log.records.find(({ value }) => value['type'] === 'session');
    if (head) log.set(head, ['id'], id);
  },
  pathFor: (path, id) => {
    const time = /^([^_]+)_/.exec(basename(path))?.[1];
    return join(dirname(path), time === undefined ? `${id}.jsonl` : `${time}_${id}.jsonl`);
  },
};
