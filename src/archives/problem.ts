/** What can be wrong with an archive, or with one of its entries. */
export type ArchiveProblemKind =
  | 'corrupt'
  | 'too-large'
  | 'unsafe-name'
  | 'unsafe-entry'
  | 'duplicate-entry'
  | 'scattered'
  | 'empty';

/** Something that is wrong with an archive. */
export interface ArchiveProblem {
  readonly kind: ArchiveProblemKind;
  readonly message: string;
  /** The entry it is about. */
  readonly entry?: string | undefined;
}

/** Ends the unpacking of an archive: what comes behind cannot be read, or must not be. */
export class ArchiveFault extends Error {
  readonly problem: ArchiveProblem;

  constructor(kind: ArchiveProblemKind, message: string, entry?: string) {
    super(message);
    this.problem = { kind, message, entry };
  }
}
