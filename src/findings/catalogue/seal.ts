import type { CatalogueEntry } from '../catalogue-entry.ts';

/** Requirements of a policy that apply to any target, even if its format has no seal. */
export const SEAL = [
  {
    code: 'manifest/unsigned',
    severity: 'error',
    altered: true,
    meaning: 'The manifest has no signature, and --require-signature asks for one.',
    why: 'Anyone who can write to the folder can change the files and make a new manifest that fits them. Only a signature shows the difference.',
    example: '"signer": null, and no "signature" in manifest.json.',
    fix: 'Configure a signer for the runtime that writes these episodes. A signature that is added long after the seal proves little; leave out --require-signature for old ones.',
  },
  {
    code: 'seal/missing',
    severity: 'info',
    altered: true,
    varies: 'warn if the log has a terminate event, error under --require-seal.',
    meaning: 'The episode is not sealed: it has neither final.json nor manifest.json.',
    why: 'There are no hashes to compare with, so changed files or missing lines at the end of the log go unnoticed.',
    example: 'ep_01KJQ38XW0B21102BHVMR95HBJ/\n  events.jsonl\n  learn.jsonl\n  state.json',
    fix: 'This is normal while a run is still going or paused. After a terminate event, the run died while it was finishing, or the seal was removed or not copied. Compare with the source, and look for an error of the runtime at that time.',
  },
] as const satisfies readonly CatalogueEntry[];
