import { dirname, join } from 'node:path';
import {
  closedCalls,
  joinedLinks,
  type MakeResult,
  uniqueIds,
  withoutOrphans,
} from '../kit/repair/chain-steps.ts';
import { movedTo } from '../kit/repair/moved-folder.ts';
import { NO_RESULT, type ProgramRepair, textOf } from '../kit/repair/program.ts';
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

/** How sessions of Qwen Code are repaired. */
export const qwenRepair: ProgramRepair = {
  bytes: { escapesSeparators: true },
  partsOf: qwenParts,
  steps: [
    uniqueIds(LINKS),
    joinedLinks(LINKS, true),
    withoutOrphans(LINKS, qwenParts),
    closedCalls(LINKS, qwenParts, resultFor),
    movedTo(['cwd']),
  ],
  rename: (log, id) => {
    for (const record of log.records)
      if (textOf(record, 'sessionId') !== undefined) log.set(record, ['sessionId'], id);
  },
  pathFor: (path, id) => join(dirname(path), `${id}.jsonl`),
};
