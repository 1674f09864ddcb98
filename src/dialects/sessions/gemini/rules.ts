import * as z from 'zod';
import type { JsonObject } from '../../../base/json/value.ts';
import type { EventRemark } from '../../../findings/check.ts';
import { objectIn, objectsIn, textIn } from '../../kit/members.ts';
import type { SessionRules } from '../kit/format.ts';
import { instant } from '../kit/shapes.ts';
import { statusRemark } from '../kit/status-copy.ts';
import { isHeader, TYPES } from './records.ts';

const text = z.string();
const header = z.looseObject({ sessionId: text, projectHash: text, startTime: instant });
const parts = z.array(z.looseObject({}));
const message = z.looseObject({ id: text, timestamp: instant, type: text, content: z.union([text, parts]) });
const change = z.looseObject({});

/** Remarks about calls that have two statuses: that of the program, and that in the result for the model. */
const resultCopies = (event: JsonObject): EventRemark[] =>
  objectsIn(event, 'toolCalls').flatMap((call, at) => {
    const [result] = objectsIn(call, 'result');
    const response = objectIn(objectIn(result, 'functionResponse'), 'response');
    return statusRemark(textIn(call, 'status'), response, ['toolCalls', at, 'status']);
  });

/** The checks of Gemini CLI's sessions (gemini.md §5). */
export const RULES: SessionRules = {
  types: ['header', '$set', '$set.messages', '$rewindTo', ...TYPES.map((type) => `message/${type}`)],
  schemaOf: (event) => {
    if ('$set' in event || '$rewindTo' in event) return change;
    return isHeader(event) ? header : message;
  },
  example: message,
  remarks: resultCopies,
  start: 'a header',
  severities: {
    'order/start-not-first': 'warn',
    'order/start-repeated': 'info',
    'session/mixed': 'warn',
    'tool/unanswered': 'warn',
    'usage/total': 'info',
  },
};
