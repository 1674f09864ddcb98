/** A copy of a text that is part of a much longer one. A slice would keep the whole text in memory. */
export const ownText = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');
