/** A regular expression that finds a text as it is. */
export const wordPattern = (text: string, flags: string): RegExp =>
  new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), flags);
