import type { JsonObject } from '../../../base/json/value.ts';
import type { Copied } from '../../kit/copied.ts';
import { sessionStates } from '../kit/members.ts';
import { TranscriptReader } from './reader.ts';
import { markedOrigin } from './records.ts';

/** Says of the copied lines of a log from where they are, because a page does not have the logs that show it. */
const originOf =
  ({ from, lines: [first, last] }: Copied) =>
  (event: JsonObject, line: number): string | undefined =>
    markedOrigin(event) ?? (line >= first && line <= last ? from : undefined);

/** Rebuilds states from events, for HTML pages. */
export const states = sessionStates(
  (copied) => new TranscriptReader(undefined, false, copied && originOf(copied)),
);
