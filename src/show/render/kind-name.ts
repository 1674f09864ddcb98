/** Kinds whose names do not say what they are; `--phase` and `-j` have the names alone. */
const GLOSSES: Readonly<Record<string, string>> = {
  double: 'double (repeats another record)',
  meta: 'meta (not conversation)',
};

/** Whether records of a kind are no part of what happened, so that a summary only counts them. */
export const isAside = (kind: string): boolean => Object.hasOwn(GLOSSES, kind);

/** A kind of records as summaries show it. */
export const kindName = (kind: string): string => GLOSSES[kind] ?? kind;
