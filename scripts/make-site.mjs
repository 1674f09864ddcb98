// Writes the folder to publish: docs/index.html and the pages that it links to. node scripts/make-site.mjs [FOLDER]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGES = {
  'claude-code.html': 'test/samples/claude-code/projects/-home-usr-shop',
  'noesis.html': 'examples/.noesis/episodes/ep_01KJQ6PSG0DGB6DN0XWB2R05AD',
  'damaged.html': 'examples/damaged/torn-tail',
};

const folder = process.argv[2] ?? 'site';
mkdirSync(folder, { recursive: true });
for (const [file, target] of Object.entries(PAGES)) {
  const args = ['dist/bin/noesis.js', 'view', target, '-q', '-o', join(folder, file)];
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'ignore'] });
  // A damaged log also gets a page, with exit code 1.
  if (status !== 0 && status !== 1) throw new Error(`noesis view ${target} ended with ${status}`);
}
// How to make the pages only interests readers of the source.
const index = readFileSync('docs/index.html', 'utf8').replace(/<p class="source">[\s\S]*?<\/p>\n/, '');
writeFileSync(join(folder, 'index.html'), index);
cpSync('docs/view.png', join(folder, 'view.png'));
console.log(join(folder, 'index.html'));
