/** Quotes a text as one word of a shell command. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Quotes a text only if the shell needs it. */
export const plainShellWord = (text: string): string => (/^[\w./-]+$/.test(text) ? text : shellWord(text));
