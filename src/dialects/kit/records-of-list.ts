import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';

/**
 * Reads a JSON document as a log: the document without `list` is the first record, the elements of `list`
 * follow. Undefined for a document that `isHead` rejects or that has no such list.
 */
export const recordsOfList =
  (list: string, isHead: (document: JsonObject) => boolean) =>
  (document: JsonValue): readonly JsonValue[] | undefined => {
    if (!isObject(document) || !isHead(document)) return undefined;
    const { [list]: elements, ...head } = document;
    return Array.isArray(elements) ? [head, ...elements] : undefined;
  };
