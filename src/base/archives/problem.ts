type ArchiveProblemKind =
  | 'corrupt'
  | 'too-large'
  | 'unsafe-name'
  | 'unsafe-entry'
  | 'duplicate-entry'
  | 'scattered'
  | 'empty';

/** A problem with an archive or one of its entries. */
export interface ArchiveProblem {
  readonly kind: ArchiveProblemKind;
  readonly message: string;
  readonly entry?: string | undefined;
  /** The packed file, if it is a single one: it may be inside an archive. */
  readonly file?: string;
}

/** Ends the unpacking of an archive: the rest cannot be read, or must not be. */
export class ArchiveFault extends Error {
  readonly problem: ArchiveProblem;

  constructor(kind: ArchiveProblemKind, message: string, entry?: string) {
    super(message);
    this.problem = { kind, message, entry };
  }
}
