import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { cannotRead, isNothing, NoesisError, reasonOf, StateError } from '../errors.ts';
import { tooLongForDocument } from '../json/limits.ts';
import { duplicateKey, lintJson } from '../json/lint.ts';
import { exactDocument, parseDocument } from '../json/parse-document.ts';
import { excerptAround, placeInText } from '../json/place.ts';
import { isObject, type JsonObject } from '../json/value.ts';
import { openable } from './files.ts';
import { readWhole } from './open-file.ts';

/** A state.json, parsed. */
export interface StoredState {
  readonly path: string;
  readonly bytes: Buffer;
  readonly value: JsonObject;
  /** The value with numbers as stored. */
  readonly exact: JsonObject;
}

/** The error for a fault at an offset of a document. */
export function invalidDocument(path: string, bytes: Buffer, offset: number, message: string): NoesisError {
  const { line, column, lineStart, lineEnd } = placeInText(bytes, offset);
  const excerpt = excerptAround(bytes, lineStart, lineEnd, offset);
  return new StateError('state-invalid', `line ${line} of ${path}: ${message}`, {
    place: {
      file: path,
      line,
      column,
      byteStart: offset,
      byteEnd: Math.min(bytes.length, offset + 1),
      excerpt,
    },
    hint: 'run noesis verify to list all errors, noesis project to rebuild the state from the log',
  });
}

/** Why a file cannot be opened; undefined if it can. */
async function refusal(path: string, isFound: boolean): Promise<string | undefined> {
  const status = isFound ? openable(dirname(path), path) : await stat(path);
  return typeof status === 'string' ? status : tooLongForDocument(status.size);
}

/**
 * Reads a state file. `isFound`: the user named its log or its folder, so it may not be a link that leads elsewhere.
 * `origin`: what the user named, if the file is a copy. Throws `state-missing`, `unreadable`, and `state-invalid` if it is
 * not a JSON object or has a repeated key, because programs disagree about the value of such a key.
 */
export async function readStateFile(path: string, isFound: boolean, origin = path): Promise<StoredState> {
  let bytes: Buffer;
  try {
    const refused = await refusal(path, isFound);
    if (refused !== undefined) throw cannotRead(origin, refused);
    bytes = readWhole(path);
  } catch (error) {
    if (error instanceof NoesisError) throw error;
    if (!isNothing(error)) throw cannotRead(origin, reasonOf(error), error);
    throw new StateError('state-missing', `there is no ${origin}`, {
      place: { file: origin },
      hint: 'run noesis project without --diff to see the state that the log gives',
    });
  }
  const outcome = parseDocument(bytes);
  if (!outcome.ok) throw invalidDocument(origin, bytes, outcome.offset, outcome.message);
  if (!isObject(outcome.value)) throw invalidDocument(origin, bytes, 0, 'a state must be a JSON object');
  if (outcome.maybeDuplicate)
    for (const notice of lintJson(bytes, 0, bytes.length))
      if (notice.kind === 'duplicate-key')
        throw invalidDocument(origin, bytes, notice.start, duplicateKey(notice));
  const { value } = outcome;
  let exact: JsonObject | undefined;
  return {
    path: origin,
    bytes,
    value,
    // Not everyone needs it, and it may be as large as the value.
    get exact() {
      exact ??= exactDocument(bytes, value) as JsonObject;
      return exact;
    },
  };
}
