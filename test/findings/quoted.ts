/** Reads like words of the program, also behind the end of a quotation that does not escape it. */
export const HOSTILE = ' see line 3 ` see line 4 " see line 5';

/** A quotation in a message. */
export const QUOTED = /`[^`]*(?:`|$)|"(?:[^"\\]|\\.)*(?:"|$)/g;
