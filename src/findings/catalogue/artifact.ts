import type { CatalogueEntry } from '../catalogue-entry.ts';

/** The other files, each on its own. */
export const ARTIFACT = [
  {
    code: 'artifact/schema',
    severity: 'error',
    varies: 'warn for a line of a snapshot or a sidecar next to an exarchos log.',
    meaning:
      'A summary, final, learn or prompt record lacks a required field, or a field has the wrong type.',
    why: 'Programs that use the field fail or show a default. A final.json without an outcome, for example, closes the episode without saying how it ended.',
    example:
      '{"schema_version":"final/2.0.0","episode_id":"ep_legacy","finalized_at":"2026-03-02T13:00:00Z","run_index":0}',
    fix: 'The finding names the file, the field and what was expected. Check which schema_version the file claims. If another tool than the runtime writes it, report it to the owner of that tool.',
  },
  {
    code: 'artifact/unreadable',
    severity: 'error',
    hard: true,
    meaning:
      'A file of the episode could not be read: permission is missing, it is too long, it is not a regular file, or it is a symlink out of the episode.',
    why: 'The checks that need it did not run, so the verdict covers less than the whole episode.',
    example: 'EACCES: permission denied, open summary.json',
    fix: 'Look at the file with `ls -l`, and run noesis as a user that may read it. A symlink that leaves the episode is never followed: put the file itself in its place. A JSON document may have at most 64 MiB. For an input/output error (EIO), look at the health of the disk in `dmesg` before you copy anything else.',
  },
  {
    code: 'artifact/corrupt',
    severity: 'error',
    hard: true,
    meaning: 'A JSON or JSONL file other than the log or the state does not parse.',
    why: 'Readers lose everything after the damage. A reader that skips bad lines shows an incomplete list of prompts or proposals as if it were complete.',
    example: '{"episode_id":"ep_legacy","schema_version":"1.3.0","task":"Rotate the',
    fix: 'Go to the line in the finding. The runtime replaces JSON files in one step, so half a file comes from a copy or from another program. In prompts.jsonl and learn.jsonl a last line that breaks off is a crash. Restore the file, with the sha256 in manifest.json as the proof.',
  },
  {
    code: 'artifact/missing',
    severity: 'info',
    meaning: 'A file that the log names is not next to it.',
    why: 'Part of the run is missing here: an image, the log of a subagent, or the log that continues this one.',
    example: '"continued_trajectory_ref":"trajectory.cont-1.json", and the folder has no such file.',
    fix: 'Copy the whole folder again. If an archive renamed the file, give it the name that the log has.',
  },
] as const satisfies readonly CatalogueEntry[];
