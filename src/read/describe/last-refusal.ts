import { basename } from 'node:path';
import type { Dialect } from '../../dialects/dialect.ts';
import { type EndingReason, reasonText } from '../../dialects/kit/account.ts';
import type { LoadingRemark } from '../../dialects/sessions/kit/loading/model.ts';
import { Gathering, gather } from './gathering.ts';

/** Problems of a session that are no answers of an API. */
const NO_ERROR = /call|no result|interrupted|withdrawn|warning/;

/** Errors that the same conversation gets again: it is too long, or the API finds a part of it invalid. */
const OF_CONTENT =
  /too (?:long|large|big|many)|context[ _-]?(?:length|window|limit|size)|maximum context|exceed.{0,100}(?:limit|maximum|tokens|size)|invalid[ _]?(?:request|argument)|bad request|\b4(?:00|13|22)\b/i;

/**
 * The error with which the API refused the last request of a session, if a request with the same conversation may get it
 * again. Undefined if the session ended in another way. `why` are the reasons of its end.
 */
export function lastRefusalIn(why: readonly EndingReason[] = []): LoadingRemark | undefined {
  const [cause] = why;
  if (cause === undefined || cause.tone !== 'bad' || NO_ERROR.test(cause.kind)) return undefined;
  const message = reasonText(cause);
  if (!OF_CONTENT.test(message)) return undefined;
  return {
    line: cause.line,
    message: cause.part === undefined ? message : `${message} (in ${basename(cause.part)})`,
  };
}

/** `lastRefusalIn` of a log and the further logs of its session, oldest first. */
export async function lastRefusal(
  log: string,
  dialect: Dialect,
  further: readonly string[],
): Promise<LoadingRemark | undefined> {
  const last = further.at(-1);
  const gathering = new Gathering(dialect, await dialect.account?.());
  await gather(last ?? log, dialect, [gathering]);
  const { why = [] } = gathering.result().account ?? {};
  return lastRefusalIn(last === undefined ? why : why.map((reason) => ({ ...reason, part: last })));
}
