import * as z from 'zod';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import type { EventRemark } from '../../../findings/check.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import { numberIn, objectIn, textIn } from '../../kit/members.ts';
import type { SessionRules } from '../kit/format.ts';
import { AnswerCheck } from './answer-check.ts';
import { OPENCODE } from './catalogue.ts';
import { EventCheck } from './event-check.ts';
import { MessageCheck } from './message-check.ts';
import { callsIn, isHead, typeOf } from './records.ts';

const text = z.string();
const count = z.number();
/** Milliseconds since 1970. */
const time = z.number();
const parts = z.array(z.looseObject({ id: text, type: text }));

const session = z.looseObject({
  info: z.looseObject({ id: text, version: text, time: z.looseObject({ created: time }) }),
});
const user = z.looseObject({
  info: z.looseObject({ id: text, sessionID: text, role: text, time: z.looseObject({ created: time }) }),
  parts,
});
const cache = z.looseObject({ read: count, write: count });
const tokens = z.looseObject({ input: count, output: count, reasoning: count, cache });
const assistant = z.looseObject({
  info: z.looseObject({
    ...{
      id: text,
      sessionID: text,
      role: text,
      parentID: text,
      modelID: text,
      providerID: text,
      cost: count,
      tokens,
    },
    time: z.looseObject({ created: time }),
  }),
  parts,
});
const others = z.looseObject({});

/** A call, which is a part of a message. */
const call = z.looseObject({
  callID: text,
  tool: text,
  state: z.looseObject({ status: text, input: z.looseObject({}) }),
});

const PART_TYPES: ReadonlySet<unknown> = new Set([
  ...['text', 'reasoning', 'tool', 'step-start', 'step-finish', 'patch', 'file', 'agent', 'subtask'],
  ...['compaction', 'retry', 'snapshot'],
]);

const SCHEMAS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['session', session],
  ['message/user', user],
  ['message/assistant', assistant],
]);

/** Faults of the parts of a message, and of its times. */
function* faultsOf(event: JsonObject): Generator<EventRemark> {
  if (isHead(event)) return;
  for (const [index, part] of (Array.isArray(event['parts']) ? event['parts'] : []).entries()) {
    if (!isObject(part)) continue;
    const { type } = part;
    if (type === 'tool') yield* faultsOfCall(part, index);
    else if (typeof type === 'string' && !PART_TYPES.has(type))
      yield {
        code: 'event/unknown-type',
        message: `${JSON.stringify(type)} is not a known type of a part: a newer version may have written it`,
        path: ['parts', index, 'type'],
      };
  }
  const stamps = objectIn(event['info'], 'time');
  const [created, completed] = [numberIn(stamps, 'created'), numberIn(stamps, 'completed')];
  if (created !== undefined && completed !== undefined && completed < created)
    yield {
      code: 'event/time-order',
      severity: 'info',
      message: 'the answer was completed before it was created',
      path: ['info', 'time', 'completed'],
    };
  yield* repeatedCalls(event);
}

function* faultsOfCall(part: JsonObject, index: number): Generator<EventRemark> {
  for (const { path, missing, expected, actual, message } of schemaIssues(call, part))
    yield {
      code: missing ? 'event/missing-field' : 'event/wrong-type',
      severity: 'error',
      message,
      path: ['parts', index, ...path],
      expected,
      ...(!missing && { actual }),
    };
  const stamps = objectIn(objectIn(part, 'state'), 'time');
  const [start, end] = [numberIn(stamps, 'start'), numberIn(stamps, 'end')];
  if (start === undefined || end === undefined || end >= start) return;
  yield {
    code: 'event/time-order',
    severity: 'info',
    message: 'the call ended before it started',
    path: ['parts', index, 'state', 'time', 'end'],
  };
}

/** Reports calls of one answer with the same id. Copies in a fork are in another session. */
function* repeatedCalls(event: JsonObject): Generator<EventRemark> {
  const seen = new Set<string>();
  for (const { part, path } of callsIn(event)) {
    const id = textIn(part, 'callID');
    if (id === undefined) continue;
    if (seen.has(id))
      yield {
        code: 'tool/duplicate-call',
        severity: 'error',
        message: `another call of this answer has the id ${JSON.stringify(id)} (part ${textIn(part, 'id') ?? '?'})`,
        path,
      };
    seen.add(id);
  }
}

/** The checks of opencode's sessions (opencode.md). */
export const RULES: SessionRules = {
  types: [...SCHEMAS.keys(), 'parts', 'damaged', 'lost'],
  schemaOf: (event) => SCHEMAS.get(typeOf(event) ?? '') ?? others,
  example: assistant,
  start: 'a session',
  wrongType: 'error',
  remarks: faultsOf,
  checks: (report) => [new MessageCheck(report), new AnswerCheck(report), new EventCheck(report)],
  severities: {
    ...Object.fromEntries(OPENCODE.map(({ code, severity }) => [code, severity])),
    'order/start-not-first': 'warn',
    'session/mixed': 'warn',
    'tool/unanswered': 'warn',
  },
};
