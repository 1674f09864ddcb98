/**
 * How a member of an object is hashed. `as-is`: unchanged. `walked`: each float in it as a text with six
 * decimals. `six-decimals`: each number in it so. `filled`: like `walked`, but null if empty. `left-out`: not
 * hashed. `all-left-out`: like `left-out`, also for every member whose name begins with this one. `id`: the
 * digest itself. A missing member is hashed as null.
 */
export type MemberForm = 'as-is' | 'walked' | 'six-decimals' | 'filled' | 'left-out' | 'all-left-out' | 'id';

/** An id that is a digest of the members next to it, printed as Python's canonical JSON. */
export interface Content {
  /** Twelve bytes of BLAKE2b in hex after a prefix, or a UUID of version 5. */
  readonly digest: 'blake2b' | 'uuid';
  readonly prefix: string;
  /** Whether non-ASCII characters are escaped as `\uXXXX`. */
  readonly characters: 'ascii' | 'utf8';
  /** The form of each member by name, and of all others. */
  readonly members: Readonly<Record<string, MemberForm>>;
  readonly others: 'as-is' | 'left-out';
}
