// Prints the failed tests in vitest's JSON reports, and at last the totals: N passed, N failed. Build servers often show
// only the end of a log.
import { readFileSync } from 'node:fs';

/** The first lines of a message: what was expected, and where. */
const MOST_LINES = 25;
const excerpt = (messages) => messages.join('\n').split('\n').slice(0, MOST_LINES).join('\n  ');

let passed = 0;
let failed = 0;
function fails(name, messages) {
  failed += 1;
  console.log(`failed: ${name}\n  ${excerpt(messages)}\n`);
}

for (const path of process.argv.slice(2)) {
  let report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    fails('the tests ended without a report', [error.message]);
    continue;
  }
  const before = failed;
  for (const { name, status, message, assertionResults } of report.testResults) {
    const tests = assertionResults.filter((test) => test.status === 'failed');
    for (const test of tests) fails(`${name}: ${test.fullName}`, test.failureMessages ?? []);
    if (status === 'failed' && tests.length === 0) fails(name, [message ?? '']);
  }
  passed += report.numPassedTests;
  if (report.numTotalTests === 0) fails('no test ran', []);
  else if (!report.success && failed === before) fails('an error outside of the tests: see above', []);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
