/** The commit of a folder, with a digest of the changes if its sources have some; undefined outside of a git checkout. */
export function commitOf(folder: string): string | undefined;
