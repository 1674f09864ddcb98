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

export const isWhole = (cover: Cover): boolean => cover.all && cover.below.size === 0;
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

/** What the bytes of a digest cover. The hash of the record before covers the link, which must equal it. */
function ofParts(over: Over | undefined, table: CutTable, link: string | undefined): Cover {
  let cover = NONE;
  for (const part of partsOf(over, table)) {
    for (const one of 'digest' in part ? part.digest : [part]) {
      if ('line' in one) return ALL;
      if ('previous' in one) cover = union(cover, member(link));
      else if ('member' in one) cover = union(cover, member(one.member));
      else if ('form' in one) {
        const gone = [...(one.without ?? []), ...Object.keys(one.set ?? {})];
        const inner = gone.reduce(
          (left, path) => both(left, without(path.split('.'))),
          (one.only ?? []).reduce((chosen, name) => union(chosen, under([name], ALL)), one.only ? NONE : ALL),
        );
        cover = union(cover, one.json === undefined ? inner : under(one.json.split('.'), inner));
      }
    }
  }
  return cover;
}

/** Whether a cover covers the whole value at a path. */
const covers = (cover: Cover, path: string): boolean => isWhole(path.split('.').reduce(memberOf, cover));

/** Whether a digest covers the hash of the record before. */
const hasPrevious = (over: Over | undefined): boolean =>
  typeof over === 'object' &&
  over.some(
    (part) => 'previous' in part || ('digest' in part && part.digest.some((one) => 'previous' in one)),
  );

/**
 * What the signature of the last record covers, and whether that is its place in the chain. A signature of a hash covers what
 * the hash covers.
 */
export function coverOfSignature(profile: Profile): { readonly cover: Cover; readonly isLinked: boolean } {
  const { signature, link, hash, also = [], same = {}, each } = profile;
  if (signature === undefined) return { cover: NONE, isLinked: false };
  let cover = ofParts(signature.over, signature, link);
  let isLinked = hasPrevious(signature.over);
  for (const { hash: path, ...digest } of [...also, { ...profile, hash }])
    if (path !== undefined && covers(cover, path)) {
      cover = union(cover, ofParts(digest.over, digest, link));
      isLinked ||= hasPrevious(digest.over);
    }
  if (link !== undefined) isLinked ||= covers(cover, link);
  for (const [shown, copy] of Object.entries(same))
    if (covers(cover, copy)) cover = union(cover, member(shown));
  for (const path of [signature.member, signature.key, hash, ...also.map((one) => one.hash)])
    cover = union(cover, member(path));
  return { cover: each === undefined ? cover : under(each.split('.'), cover), isLinked };
}

/** Whether the links themselves are hashed or signed, so that a record cannot be removed by changing only the next link. */
export function coversLinks(profile: Profile, isVerified: boolean): boolean {
  const { link, over, to } = profile;
  if (link === undefined) return hasPrevious(over);
  if (to === 'line' || covers(ofParts(over, profile, link), link)) return true;
  return isVerified && coverOfSignature(profile).isLinked;
}

/** What a profile covers of a record that another follows, and of the last one. */
export function coverOf(
  profile: Profile,
  isVerified: boolean,
): { readonly middle: Cover; readonly last: Cover } {
  const { link, hash, also = [], sequence, signature, same = {}, each, to } = profile;
  const rules = [link, hash, sequence?.member, ...also.map((one) => one.hash)];
  let last = [...rules, ...Object.keys(same)].reduce((cover, path) => union(cover, member(path)), NONE);
  for (const one of also) last = union(last, ofParts(one.over, one, link));
  if (signature !== undefined && isVerified) {
    const checked = [signature.member, signature.key, ...Object.keys(signature.equals ?? {})];
    last = checked.reduce((cover, path) => union(cover, member(path)), last);
    last = union(last, ofParts(signature.over, signature, link));
  }
  const hashed = to === 'line' ? ALL : ofParts(profile.over, profile, link);
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
