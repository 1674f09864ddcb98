import type { JsonObject } from '../../../base/json/value.ts';
import { parseInstant } from '../../../base/time/instant.ts';
import type { TimesOfCopy } from '../../kit/copied.ts';

/** Says of each record of a log, in order, whether it was copied from another session, and whose time it has then. */
export type CopyReader = (event: JsonObject) => TimesOfCopy | undefined;

/** What a record says about its time. */
interface DatedRecord {
  /** If it is the head: when the session began. */
  readonly began?: string | undefined;
  readonly isHead: boolean;
  readonly time: string | undefined;
}

/** Recognises records that are older than their session. A fork begins with its head, and keeps the times of what it copies. */
export function olderCopies(read: (event: JsonObject) => DatedRecord): CopyReader {
  let start: number | undefined;
  return (event) => {
    const { began, isHead, time } = read(event);
    if (isHead) start ??= parseInstant(began ?? '');
    const instant = parseInstant(time ?? '');
    const isOlder = start !== undefined && instant !== undefined && instant < start;
    return isOlder && !isHead ? 'original' : undefined;
  };
}
