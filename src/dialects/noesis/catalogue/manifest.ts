import type { CatalogueEntry } from '../../../findings/catalogue-entry.ts';

/** The manifest, its signature, and whether the episode is sealed. */
export const MANIFEST = [
  {
    code: 'manifest/invalid',
    severity: 'error',
    meaning:
      'manifest.json is not in the form of a manifest: no object, another schema_version, or a field missing or of the wrong type.',
    why: 'A lenient reader takes a broken manifest for one without entries and reports success: `{}` passes the check of the runtime. Nothing is proven by it.',
    example:
      '{"schema_version":"manifest/1.0","episode_id":"ep_legacy","files":[{"name":"events.jsonl","sha256":"SHA256:A92F","size_bytes":"9499"}]}',
    fix: 'Restore manifest.json from a backup, or from where the episode was sealed. A new manifest made now only proves what the files look like today. sha256 is `sha256:` and 64 lower-case hex digits, size_bytes is a number.',
  },
  {
    code: 'manifest/missing-file',
    severity: 'error',
    meaning: 'A file that the manifest lists is not there.',
    why: 'The episode is incomplete. What is missing may be exactly the file that somebody did not want you to read.',
    example: 'manifest.json lists prompts.jsonl with 1,177 bytes; the directory has no such file.',
    fix: 'Copy the episode again, dotfiles and subdirectories included. If the source lacks the file too, look for a clean-up job or a retention rule that removed it; its sha256 in the manifest identifies the right copy in a backup.',
  },
  {
    code: 'manifest/hash-mismatch',
    severity: 'error',
    meaning: 'The bytes of a file are not those that were sealed.',
    why: 'The file has changed since the manifest was made. Whatever it says now, the run did not vouch for it.',
    example: 'state.json: sealed as sha256:df3b0f8a…, now sha256:1c77d2e0…, 1,523 bytes in both cases.',
    fix: 'Restore the file with the sealed hash from a backup, and compare the two to see what was changed. For a log the finding says whether the bytes are a part of the sealed ones, go on after them, or were rewritten, where this can be known. A change of line ends or indentation is still a change.',
  },
  {
    code: 'manifest/size-mismatch',
    severity: 'error',
    meaning: 'A file has another size than the manifest says.',
    why: 'Bytes were lost or added after the seal. A log that lost its tail still reads as a good log: only the manifest shows that the end is missing.',
    example: 'events.jsonl has 8,910 bytes; manifest.json says "size_bytes": 9499.',
    fix: 'A smaller file is mostly an interrupted copy: copy it again and compare. A larger one was written to after the seal: `tail -c +OFFSET <file>`, where OFFSET is the sealed size + 1, shows what was added.',
  },
  {
    code: 'manifest/unlisted-file',
    severity: 'warn',
    varies:
      'error under --strict; else info for a file in a subfolder that is called manifest.json, since the runtime lists none of that name.',
    meaning: 'The episode has a file that the manifest does not list.',
    why: 'Nothing vouches for it. A reader that takes everything in the directory for evidence takes this too.',
    example: 'ep_01KJPZV2802JY40PMHQ0XAGQMH/notes.txt, not among the 6 files of manifest.json.',
    fix: 'Look at its owner and time with `ls -l`. A name such as `tmp` and 8 random characters is left from a write that was interrupted; .DS_Store or an editor backup came with a copy. Keep your own notes outside the episode.',
  },
  {
    code: 'manifest/unsafe-path',
    severity: 'error',
    meaning: 'A manifest entry names a path that may lead out of the episode, or cannot be a safe file name.',
    why: 'A verifier that follows it hashes, and shows, a file of somebody else. Such a name has no honest use.',
    example:
      '{"name":"../../etc/passwd","sha256":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","size_bytes":0}',
    fix: 'noesis has not opened the path. Ask where the episode came from, and do not unpack or process it with other tools until you know. If it is a symlink of your own to shared data, copy the data into the episode before it is sealed.',
  },
  {
    code: 'manifest/empty',
    severity: 'error',
    meaning: 'The manifest does not list the event log.',
    why: 'The seal covers everything but the history: the log can be replaced by any other, and every hash still matches.',
    example: '{"schema_version":"manifest/1.0","episode_id":"ep_legacy","files":[]}',
    fix: 'Look for another manifest of this episode in a backup. The runtime always lists events.jsonl, so this one was made or changed by another program; the log is unsealed in effect.',
  },
  {
    code: 'manifest/duplicate-entry',
    severity: 'error',
    meaning: 'The manifest lists the same file twice.',
    why: 'With two hashes for one name, one verifier checks the first and another the last, and each can be made happy.',
    example:
      '"files": [{"name": "state.json", "size_bytes": 1523, …}, {"name": "state.json", "size_bytes": 1611, …}]',
    fix: 'Compare both entries with the file: `sha256sum state.json`. The runtime lists each file once and sorts them by name, so an entry out of order is the one that was added. Restore the original manifest.',
  },
  {
    code: 'manifest/signature',
    severity: 'error',
    meaning: 'The signature of the manifest is not valid.',
    why: 'The manifest is not what the owner of the key signed. All its hashes may fit and still have been written by somebody else.',
    example:
      '"signature": {"alg": "HS256", "kid": "ops-1", "value": "SKspOntN…"}, and the digest with the key ops-1 is another.',
    fix: 'Rule out the wrong key first: is the key for this kid the one of that time, and does its file hold only the secret? If the key is right, the manifest was changed after signing. Treat the episode as tampered with, and keep it for comparison with a backup.',
  },
  {
    code: 'manifest/unverified-signature',
    severity: 'warn',
    varies: 'error under --require-signature.',
    meaning: 'The manifest is signed, but no key was given to check the signature with.',
    why: 'Anybody can write a signature that looks like one. Without the key it says nothing about who made the manifest.',
    example: '"signer": "ops-1", "signature": {"alg": "HS256", "kid": "ops-1", …}, verified without --key.',
    fix: 'Run `noesis verify <episode> --key ops-1=FILE` with the kid of the finding, or put the secret into the environment variable NOESIS_MANIFEST_KEY_OPS_1.',
  },
  {
    code: 'manifest/weak-key',
    severity: 'info',
    varies: 'warn if the key has fewer than 8 bytes.',
    meaning: 'The signature of a manifest holds, and the shared secret that made it has fewer than 16 bytes.',
    why: 'Anyone who has one signed manifest can try secrets until one fits, and then sign another manifest.',
    example: 'A manifest signed with HS256 and the key `secret`.',
    fix: 'Sign with 32 random bytes, or with a key pair (`noesis keygen`), and replace the key for runs to come. What was signed with the short key is only as certain as that nobody guessed it.',
  },
  {
    code: 'manifest/uncovered',
    severity: 'warn',
    meaning: 'A signed manifest has a member that its signature does not cover.',
    why: 'The signature is over the members that the runtime knows. Anybody can add another one, and a reader that shows it lends it the authority of the key.',
    example: '"approved_by": "ops", beside a signature that fits with and without it.',
    fix: 'Believe nothing that the member says, and ask who added it: the runtime writes none of its name. The time of signing (`ts`) and the context (`ctx`) inside of `signature` are not covered either.',
  },
  {
    code: 'seal/open',
    severity: 'info',
    meaning:
      'The episode is being written at this moment: its files changed while they were looked at, again and again.',
    why: 'What a writer leaves behind for a moment is no defect: a torn last line, a terminate event without a seal, a final.json whose manifest follows. This verification does not speak of them, so it says less than one of a run that has ended.',
    example: 'events.jsonl grew between two looks, and its last line has no newline yet.',
    fix: 'Verify again when the run has ended, or follow it with `noesis tail -f`. Where no run should be at work, find out which process writes there.',
  },
  {
    code: 'seal/incomplete',
    severity: 'error',
    meaning:
      'The seal is only half there: final.json without manifest.json, or a manifest that does not list final.json.',
    why: 'To the runtime the episode is closed, and to a verifier it is not. The outcome in final.json is not covered by any hash.',
    example: 'ep_01KJPWD6M0GKJVH2GKEFTDNN55/\n  events.jsonl\n  final.json\n  state.json\n  summary.json',
    fix: 'Copy the episode again: manifest.json is written last, and a copy made at that moment lacks it. If the source lacks it too, the run was killed between the two writes, or somebody deleted it: look for it in a backup. A manifest without final.json in it was made before the end, or by an older runtime.',
  },
] as const satisfies readonly CatalogueEntry[];
