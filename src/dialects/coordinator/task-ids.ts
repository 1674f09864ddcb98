import { isNumber } from '../../json/stored-number.ts';
import { isObject } from '../../json/value.ts';

/** The ids in a list of ids, or of rows with one. Writers have been seen to leave the quotes out of numbers. */
export function idsIn(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    const id = isObject(item) ? item['task_id'] : item;
    return typeof id === 'string' || isNumber(id) ? [String(id)] : [];
  });
}
