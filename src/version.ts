import manifest from '../package.json' with { type: 'json' };

/** Put in place by the build where the sources are a git checkout. */
declare const NOESIS_COMMIT: string | undefined;

/** The version of this package. */
export const version: string = manifest.version;

/** The commit it was built from, where that is known. */
/* v8 ignore next -- only the build says which commit it is of */
export const commit = typeof NOESIS_COMMIT === 'string' ? NOESIS_COMMIT : undefined;

/** Where problems are reported. */
export const issuesUrl: string = manifest.bugs.url;
