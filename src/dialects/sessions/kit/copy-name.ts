/** Ids of repaired copies begin like this, so that they can be recognised. */
export const COPY_ID = 'd0c7';

const NAME = new RegExp(`(?:^|[-_/\\\\])${COPY_ID}[0-9a-f]{4}(?:$|[-./\\\\])`);

/** Whether a session has the id of a repaired copy, by its name or by the end of the path of its log. */
export const isNamedAsCopy = (name: string): boolean =>
  name.includes(COPY_ID) && NAME.test(name.split(/[/\\]/).slice(-2).join('/'));

/** Orders sessions that were active at the same time: a repaired copy comes after the one that it was made from. */
export const copiesLast = (a: string, b: string): number =>
  Number(isNamedAsCopy(a)) - Number(isNamedAsCopy(b));
