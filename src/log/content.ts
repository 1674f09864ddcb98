/**
 * What becomes of a member of an object whose digest is made: it is part of the text as it is, with each float as a text
 * of six decimals (`walked`), with its number as such a text, whatever number it is (`six-decimals`), or walked and null
 * where it is empty (`filled`); or it is no part of it, and neither is any other whose name begins with this one
 * (`all-left-out`); or it is the id. What is part of the text and not there is null.
 */
export type MemberForm = 'as-is' | 'walked' | 'six-decimals' | 'filled' | 'left-out' | 'all-left-out' | 'id';

/** An id that is a digest of what stands beside it, printed as Python's canonical JSON. */
export interface Content {
  /** Twelve bytes of BLAKE2b in hexadecimal digits behind a prefix, or a UUID of version 5 in some namespace. */
  readonly digest: 'blake2b' | 'uuid';
  readonly prefix: string;
  /** How characters beyond ASCII are written: as `\uXXXX`, or as they are. */
  readonly characters: 'ascii' | 'utf8';
  /** What becomes of the members of these names, and of all others. */
  readonly members: Readonly<Record<string, MemberForm>>;
  readonly others: 'as-is' | 'left-out';
}
