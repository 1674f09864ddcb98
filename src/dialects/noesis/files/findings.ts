import type { CatalogueEntry } from '../../../findings/catalogue-entry.ts';

/** The other files of an episode. */
export const ARTIFACT = [
  {
    code: 'artifact/inner-log',
    severity: 'warn',
    meaning: 'Another log is inside the folder of an episode, and no manifest lists it.',
    why: 'An episode above a log can hide it: a reader takes the log for an attachment of an intact run. noesis verifies it as a separate episode, but nothing shows how it got there.',
    example: 'runs/events.jsonl and runs/state.json, above runs/ep_01KJPWD6M0GKJVH2GKEFTDNN55/events.jsonl.',
    fix: 'If the log is a separate run, move it next to the episode. If it is an attachment, let the runtime seal the episode: its manifest then lists the file.',
  },
  {
    code: 'artifact/fingerprint',
    severity: 'warn',
    meaning: "A prompt's fingerprint is not the hash of its rendered text.",
    why: 'A fingerprint identifies a prompt in other runs, and later proves the text of a redacted one. This one belongs to another text.',
    example: '{"phase":"plan","mode":"full","rendered":"Plan the release.","fingerprint":"sha256:dummy"}',
    fix: 'The hash is the sha256 of the text after three steps: CRLF becomes LF, white space at the end of each line is removed, and then white space around the whole text. A `dummy` comes from test data. Otherwise the text was changed after it was recorded, or the recorder computes the hash before it renders the text.',
  },
] as const satisfies readonly CatalogueEntry[];
