import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';

/**
 * Reads a document of a session as a log: everything but a list first, then the elements of the list. Undefined for other
 * documents.
 */
export const recordsOfList =
  (list: string, isHead: (document: JsonObject) => boolean) =>
  (document: JsonValue): readonly JsonValue[] | undefined => {
    if (!isObject(document) || !isHead(document)) return undefined;
    const { [list]: elements, ...head } = document;
    return Array.isArray(elements) ? [head, ...elements] : undefined;
  };
