// npm run demo: verifies the examples and shows what the reports look like, good ones first.
import { spawnSync } from 'node:child_process';

const STEPS = [
  ['list', '--root', 'examples/.noesis'],
  ['verify', 'examples/.noesis'],
  ['verify', 'examples/damaged/torn-tail', 'examples/damaged/tampered-state'],
];

for (const args of STEPS) {
  console.log(`\n$ noesis ${args.join(' ')}`);
  const { status } = spawnSync(process.execPath, ['dist/bin/noesis.js', ...args], { stdio: 'inherit' });
  // 0 and 1 are answers; anything else is a demo that did not work.
  if (status !== 0 && status !== 1) process.exit(status ?? 1);
}
console.log('\nThe damaged ones are meant to fail. More to try: examples/README.md');
