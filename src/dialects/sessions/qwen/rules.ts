import * as z from 'zod';
import type { SessionRules } from '../kit/format.ts';
import { instant } from '../kit/shapes.ts';
import { resultCopies, TelemetryCheck } from './copies.ts';

const text = z.string();
const parts = z.array(z.looseObject({}));
const record = z.looseObject({
  uuid: text,
  parentUuid: text.nullable(),
  sessionId: text,
  timestamp: instant,
  type: text,
});
const message = record.extend({ message: z.looseObject({ parts }) });

/** The checks of Qwen Code's sessions (qwen.md §4). */
export const RULES: SessionRules = {
  types: [
    ...['user', 'user/mid_turn_user_message', 'user/notification', 'assistant', 'tool_result'],
    ...['ui_telemetry', 'chat_compression', 'slash_command', 'custom_title', 'attribution_snapshot']
      .concat('file_history_snapshot', 'rewind', 'session_model', 'turn_result', 'branch_checkpoint')
      .concat('notification')
      .map((subtype) => `system/${subtype}`),
  ],
  schemaOf: ({ type }) => (type === 'system' ? record : message),
  example: message,
  remarks: resultCopies,
  checks: (report) => [new TelemetryCheck(report)],
  mayTurnBack: ({ subtype }) => subtype === 'rewind',
  severities: {
    'lineage/forward-cause': 'warn',
    'lineage/not-the-previous': 'info',
    'session/mixed': 'warn',
    'tool/unanswered': 'warn',
    'usage/total': 'info',
  },
};
