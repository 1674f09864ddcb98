/** The order of texts by their UTF-16 units: the same wherever it is asked for, unlike that of a locale. */
export const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
