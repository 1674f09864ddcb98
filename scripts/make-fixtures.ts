// Writes test/fixtures: for each finding a small input, made from a good episode by one change, and its findings.
// test/support/fixtures has the expected places, as a person wrote them down. If verification reports anything else, the
// fixture is not written and the script fails.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkExpected } from '../test/support/fixtures/check.ts';
import { FIXTURES } from '../test/support/fixtures/index.ts';
import { verifyFixture, writeInput } from '../test/support/fixtures/write.ts';

const root = 'test/fixtures';
rmSync(root, { recursive: true, force: true });
let failures = 0;
for (const fixture of FIXTURES) {
  const folder = join(root, fixture.name);
  const input = writeInput(folder, fixture);
  const { verdict, findings } = await verifyFixture(input, fixture.options);
  const wrong = checkExpected(fixture, input, findings);
  if (wrong.length > 0) {
    failures += 1;
    console.error([fixture.name, ...wrong].join('\n  '));
  }
  const options = fixture.options && { options: fixture.options };
  const expected = { target: input.target, ...options, verdict, findings };
  writeFileSync(join(folder, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`);
}
console.error(`${FIXTURES.length} fixtures, ${failures} of them not as expected`);
if (failures > 0) process.exitCode = 1;
