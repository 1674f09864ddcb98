import { dirname, join } from 'node:path';
import { textIn } from '../../kit/members.ts';
import {
  closedCalls,
  joinedLinks,
  type MakeResult,
  uniqueIds,
  withoutOrphans,
} from '../kit/repair/chain-steps.ts';
import { NO_RESULT, type ProgramRepair, type RepairStep, textOf } from '../kit/repair/program.ts';
import { qwenParts } from './loading.ts';

const LINKS = { id: 'uuid', parent: 'parentUuid' };

const resultFor: MakeResult = ({ value }, { call = '', words }, uuid) => ({
  uuid,
  parentUuid: value['uuid'] ?? null,
  sessionId: value['sessionId'] ?? '',
  timestamp: value['timestamp'] ?? '',
  type: 'tool_result',
  provenance: 'tool_result',
  cwd: value['cwd'] ?? '',
  version: value['version'] ?? '',
  message: {
    role: 'user',
    parts: [{ functionResponse: { id: call, name: words, response: { error: NO_RESULT } } }],
  },
  toolCallResult: { callId: call, status: 'error' },
});

/** Moves the session to another folder, if the user says so. */
const moved: RepairStep = ({ log, options: { cwd } }) => {
  if (cwd === undefined) return;
  for (const record of log.records)
    if (textIn(record.value, 'cwd') !== undefined && record.value['cwd'] !== cwd)
      log.set(record, ['cwd'], cwd);
  log.act('moved', 1, `the folder in the records is now ${cwd}`);
};

/** How sessions of Qwen Code are repaired. */
export const qwenRepair: ProgramRepair = {
  bytes: { escapesSeparators: true },
  partsOf: qwenParts,
  steps: [
    uniqueIds(LINKS),
    joinedLinks(LINKS, true),
    withoutOrphans(LINKS, qwenParts),
    closedCalls(LINKS, qwenParts, resultFor),
    moved,
  ],
  rename: (log, id) => {
    for (const record of log.records)
      if (textOf(record, 'sessionId') !== undefined) log.set(record, ['sessionId'], id);
  },
  pathFor: (path, id) => join(dirname(path), `${id}.jsonl`),
};
