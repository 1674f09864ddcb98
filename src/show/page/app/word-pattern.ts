import { literal } from '../../../base/text/literal.ts';

/** A regular expression that finds a text as it is. */
export const wordPattern = (text: string, flags: string): RegExp => new RegExp(literal(text), flags);
