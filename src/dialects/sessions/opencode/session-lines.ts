import { parseExactJson } from '../../../base/json/parse.ts';
import { parseDocument } from '../../../base/json/parse-document.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { writeJson } from '../../../base/json/write.ts';
import { byText } from '../../../base/text/order.ts';
import { numberIn, objectIn, textIn } from '../../kit/members.ts';

// Makes the records of a session from its pieces, as the program's own export does. A text that is not JSON is kept
// as it is, so that the checks can say what is wrong with it.

/** A message or part as it is stored: its id, and the text of its JSON. */
export interface Piece {
  readonly id: string;
  /** Members that the text lacks, because they are columns or names of folders. */
  readonly members: JsonObject;
  readonly text: string;
  /** The file that it is in. */
  readonly file?: string | undefined;
  /** Why the file was not opened. Then its text is empty. */
  readonly fault?: string | undefined;
}

interface PartPiece extends Piece {
  readonly message: string;
  /** When the store last wrote it, if it says that. In milliseconds since 1970. */
  readonly updated?: number | undefined;
}

/** The pieces of a session. */
export interface SessionPieces {
  /** The head; a text that is not JSON, or the name of a file that is missing. */
  readonly head: JsonObject;
  readonly messages: readonly Piece[];
  readonly parts: readonly PartPiece[];
}

/** The object in a text with its further members, or what is wrong with the text. */
function read({
  id,
  members,
  text,
  file,
  fault,
}: Piece): { readonly value: JsonObject } | { readonly damaged: JsonObject } {
  if (fault !== undefined)
    return { damaged: { id, ...(file !== undefined && { file }), text, unread: fault } };
  const outcome = parseDocument(Buffer.from(text));
  const value = outcome.ok ? parseExactJson(text) : undefined;
  if (isObject(value)) return { value: { ...value, ...members } };
  const offset = outcome.ok ? 0 : outcome.offset;
  return { damaged: { id, ...(file !== undefined && { file }), text, offset } };
}

/** The head of a session whose text is not JSON. */
export const damagedHead = (piece: Piece): JsonObject => {
  const outcome = read(piece);
  return 'value' in outcome ? { info: outcome.value } : { damaged: outcome.damaged };
};

/** Whether something in a part began, and the part does not say when it ended. */
function isUnfinished(part: JsonObject): boolean {
  const times = [part, objectIn(part, 'state')].map((one) => objectIn(one, 'time'));
  return times.some(({ start }) => start !== undefined) && times.every(({ end }) => end === undefined);
}

const createdAt = (info: JsonValue | undefined): number => numberIn(objectIn(info, 'time'), 'created') ?? 0;

/**
 * The records of a session as lines: its head, its messages by time, and what belongs to none. `updated` in a message says
 * when the store last wrote parts that have not ended, by their ids; an export does not have it.
 */
export function linesOf({ head, messages, parts }: SessionPieces): string[] {
  const damaged: JsonObject[] = [];
  const byMessage = new Map<string, JsonObject[]>();
  const updates = new Map<string, JsonObject>();
  for (const part of [...parts].sort((a, b) => byText(a.id, b.id))) {
    const outcome = read(part);
    if ('damaged' in outcome) damaged.push({ damaged: { ...outcome.damaged, messageID: part.message } });
    else {
      const known = byMessage.get(part.message);
      if (known) known.push(outcome.value);
      else byMessage.set(part.message, [outcome.value]);
      // A killed program leaves such a part, and only the store knows that it worked until then.
      if (part.updated !== undefined && isUnfinished(outcome.value))
        updates.set(part.message, { ...updates.get(part.message), [part.id]: part.updated });
    }
  }
  const records: {
    readonly info: JsonObject;
    readonly parts: JsonObject[];
    readonly updated?: JsonObject;
  }[] = [];
  for (const message of messages) {
    const outcome = read(message);
    const own = byMessage.get(message.id) ?? [];
    byMessage.delete(message.id);
    if ('damaged' in outcome) damaged.push({ damaged: { ...outcome.damaged, parts: own } });
    else {
      const updated = updates.get(message.id);
      records.push({ info: outcome.value, parts: own, ...(updated && { updated }) });
    }
  }
  records.sort(
    (a, b) =>
      createdAt(a.info) - createdAt(b.info) || byText(textIn(a.info, 'id') ?? '', textIn(b.info, 'id') ?? ''),
  );
  const orphans = [...byMessage.values()].map((own): JsonObject => ({ parts: own }));
  return [head, ...records, ...damaged, ...orphans].map((record) =>
    writeJson(record as unknown as JsonValue),
  );
}
