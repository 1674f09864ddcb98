import type { JsonPath } from '../../../base/json/path.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { EventRemark } from '../../../findings/check.ts';

/** The statuses that the response for the model repeats: it has an `error` unless the call succeeded. */
const REPEATED: ReadonlySet<string | undefined> = new Set(['success', 'error', 'cancelled']);

/** A remark if the status of a call is not the one in its response for the model. */
export function statusRemark(
  status: string | undefined,
  response: JsonObject,
  path: JsonPath,
): EventRemark[] {
  if (!REPEATED.has(status) || Object.keys(response).length === 0) return [];
  const hasError = response['error'] !== undefined;
  if (hasError === (status !== 'success')) return [];
  const message = hasError
    ? 'the program recorded a success of this call, but the result for the model has an error'
    : `the program recorded the status ${status} of this call, but the result for the model has no error`;
  return [{ code: 'session/copy-differs', message, path }];
}
