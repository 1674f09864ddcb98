// npm run demo: what happened in a run, a session of Claude Code to read, an altered episode, and a page.
import { spawnSync } from 'node:child_process';

const STEPS = [
  ['What runs are there?', 'list', '--root', 'examples/.noesis'],
  ['Why did the newest one end?', 'show', 'latest', '--root', 'examples/.noesis'],
  ['What did Claude Code do?', 'read', 'test/samples/claude-code/projects/-home-usr-shop', '--turn', '1'],
  ['Can this log be trusted? No: somebody edited its state.', 'verify', 'examples/damaged/tampered-state'],
  ['A run as a page, to open in a browser:', 'view', 'ep_01KJQ6PS', '--root', 'examples/.noesis'],
];

for (const [question, ...args] of STEPS) {
  console.log(`\n── ${question}\n$ noesis ${args.join(' ')}`);
  const env = { ...process.env, NOESIS_PAGER: 'cat' };
  const { status } = spawnSync(process.execPath, ['dist/bin/noesis.js', ...args], { stdio: 'inherit', env });
  // 0 and 1 are answers. Any other code means that the demo does not work.
  if (status !== 0 && status !== 1) process.exit(status ?? 1);
}
console.log('\nMore to try: examples/README.md');
