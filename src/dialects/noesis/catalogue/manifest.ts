import type { CatalogueEntry } from '../../../findings/catalogue-entry.ts';

/** The manifest, its signature, and whether the episode is sealed. */
export const MANIFEST = [
  {
    code: 'manifest/invalid',
    severity: 'error',
    meaning:
      'manifest.json is not a valid manifest: it is not an object, has another schema_version, or a field is missing or has the wrong type.',
    why: 'A lenient reader takes a broken manifest for one without entries and reports success: `{}` passes the check of the runtime, but proves nothing.',
    example:
      '{"schema_version":"manifest/1.0","episode_id":"ep_legacy","files":[{"name":"events.jsonl","sha256":"SHA256:A92F","size_bytes":"9499"}]}',
    fix: 'Restore manifest.json from a backup, or from where the episode was sealed. A new manifest made now only proves what the files look like today. sha256 is `sha256:` and 64 lower-case hex digits, size_bytes is a number.',
  },
  {
    code: 'manifest/missing-file',
    severity: 'error',
    meaning: 'A file that the manifest lists does not exist.',
    why: 'The episode is incomplete. What is missing may be exactly the file that somebody did not want you to read.',
    example: 'manifest.json lists prompts.jsonl with 1,177 bytes; the directory has no such file.',
    fix: 'Copy the episode again, dotfiles and subdirectories included. If the source lacks the file too, look for a clean-up job or a retention rule that removed it; its sha256 in the manifest identifies the right copy in a backup.',
  },
  {
    code: 'manifest/hash-mismatch',
    severity: 'error',
    meaning: 'The bytes of a file are not those that were sealed.',
    why: 'The file has changed since the manifest was made. The run did not seal its present contents.',
    example: 'state.json: sealed as sha256:df3b0f8a…, now sha256:1c77d2e0…, 1,523 bytes in both cases.',
    fix: 'Restore the file with the sealed hash from a backup, and compare the two to see what was changed. For a log the finding says whether the bytes were cut off, added or rewritten, if this can be known. A change of line endings or indentation counts too.',
  },
  {
    code: 'manifest/size-mismatch',
    severity: 'error',
    meaning: 'A file has another size than the manifest says.',
    why: 'Bytes were lost or added after the seal. A log without its last lines still looks intact: only the manifest shows that the end is missing.',
    example: 'events.jsonl has 8,910 bytes; manifest.json says "size_bytes": 9499.',
    fix: 'A smaller file is usually an interrupted copy: copy it again and compare. A larger one was written to after the seal: `tail -c +OFFSET <file>`, where OFFSET is the sealed size + 1, shows what was added.',
  },
  {
    code: 'manifest/unlisted-file',
    severity: 'warn',
    varies:
      'error under --strict; else info for a file in a subfolder that is called manifest.json, because the runtime does not list files with that name.',
    meaning: 'The episode has a file that the manifest does not list.',
    why: 'No hash covers it. A reader that takes everything in the directory as evidence takes this file too.',
    example: 'ep_01KJPZV2802JY40PMHQ0XAGQMH/notes.txt, not among the 6 files of manifest.json.',
    fix: 'Look at its owner and time with `ls -l`. A name such as `tmp` and 8 random characters is left from a write that was interrupted; .DS_Store or an editor backup came with a copy. Keep your own notes outside the episode.',
  },
  {
    code: 'manifest/unsafe-path',
    severity: 'error',
    meaning: 'A manifest entry names a path that may lead out of the episode, or cannot be a safe file name.',
    why: 'A verifier that follows it would hash and show a file outside the episode. Such a name has no honest use.',
    example:
      '{"name":"../../etc/passwd","sha256":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","size_bytes":0}',
    fix: 'noesis has not opened the path. Ask where the episode came from, and do not unpack or process it with other tools until you know. If it is your own symlink to shared data, copy the data into the episode before it is sealed.',
  },
  {
    code: 'manifest/empty',
    severity: 'error',
    meaning: 'The manifest does not list the event log.',
    why: 'The seal covers everything except the history: the log can be replaced by any other, and every hash still matches.',
    example: '{"schema_version":"manifest/1.0","episode_id":"ep_legacy","files":[]}',
    fix: 'Look for another manifest of this episode in a backup. The runtime always lists events.jsonl, so another program wrote or changed this one. In effect the log is not sealed.',
  },
  {
    code: 'manifest/duplicate-entry',
    severity: 'error',
    meaning: 'The manifest lists the same file twice.',
    why: 'With two hashes for one name, one verifier checks the first and another the last, and the file can satisfy each of them.',
    example:
      '"files": [{"name": "state.json", "size_bytes": 1523, …}, {"name": "state.json", "size_bytes": 1611, …}]',
    fix: 'Compare both entries with the file: `sha256sum state.json`. The runtime lists each file once and sorts them by name, so an entry out of order was added. Restore the original manifest.',
  },
  {
    code: 'manifest/signature',
    severity: 'error',
    meaning: 'The signature of the manifest is not valid.',
    why: 'The manifest is not what the owner of the key signed. All its hashes may match, but somebody else may have written them.',
    example:
      '"signature": {"alg": "HS256", "kid": "ops-1", "value": "SKspOntN…"}, but the key ops-1 gives another digest.',
    fix: 'Rule out the wrong key first: is this the key that this kid had at that time, and does its file contain only the secret? If the key is right, the manifest was changed after signing. Treat the episode as tampered with, and keep it for comparison with a backup.',
  },
  {
    code: 'manifest/unverified-signature',
    severity: 'warn',
    varies: 'error under --require-signature.',
    meaning: 'The manifest is signed, but no key was given to check the signature with.',
    why: 'Anybody can write a signature that looks like one. Without the key it does not show who wrote the manifest.',
    example: '"signer": "ops-1", "signature": {"alg": "HS256", "kid": "ops-1", …}, verified without --key.',
    fix: 'Run `noesis verify <episode> --key ops-1=FILE` with the kid of the finding, or put the secret into the environment variable NOESIS_MANIFEST_KEY_OPS_1.',
  },
  {
    code: 'manifest/weak-key',
    severity: 'info',
    varies: 'warn if the key has fewer than 8 bytes.',
    meaning:
      'The signature of a manifest is valid, but the shared secret that made it has fewer than 16 bytes.',
    why: 'Anyone who has one signed manifest can guess the secret by trying, and then sign other manifests.',
    example: 'A manifest signed with HS256 and the key `secret`.',
    fix: 'Sign with 32 random bytes, or with a key pair (`noesis keygen NAME`), and use the new key for future runs. Signatures of the short key prove only that somebody knew or guessed it.',
  },
  {
    code: 'manifest/uncovered',
    severity: 'warn',
    meaning: 'A signed manifest has a member that its signature does not cover.',
    why: 'The signature is over the members that the runtime knows. Anybody can add another one, and a reader that shows it gives it the authority of the key.',
    example: '"approved_by": "ops" in a manifest whose signature is valid with and without it.',
    fix: 'Do not trust the member, and ask who added it: the runtime does not write it. The time of signing (`ts`) and the context (`ctx`) in `signature` are not covered either.',
  },
  {
    code: 'seal/open',
    severity: 'info',
    meaning: 'The episode is being written: its files changed each time they were read.',
    why: 'While a writer is at work, a torn last line, a terminate event without a seal, or a final.json without its manifest is normal. They are not reported, so this verification proves less than that of a finished run.',
    example: 'events.jsonl grew between two reads, and its last line has no newline yet.',
    fix: 'Verify again when the run has ended, or follow it with `noesis tail -f`. If no run should be active, find out which process writes there.',
  },
  {
    code: 'seal/incomplete',
    severity: 'error',
    meaning:
      'The seal is incomplete: final.json without manifest.json, or a manifest that does not list final.json.',
    why: 'For the runtime the episode is closed, for a verifier it is not. The outcome in final.json is not covered by any hash.',
    example: 'ep_01KJPWD6M0GKJVH2GKEFTDNN55/\n  events.jsonl\n  final.json\n  state.json\n  summary.json',
    fix: 'Copy the episode again: manifest.json is written last, so a copy made just before that lacks it. If the source lacks it too, the run was killed between the two writes, or somebody deleted it: look for it in a backup. A manifest that does not list final.json was written before the end, or by an older runtime.',
  },
] as const satisfies readonly CatalogueEntry[];
