import type { CatalogueEntry } from '../catalogue-entry.ts';

/** Archives of episodes and compressed logs. */
export const ARCHIVE = [
  {
    code: 'archive/corrupt',
    severity: 'error',
    hard: true,
    meaning:
      'An archive or a compressed log cannot be unpacked to its end: it is damaged, truncated, encrypted, or not an archive.',
    why: 'Nothing after the damage was verified. A wrong checksum means that the unpacked bytes differ from those that were packed.',
    example: 'The first half of runs.tar.gz, after an upload that was interrupted.',
    fix: 'Copy or download the archive again and compare its size and its checksum with the source. `gzip -t`, `zstd -t`, `tar -tf` and `unzip -t` test it with other tools. If it was encrypted, decrypt it first.',
  },
  {
    code: 'archive/too-large',
    severity: 'error',
    hard: true,
    meaning:
      'An archive or a compressed log unpacks to more than the limit: --max-unpacked, or a thousand times its size.',
    why: 'A few kilobytes can be made to fill a disk. Unpacking was stopped, and the rest was not verified.',
    example: 'A gzip file of 10 MB that unpacks to 10 GB of zeros.',
    fix: 'If the archive is your own and really that large, raise --max-unpacked, or pack it in parts. Otherwise ask where it comes from.',
  },
  {
    code: 'archive/unsafe-name',
    severity: 'error',
    hard: true,
    meaning: 'The name of an entry in an archive points outside the archive, or cannot be unpacked safely.',
    why: 'A program that unpacks such an archive writes to a place that the archive chose. The entry was not unpacked and not verified.',
    example: '../../.ssh/authorized_keys',
    fix: 'List the names with `tar -tf` or `unzip -l`. Pack the folder again with relative names: `tar -cf runs.tar -C /data runs`.',
  },
  {
    code: 'archive/unsafe-entry',
    severity: 'error',
    hard: true,
    meaning:
      'An entry of an archive is a link, a device or a pipe, or programs unpack it in different ways: it has two names or sizes, or is a sparse file.',
    why: 'A link may lead to any file of the machine that unpacks it, and a device may never end. An entry with two names is one file for some programs and another file for others, so two people see different logs. The entry was not unpacked and not verified.',
    example: 'ep_01KJPWD6M0GKJVH2GKEFTDNN55/events.jsonl -> /etc/passwd',
    fix: 'Pack what the links lead to: `tar --dereference --hard-dereference`, or `zip` without --symlinks. If programs disagree about an entry, unpack the archive with the program that you use, look at the files, and pack them again.',
  },
  {
    code: 'archive/duplicate-entry',
    severity: 'error',
    hard: true,
    meaning: 'Two entries of an archive have the same name.',
    why: 'Some programs take the first and some the last, so two people can look at the same archive and see different logs. The first was verified.',
    example: 'ep_1/events.jsonl is in the archive twice, as after `tar --append`.',
    fix: 'Unpack the archive with the program that you use, look at the files, and pack them again.',
  },
  {
    code: 'archive/scattered',
    severity: 'error',
    hard: true,
    meaning: 'The files of a folder are not next to each other in an archive that is read as a stream.',
    why: 'In a stream, a folder is verified as soon as the next one begins. Here more of its files came later, so they were not verified with it.',
    example: 'ep_1/events.jsonl, ep_2/events.jsonl, ep_1/state.json',
    fix: 'Save the archive to a file and name that as the target: it is then unpacked as a whole. Or pack it folder by folder, as `tar -cf` does.',
  },
  {
    code: 'archive/empty',
    severity: 'error',
    hard: true,
    meaning: 'An archive contains no episode.',
    why: 'Nothing was verified, so a gate must not let the archive pass.',
    example: 'A tar of the wrong folder, without the episodes.',
    fix: 'List what is in it with `tar -tf` or `unzip -l`, and pack the folder with the episodes.',
  },
  {
    code: 'archive/compressed-log',
    severity: 'info',
    meaning: 'The log is compressed; its uncompressed content was verified.',
    why: 'Line numbers and offsets refer to the uncompressed log. The hash and the size in the manifest were compared with it, too.',
    example: 'events.jsonl.gz instead of events.jsonl',
    fix: 'Nothing is wrong. `gzip -d` or `zstd -d` writes the log that the line numbers refer to.',
  },
] as const satisfies readonly CatalogueEntry[];
