/** A text as one word of a shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The same, as people write it: without quotes where no shell asks for them. */
export const plainShellWord = (text: string): string => (/^[\w./-]+$/.test(text) ? text : shellWord(text));
