import * as z from 'zod';
import type { Match } from '../select/search-log.ts';
import { count, dialect, episode, type Fields, line, stored, text, time } from './shapes.ts';

const LOG = { episode, dialect, path: text.describe('the path of the log') };

/** A line of the output of `noesis search -j`. */
export const searchMatch = z.union([
  z
    .strictObject({
      ...LOG,
      ...({
        line,
        time: time.optional(),
        kind: text.describe('the kind, phase or type of the record'),
        agent: text.optional(),
        tool: text.optional(),
        field: text.describe('the first field with the text, such as `message.content[0].text`'),
        before: text.describe('the text before the match'),
        match: text,
        after: text.describe('the text after the match'),
        lines_before: z.array(text).optional().describe('with `--context`'),
        lines_after: z.array(text).optional().describe('with `--context`'),
      } satisfies Fields<Match>),
    })
    .meta({ id: 'match' }),
  z.strictObject({ ...LOG, more: count.describe('matches beyond `--limit`') }).meta({ id: 'more_matches' }),
]);

/** A line of the output of `noesis events --with-source -j`. */
export const sourcedEvent = z.strictObject({ episode, line, event: stored });
