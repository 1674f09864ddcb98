import { basename } from 'node:path';
import type { JsonObject } from '../../../base/json/value.ts';
import type { LogRecord } from '../../../log/record.ts';
import type { Dialect, LogSample } from '../../dialect.ts';
import { inputExcerpt } from '../../kit/call-input.ts';
import { defineDialect, memberText } from '../../kit/define.ts';
import { firstLine } from '../../kit/excerpt.ts';
import { jsonLinesAmong } from '../../kit/json-lines.ts';
import { toolFilter } from '../../kit/record-filters.ts';
import type { Said, SaidResult, SessionFormat } from './format.ts';
import { KIND_WIDTH, type RecordKind, roleOfKind } from './kinds.ts';
import { textAt, timeAt } from './member.ts';
import { sessionMembers } from './members.ts';
import { describedResult, endOfResult, outcomeOfProblem } from './outcome.ts';
import type { CallRecords, LinkOf } from './reader.ts';
import { againIn, copiesIn, FormatReader } from './reading.ts';
import { withExitCodes } from './shell-result.ts';

/** The kind of a record for readers of a session, from what it says. */
function kindOf({ prompt, calls, results, answer, thinking }: Said): RecordKind {
  if (prompt !== undefined) return 'prompt';
  if (calls?.length) return 'call';
  if (results?.length) return 'result';
  return answer ? 'answer' : thinking ? 'thinking' : 'meta';
}

function detailOf(said: Said, type: string): string {
  const { prompt, calls = [], results = [], answer, thinking, detail, problem } = said;
  const shown = ({ status, text, exitCode }: SaidResult) => describedResult(status, text, exitCode);
  // If a record has a call and its failure, tables take the input of the call from its span.
  const failed = calls.length > 0 ? results.filter(({ status }) => status !== 'ok') : results;
  if (failed.length > 0) return failed.map(shown).join('; ');
  if (calls.length > 0) return calls.map(({ input }) => inputExcerpt(input)).join('; ');
  return firstLine(prompt || answer || detail || problem?.[1] || thinking || type);
}

const callRecords = (read: SessionFormat['said'], format: SessionFormat): CallRecords => ({
  ...(!format.isEdited && { again: () => againIn(format) }),
  copies: () => copiesIn({ ...format, said: read }),
  time: (event) => timeAt(event, format.members.time),
  callsIn: (event) =>
    (read(event).calls ?? []).flatMap(({ id, tool, input, time }) =>
      id === undefined ? [] : [{ id, tool, input: () => inputExcerpt(input), ...(time && { time }) }],
    ),
  resultsIn: (event) =>
    (read(event).results ?? []).flatMap(({ id, status, text, exitCode, time, mayRepeat }) =>
      id === undefined
        ? []
        : [
            {
              id,
              ...endOfResult(status, text, exitCode),
              ...(time && { time }),
              ...(mayRepeat && { mayRepeat }),
            },
          ],
    ),
  endedIn: (event) => read(event).took,
  others: () => (event) => {
    const { problem: [name, reason] = [] } = read(event);
    return name === undefined
      ? undefined
      : {
          name,
          start: timeAt(event, format.members.time),
          status: outcomeOfProblem(name),
          reason: reason || name,
        };
  },
});

/** Reads the links from which the chain of a continued session is made. */
const linksOf =
  (read: SessionFormat['said'], { id, parent = '' }: SessionFormat['members']): LinkOf =>
  (event) => {
    const { isHead, prompt } = read(event);
    if (isHead) return undefined;
    return { id: textAt(event, id), parent: textAt(event, parent), isPrompt: prompt !== undefined };
  };

/** The id, time and cause of records: as columns if they are members of the record itself. */
function membersOf(read: SessionFormat['said'], { id, time, parent }: SessionFormat['members']) {
  // A head may only say when the session began.
  const eventTime = (event: JsonObject) => timeAt(event, time) ?? read(event).began;
  if (id.includes('.')) {
    const idOf = ({ value }: LogRecord) => textAt(value, id);
    return { members: {}, eventTime, view: { id: idOf, time: ({ value }: LogRecord) => eventTime(value) } };
  }
  const timeOf = memberText(time);
  return {
    members: { id, time, ...(parent && { cause: parent }) },
    eventTime,
    view: { time: (record: LogRecord) => timeOf(record) ?? read(record.value).began },
  };
}

/** Makes a dialect from a declared format of sessions. Every command that reads works for it. */
export function defineSession(format: SessionFormat): Dialect {
  const { isSession, sessionIn, members, typeOf, said, rules, ...more } = format;
  const { writers: _writers, isEdited: _isEdited, isSelfContained: _isSelfContained, ...others } = more;
  const { copiesAreOlder: _copiesAreOlder, hasOrderedIds: _hasOrderedIds, ...declared } = others;
  let last: readonly [event: JsonObject, said: Said] | undefined;
  const read = (event: JsonObject): Said => {
    if (last?.[0] !== event) last = [event, withExitCodes(said(event))];
    return last[1];
  };
  // Several readers and checks ask for the same record in turn.
  const once = { ...format, said: read };
  const isOther = ({ records }: LogSample): boolean => records.length > 0 && !isSession(records);
  const toolOf = (event: JsonObject): string | undefined => read(event).calls?.[0]?.tool;
  const ofMembers = membersOf(read, members);
  const links = members.parent === undefined ? undefined : linksOf(read, members);
  return defineDialect({
    takesGlued: true,
    detect: ({ records }) => isSession(records),
    logFiles: (names) => names.filter((name) => sessionIn(name) !== undefined),
    // A copy under another name is a log too.
    candidates: jsonLinesAmong,
    isLookAlike: isOther,
    isNoLog: isOther,
    nameOf: (log) => sessionIn(basename(log)),
    sessionOf: (event) => {
      const session = read(event).about?.['id'];
      return typeof session === 'string' ? session : undefined;
    },
    ...ofMembers,
    columns: [
      { title: 'KIND', width: KIND_WIDTH, cell: (event) => kindOf(read(event)) },
      {
        title: 'TOOL',
        width: 16,
        cell: (event) => toolOf(event) ?? read(event).usage?.model ?? '',
        isTool: true,
      },
      { title: 'DETAIL', width: 24, cell: (event) => detailOf(read(event), typeOf(event) ?? '') },
    ],
    filters: [toolFilter(({ value }) => toolOf(value))],
    endTime: (event) => read(event).ended,
    aliases: ({ value }) => (read(value).calls ?? []).flatMap(({ id }) => id ?? []),
    eventTypes: async () => (await rules()).types.map((type) => ({ type })),
    schemas: async () => ({
      event: { schema: (await rules()).example, title: `A record of a ${format.title}` },
    }),
    ...sessionMembers(
      (story) => new FormatReader(once, story),
      callRecords(read, format),
      () => undefined,
      links,
    ),
    verify: async (target, options) =>
      (await import('./checks.ts')).verifySession(once, await rules(), target, options),
    ...declared,
    view: {
      type: ({ value }) => typeOf(value),
      phase: ({ value }) => kindOf(read(value)),
      role: ({ value }) => roleOfKind(kindOf(read(value))),
      agent: () => 'main',
      ...ofMembers.view,
      ...declared.view,
    },
  });
}
