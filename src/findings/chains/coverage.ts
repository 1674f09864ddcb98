import { isKey, keyAt, type ValueIndex } from '../../base/json/value-index.ts';
import { partsOf } from './digest.ts';
import type { CutTable, Over, Profile } from './profile.ts';

/** Which members of a record some hash, signature or rule covers. */
export interface Cover {
  /** Whether members that `below` does not name are covered. */
  readonly all: boolean;
  readonly below: ReadonlyMap<string, Cover>;
}

const NO_MEMBERS: ReadonlyMap<string, Cover> = new Map();
export const ALL: Cover = { all: true, below: NO_MEMBERS };
export const NONE: Cover = { all: false, below: NO_MEMBERS };

const isWhole = (cover: Cover): boolean => cover.all && cover.below.size === 0;
const isNothing = (cover: Cover): boolean => !cover.all && cover.below.size === 0;

const memberOf = ({ all, below }: Cover, name: string): Cover => below.get(name) ?? (all ? ALL : NONE);

/** What two covers cover together. */
export function union(a: Cover, b: Cover): Cover {
  if (isWhole(a) || isNothing(b)) return a;
  if (isWhole(b) || isNothing(a)) return b;
  const all = a.all || b.all;
  const below = new Map<string, Cover>();
  for (const name of new Set([...a.below.keys(), ...b.below.keys()])) {
    const both = union(memberOf(a, name), memberOf(b, name));
    if (all ? !isWhole(both) : !isNothing(both)) below.set(name, both);
  }
  return { all, below };
}

/** A cover of the value at a path. */
function under(path: readonly string[], cover: Cover): Cover {
  return path.reduceRight<Cover>((inner, name) => ({ all: false, below: new Map([[name, inner]]) }), cover);
}

/** Everything but the value at a path. */
const without = (path: readonly string[]): Cover =>
  path.reduceRight<Cover>((inner, name) => ({ all: true, below: new Map([[name, inner]]) }), NONE);

/** What both covers cover. */
function both(a: Cover, b: Cover): Cover {
  if (isWhole(a) || isNothing(b)) return b;
  if (isWhole(b) || isNothing(a)) return a;
  const all = a.all && b.all;
  const below = new Map<string, Cover>();
  for (const name of new Set([...a.below.keys(), ...b.below.keys()])) {
    const one = both(memberOf(a, name), memberOf(b, name));
    if (all ? !isWhole(one) : !isNothing(one)) below.set(name, one);
  }
  return { all, below };
}

const member = (path: string | undefined): Cover => (path === undefined ? NONE : under(path.split('.'), ALL));

/** What the bytes of a digest cover. */
function ofParts(over: Over | undefined, table: CutTable): Cover {
  let cover = NONE;
  for (const part of partsOf(over, table)) {
    for (const one of 'digest' in part ? part.digest : [part]) {
      if ('line' in one) return ALL;
      if ('member' in one) cover = union(cover, member(one.member));
      else if ('form' in one) {
        const gone = [...(one.without ?? []), ...Object.keys(one.set ?? {})];
        const inner = gone.reduce(
          (left, path) => both(left, without(path.split('.'))),
          (one.only ?? []).reduce((chosen, name) => union(chosen, member(name)), one.only ? NONE : ALL),
        );
        cover = union(cover, one.json === undefined ? inner : under(one.json.split('.'), inner));
      }
    }
  }
  return cover;
}

/** What a profile covers of a record that another follows, and of the last one. */
export function coverOf(
  profile: Profile,
  isVerified: boolean,
): { readonly middle: Cover; readonly last: Cover } {
  const { link, hash, also = [], sequence, group, signature, same = {}, each, to } = profile;
  const rules = [link, hash, sequence?.member, group, ...also.map((one) => one.hash)];
  let last = [...rules, ...Object.keys(same)].reduce((cover, path) => union(cover, member(path)), NONE);
  for (const one of also) last = union(last, ofParts(one.over, one));
  if (signature !== undefined && isVerified) {
    const checked = [signature.member, signature.key, ...Object.keys(signature.equals ?? {})];
    last = checked.reduce((cover, path) => union(cover, member(path)), last);
    last = union(last, ofParts(signature.over, signature));
  }
  const hashed = to === 'line' ? ALL : ofParts(profile.over, profile);
  if (hash !== undefined && to !== 'line') last = union(last, hashed);
  const middle = union(last, hashed);
  const inside = (cover: Cover) => (each === undefined ? cover : under(each.split('.'), cover));
  return { middle: inside(middle), last: inside(last) };
}

/** The members of a value that are not covered, as paths. Stops after `most` of them. */
export function uncovered(
  index: ValueIndex,
  value: number,
  cover: Cover,
  into: Set<string>,
  most: number,
): void {
  collect(index, value, cover, '', into, most);
}

function collect(
  index: ValueIndex,
  value: number,
  cover: Cover,
  path: string,
  into: Set<string>,
  most: number,
): void {
  if (isWhole(cover) || into.size >= most) return;
  if (!index.isObject(value) || isNothing(cover)) {
    into.add(path);
    return;
  }
  const after = index.after(value);
  for (let child = value + 1; child < after; child = index.after(child)) {
    const key = index.keyOf(child);
    let inner: Cover | undefined;
    for (const [name, below] of cover.below)
      if (isKey(index.bytes, key, name)) {
        inner = below;
        break;
      }
    inner ??= cover.all ? ALL : NONE;
    if (isWhole(inner)) continue;
    const name = keyAt(index.bytes, key);
    collect(index, child, inner, path === '' ? name : `${path}.${name}`, into, most);
  }
}
