import { basename } from 'node:path';
import type { Dialect } from '../../dialects/dialect.ts';
import { reasonText } from '../../dialects/kit/account.ts';
import type { LoadingRemark } from '../../dialects/sessions/kit/loading/model.ts';
import { Gathering, gather } from '../../read/describe/gathering.ts';

/** Problems of a session that are no answers of an API. */
const NO_ERROR = /call|no result|interrupted|withdrawn|warning/;

/** Errors that the same conversation gets again: it is too long, or the API finds a part of it invalid. */
const OF_CONTENT =
  /too (?:long|large|big|many)|context[ _-]?(?:length|window|limit|size)|maximum context|exceed\w*.*(?:limit|maximum|tokens|size)|invalid[ _]?(?:request|argument)|bad request|\b4(?:00|13|22)\b/i;

/**
 * The error with which the API refused the last request of a session, if a request with the same conversation may get it
 * again. Undefined if the session ended in another way.
 */
export async function lastRefusal(
  log: string,
  dialect: Dialect,
  further: readonly string[],
): Promise<LoadingRemark | undefined> {
  const last = further.at(-1) ?? log;
  const gathering = new Gathering(dialect, await dialect.account?.());
  await gather(last, dialect, [gathering]);
  const { account } = gathering.result();
  const [cause] = account?.why ?? [];
  if (cause === undefined || cause.tone !== 'bad' || NO_ERROR.test(cause.kind)) return undefined;
  const message = reasonText(cause);
  if (!OF_CONTENT.test(message)) return undefined;
  return { line: cause.line, message: last === log ? message : `${message} (in ${basename(last)})` };
}
