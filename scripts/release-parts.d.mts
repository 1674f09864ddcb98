/** The checks of a release before anything is made. */
export interface Releasable {
  readonly version: string;
  readonly notes: string | undefined;
  /** Of `git status --porcelain`. */
  readonly status: string;
  /** Those of this commit, a line each. */
  readonly tags: string;
}

export function notesOf(changelog: string, version: string): string | undefined;
export function requireReleasable(what: Releasable, stop: (message: string) => void): void;
export function checksums<Bytes>(
  files: readonly (readonly [name: string, bytes: Bytes])[],
  hash: (bytes: Bytes) => string,
): string;
