import type { LogRecord } from '../../log/record.ts';
import type { LogEnding } from '../dialect.ts';
import { readEvent } from './read.ts';

/** The work on a plan is over when the workflow is, until another session takes it up. */
export function planEnding(): LogEnding {
  let over = false;
  return {
    isOver(record: LogRecord): boolean {
      switch (readEvent(record.value)?.type) {
        case 'workflow_complete':
        case 'workflow_failed':
          over = true;
          break;
        case 'session_start':
        case 'session_resumed':
          over = false;
      }
      return over;
    },
  };
}
