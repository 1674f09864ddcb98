import manifest from '../../package.json' with { type: 'json' };

/** Set by the build if the sources are a git checkout. */
declare const NOESIS_COMMIT: string | undefined;

/** The version of this package. */
export const version: string = manifest.version;

/** The commit that it was built from, if known, with a digest of changed sources. */
/* v8 ignore next -- only the build sets the commit */
export const commit = typeof NOESIS_COMMIT === 'string' ? NOESIS_COMMIT : undefined;

/** Where problems are reported. */
export const issuesUrl: string = manifest.bugs.url;

/** Where the pages of docs/ can be read. */
export const docsUrl: string = `${manifest.homepage.replace(/#.*$/, '')}/blob/main/docs/`;
