import { tempFile } from './temp.ts';

/** The time of a second of a session, as programs store it. */
export const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 10, 0, second)).toISOString();

/** A log in a temporary folder. */
export const logOf = (name: string, records: readonly object[]): string =>
  tempFile(records.map((record) => `${JSON.stringify(record)}\n`).join(''), name);

/** A message of Claude Code at a second of its session. */
export const claude = (second: number, type: string, content: unknown, more: object = {}): object => ({
  type,
  uuid: `u${second}`,
  parentUuid: null,
  sessionId: 's',
  isSidechain: false,
  timestamp: at(second),
  message: {
    id: `m${second}`,
    role: type,
    content,
    ...(type === 'assistant' && { stop_reason: 'end_turn' }),
  },
  ...more,
});
