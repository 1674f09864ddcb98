import { createHash } from 'node:crypto';
import { isObject, type JsonObject, type JsonValue } from '../../../../base/json/value.ts';
import { firstLine } from '../../../kit/excerpt.ts';
import { textIn } from '../../../kit/members.ts';
import type { Part, PartKind } from './model.ts';

const WORDS = 40;

/** Makes a part. `content`: what identifies it, if it is neither a call nor a result. */
export function partOf(
  kind: PartKind,
  line: number,
  content: string,
  more: { call?: string | undefined; fault?: string | undefined; isEmpty?: boolean; words?: string } = {},
): Part {
  const { call, fault, isEmpty, words = firstLine(content) } = more;
  return {
    kind,
    line,
    ...(call !== undefined && { call }),
    key: `${kind}:${call ?? createHash('sha256').update(content).digest('base64url').slice(0, 22)}`,
    words: words.length > WORDS ? `${words.slice(0, WORDS - 1).toWellFormed()}…` : words,
    ...(fault !== undefined && { fault }),
    ...(isEmpty === true && { isEmpty }),
  };
}

/** A text of the conversation; an empty one is not sent. */
export const textPart = (kind: PartKind, line: number, text: string): Part =>
  partOf(kind, line, text, { isEmpty: text === '' });

/** The parts of a message whose content is a text or a list of blocks. `other`: the parts of blocks that are not texts. */
export function messageParts(
  content: JsonValue | undefined,
  line: number,
  kind: PartKind,
  other: (block: JsonObject, line: number) => Part | undefined,
): readonly Part[] {
  if (typeof content === 'string') return [textPart(kind, line, content)];
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).map((block) => {
    if (block['type'] === 'text') return textPart(kind, line, textIn(block, 'text') ?? '');
    return (
      other(block, line) ??
      partOf('other', line, JSON.stringify(block), { words: textIn(block, 'type') ?? '' })
    );
  });
}
