import type { CatalogueEntry } from '../../../findings/catalogue-entry.ts';

/** The other files of an episode. */
export const ARTIFACT = [
  {
    code: 'artifact/fingerprint',
    severity: 'warn',
    meaning: "A prompt's fingerprint is not the hash of its rendered text.",
    why: 'The fingerprint is how a prompt is recognised in other runs, and how a redacted one is proven later. This one belongs to another text.',
    example: '{"phase":"plan","mode":"full","rendered":"Plan the release.","fingerprint":"sha256:dummy"}',
    fix: 'The hash is sha256 over the text with CRLF as LF, the end of each line stripped, and then both ends. A `dummy` comes from test data. Otherwise the text was changed after it was recorded, or the recorder hashes before it renders.',
  },
] as const satisfies readonly CatalogueEntry[];
