import type { CatalogueEntry } from '../catalogue-entry.ts';

/** Parts that could not be verified. */
export const VERIFY = [
  {
    code: 'verify/unreadable-folder',
    severity: 'error',
    hard: true,
    meaning:
      'A folder could not be listed, or the name of a file or folder is not valid UTF-8, so nothing in it was verified.',
    why: 'The folder may hold an episode, or many. A verification that silently skips it approves a log that nobody has checked.',
    example: '.noesis/episodes/ep_01KJPWD6M0GKJVH2GKEFTDNN55: permission denied, mode d---------.',
    fix: 'Look at the folder with `ls -ld`, and run noesis as a user that may list it. For a path that is too long, change into a folder further down and verify from there. Rename what has a name that is not valid UTF-8: as text, it could be the name of another file. For an input/output error (EIO), look at the health of the disk in `dmesg`.',
  },
  {
    code: 'verify/unfollowed-link',
    severity: 'warn',
    altered: true,
    meaning: 'A link leads to a log or an episode outside the verified folder, and is not followed.',
    why: 'Anyone who opens the episode by its name follows the link, and sees a run that this verification did not look at. The link may have replaced another episode.',
    example: '.noesis/episodes/ep_01KJPWD6M0GKJVH2GKEFTDNN55 -> /mnt/old/ep_01KJPWD6M0GKJVH2GKEFTDNN55',
    fix: 'See where the link leads with `ls -l`. If you made it, add its target to the command; otherwise look for the episode that it replaced.',
  },
  {
    code: 'verify/not-verified',
    severity: 'info',
    altered: true,
    varies: 'warn with --strict.',
    meaning: 'A folder has a file that may hold episodes, and nothing in it was verified.',
    why: 'Below a folder, noesis verifies each log whose dialect it knows, also one that is compressed with gzip or zstd. A compressed log that cannot be unpacked fails. Archives are opened only if they are named, and JSON Lines of an unknown dialect may be anything. A log under another name, such as `events.jsonl.bak` or `events.log`, is not read; nor is a folder or a FIFO with the name of a log. A gate must know that such files are there.',
    example: 'runs/backup.tar.gz, next to the episodes in runs/.',
    fix: 'Name the file as a separate target: `noesis verify runs/ runs/backup.tar.gz`. For JSON Lines add `--dialect generic`, or describe the dialect in noesis.toml. To fail on such files, use `--strict` or `--rule verify/not-verified=error`.',
  },
  {
    code: 'verify/level',
    severity: 'error',
    altered: true,
    meaning: 'The episode does not reach the level that is required.',
    why: 'A level says how much a verdict proves: readable, consistent, sealed, signed or anchored. A rule that lowers a finding does not raise the level.',
    example:
      '`noesis verify --require-level consistent` of an episode whose state differs from the log, with a rule that turns `projection/plan` off.',
    fix: 'The message says what is not proven. Correct that, or require a lower level.',
  },
  {
    code: 'verify/internal',
    severity: 'error',
    hard: true,
    meaning: 'The verification of this episode failed because of a bug in noesis, or ran out of memory.',
    why: 'The episode is not verified. It may be harmless, or somebody may have made it to crash its readers. The other episodes were verified.',
    example: 'RangeError: Invalid string length, in the episode ep_01KJPWD6M0GKJVH2GKEFTDNN55.',
    fix: 'Verify the episode alone, `noesis verify <episode>`, with more memory if it ran out: `NODE_OPTIONS=--max-old-space-size=8192`. If it fails again, report it with the message and the version, and with the episode if you may share it.',
  },
] as const satisfies readonly CatalogueEntry[];
