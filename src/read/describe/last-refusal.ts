import { basename } from 'node:path';
import type { Dialect } from '../../dialects/dialect.ts';
import { type EndingReason, reasonText } from '../../dialects/kit/account.ts';
import type { LoadingRemark } from '../../dialects/sessions/kit/loading/model.ts';
import { Gathering, gather } from './gathering.ts';

/** Problems of a session that are no answers of an API. */
const NO_ERROR = /call|no result|interrupted|withdrawn|warning/;

/** The conversation is too long: neither waiting nor another account helps. */
const TOO_LONG = /too (?:long|large|big)|context[ _-]?(?:length|window|limit|size)|maximum context/i;

/** Other errors that the same conversation gets again, such as one about a part that the API finds invalid. */
const INVALID =
  /too many|exceed.{0,100}(?:limit|maximum|tokens|size)|invalid[ _]?(?:request|argument)|bad request|\b4(?:00|13|22)\b/i;

/** A limit on use, such as requests in a minute or the credit of an account. It has nothing to do with the conversation. */
const LIMIT_ON_USE =
  /rate[ _-]?limit|too many (?:concurrent )?requests|(?:usage|spend(?:ing)?) limits?\b|(?:tokens|requests) per (?:min|hour|day)|quota|credit|billing|RESOURCE_EXHAUSTED/i;

/** The server could not answer just then. */
const OVERLOADED =
  /overloaded|at capacity|internal (?:server )?error|service unavailable|try again (?:later|in \d)/i;

/** The status of an HTTP response of which waiting is the cure. Elsewhere in an error, such a number counts something. */
const STATUS_TO_WAIT =
  /(?:^|error:? |rejected |(?:status|code)(?: code)?"?[:=]? ?)\(?(?:429|5(?:0[0234]|29))\b/i;

/** Whether the next request with the same conversation gets an error again, however long one waits. */
const isAboutContent = (message: string): boolean =>
  TOO_LONG.test(message) ||
  (INVALID.test(message) && ![LIMIT_ON_USE, OVERLOADED, STATUS_TO_WAIT].some((one) => one.test(message)));

/**
 * The error with which the API refused the last request of a session, if a request with the same conversation may get it
 * again. Undefined if waiting helps, as after a rate limit, and if the session ended in another way. `why` are the reasons
 * of its end.
 */
export function lastRefusalIn(why: readonly EndingReason[] = []): LoadingRemark | undefined {
  const [cause] = why;
  if (cause === undefined || cause.tone !== 'bad' || NO_ERROR.test(cause.kind)) return undefined;
  const message = reasonText(cause);
  if (!isAboutContent(message)) return undefined;
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
