/** Kinds whose names do not say what they are; `--phase` and `-j` have the names alone. */
const GLOSSES: Readonly<Record<string, string>> = {
  double: 'double (repeats another record)',
  meta: 'meta (not conversation)',
  turn: 'turn (its start or end)',
};

/** Whether records of a kind are no part of the conversation, so that a summary only counts them. */
export const isAside = (kind: string): boolean => Object.hasOwn(GLOSSES, kind);

/** A kind of records as summaries show it. */
export const kindName = (kind: string): string => GLOSSES[kind] ?? kind;
