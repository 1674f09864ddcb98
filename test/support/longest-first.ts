import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that take longest, in full or in the short form, about the longest first. Vitest would begin with large files, or with those that took
 * long in the last run, which may have been short. Then one worker ends minutes after the others.
 */
const LONGEST: readonly string[] = [
  'test/page/samples.test.ts',
  'test/write/killed.test.ts',
  'test/describe/numbers-agree.test.ts',
  'test/verify/words-of-objects.test.ts',
  'test/verify/damage.test.ts',
  'test/page/browser.test.ts',
  'test/attacks/linear.test.ts',
  'test/cli/printed-names.test.ts',
  'test/cli/resume-refused.test.ts',
  'test/dialects/damaged-sessions.test.ts',
  'test/cli/explain-words.test.ts',
  'test/findings/chains/edits.test.ts',
  'test/cli/gate.test.ts',
  'test/cli/hurts.test.ts',
  'test/attacks/work.test.ts',
  'test/base/sqlite/damage.test.ts',
  'test/describe/one-run.test.ts',
  'test/page/documents.test.ts',
  'test/outputs/json-outputs.test.ts',
];

/** Begins with the longest test files. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const missing = LONGEST.filter((path) => !existsSync(path));
    if (missing.length > 0) throw new Error(`LONGEST names no test file: ${missing.join(', ')}`);
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
