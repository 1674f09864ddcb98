// The members of one object, found again by name after the whole object has been read.

import { closeKeys, noteKey, openKeys, valueEnd } from './json';
import { hadEscape, space, stringEnd } from './text';
import { headOf, hintOf, isWord, lengthOf, maskOf, setHint, Word } from './words';

const MAX_MEMBERS: i32 = 40;
/** Per member: the key's head, its address and length, the value's address and the address after it, its escapes. */
const ENTRY: usize = 32;
const HEADER: usize = 32;

@unmanaged
export class Members {
  count: i32;
  /** Two names of one length, and where the members of objects of these names go. */
  private firstName: Word;
  private first: usize;
  private secondName: Word;
  private second: usize;
  /** A bit for each key, so that most of what is not there is not looked for. */
  private mask: u64;

  /** From now on the objects of these names, both of one length, are taken apart on the way. */
  nest(firstName: Word, first: Members, secondName: Word, second: Members): void {
    this.firstName = firstName;
    this.first = changetype<usize>(first);
    this.secondName = secondName;
    this.second = changetype<usize>(second);
  }

  /** From now on no object inside is taken apart. */
  flatten(): void {
    this.first = 0;
  }

  // @ts-ignore: decorator
  @inline
  private nested(key: usize, length: usize, head: u64): usize {
    if (this.first == 0 || length != lengthOf(this.firstName)) return 0;
    if (isWord(this.firstName, key, length, head)) return this.first;
    return isWord(this.secondName, key, length, head) ? this.second : 0;
  }

  /** Reads an object whose brace stands at `p`; the address after it, or 0. Keys with escapes are not plain. */
  read(p: usize, depth: i32): usize {
    this.count = 0;
    this.mask = 0;
    p = space(p + 1);
    if (load<u8>(p) == 0x7d) return p + 1;
    const base = openKeys();
    let mask: u64 = 0;
    while (true) {
      if (load<u8>(p) != 0x22) return 0;
      const key = p + 1;
      p = stringEnd(key);
      if (!p || hadEscape) return 0;
      const length = p - 1 - key;
      const head = headOf(key, length);
      mask = noteKey(base, key, length, head, mask);
      if (!mask) return 0;
      p = space(p);
      if (load<u8>(p) != 0x3a) return 0;
      const value = space(p + 1);
      const inner = load<u8>(value) == 0x7b ? this.nested(key, length, head) : 0;
      p = inner ? changetype<Members>(inner).read(value, depth + 1) : valueEnd(value, depth + 1);
      if (!p || this.count == MAX_MEMBERS) return 0;
      const entry = this.entry(this.count++);
      store<u64>(entry, head);
      store<u32>(entry, <u32>key, 8);
      store<u32>(entry, <u32>length, 12);
      store<u32>(entry, <u32>value, 16);
      store<u32>(entry, <u32>p, 20);
      store<u32>(entry, <u32>hadEscape, 24);
      p = space(p);
      const after: u32 = load<u8>(p);
      if (after == 0x7d) {
        this.mask = mask;
        closeKeys(base);
        return p + 1;
      }
      if (after != 0x2c) return 0;
      p = space(p + 1);
    }
    return 0;
  }

  /** The index of the member of a name, or -1. */
  find(name: Word): i32 {
    if ((this.mask & maskOf(name)) == 0) return -1;
    const hint = hintOf(name);
    if (hint < this.count && this.isNamed(hint, name)) return hint;
    for (let index = 0; index < this.count; index++) {
      if (!this.isNamed(index, name)) continue;
      setHint(name, index);
      return index;
    }
    return -1;
  }

  /** Whether a member has this name. */
  // @ts-ignore: decorator
  @inline
  isNamed(index: i32, name: Word): bool {
    const entry = this.entry(index);
    return isWord(name, <usize>load<u32>(entry, 8), <usize>load<u32>(entry, 12), load<u64>(entry));
  }

  /** The address of a member's value. */
  value(index: i32): usize {
    return <usize>load<u32>(this.entry(index), 16);
  }

  /** The address after a member's value. */
  end(index: i32): usize {
    return <usize>load<u32>(this.entry(index), 20);
  }

  /** Whether a member that is a string holds an escape. */
  escaped(index: i32): bool {
    return load<u32>(this.entry(index), 24) != 0;
  }

  /** The first byte of a member's value, which tells its kind. */
  kind(index: i32): u32 {
    return load<u8>(this.value(index));
  }

  // @ts-ignore: decorator
  @inline
  private entry(index: i32): usize {
    return changetype<usize>(this) + HEADER + <usize>index * ENTRY;
  }
}

/** Memory for one object's members. */
export function newMembers(): Members {
  return changetype<Members>(heapMembers());
}

let nextMembers: usize = memory.data(4 * (32 + 40 * 32));

function heapMembers(): usize {
  const at = nextMembers;
  nextMembers += HEADER + <usize>MAX_MEMBERS * ENTRY;
  return at;
}
