/** Orders texts by UTF-16 units, which does not depend on a locale. */
export const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
