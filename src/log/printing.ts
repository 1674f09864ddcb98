/** How a program prints a record before it hashes the text, as far as the accelerator can print it from the stored bytes. */
export interface Printing {
  /** The order of the members of an object: by UTF-16 units, by code points, or as stored. */
  readonly order: 'utf16' | 'codepoint' | 'stored';
  /** Whether a space follows commas and colons. */
  readonly spaced?: true;
  /** What strings escape, as in the forms of chains. */
  readonly strings: 'minimal' | 'ascii' | 'stored';
  /** Whether numbers are printed as they are stored, or as JavaScript and Python print them. */
  readonly numbers: 'javascript' | 'python' | 'stored';
  /** The outermost members that are left out. */
  readonly without: readonly string[];
}
