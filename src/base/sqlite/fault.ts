import { FileError } from '../errors.ts';

/** Makes the error for a database that cannot be read: why, and on which page. */
export type FaultOf = (why: string, page?: number) => FileError;

/** The errors of one database. `hint`: how to get at its rows with another program. */
export const faultsOf =
  (path: string, hint: string | undefined): FaultOf =>
  (why, page) =>
    new FileError(
      'unreadable',
      page === undefined
        ? `cannot read the database ${path}: ${why}`
        : `cannot read the database ${path}: page ${page} is damaged: ${why}`,
      { place: { file: path }, hint },
    );
