// Writes a folder to publish: an index, and the pages of three runs. node scripts/make-site.mjs [FOLDER]
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGES = [
  [
    'claude-code.html',
    'test/samples/claude-code/projects/-home-usr-shop',
    'A session of Claude Code',
    'a failing test, an edit, and a call that was denied',
  ],
  [
    'noesis.html',
    'examples/.noesis/episodes/ep_01KJQ6PSG0DGB6DN0XWB2R05AD',
    'An episode of Noēsis',
    'a step fails, a new plan follows, and the run is paused and resumed',
  ],
  [
    'damaged.html',
    'examples/damaged/torn-tail',
    'A damaged log',
    'what is whole is shown, under a banner that says what is not',
  ],
];

const folder = process.argv[2] ?? 'site';
mkdirSync(folder, { recursive: true });
for (const [file, target] of PAGES) {
  const args = ['dist/bin/noesis.js', 'view', target, '-q', '-o', join(folder, file)];
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'ignore'] });
  // A damaged log has a page too, and the exit code 1.
  if (status !== 0 && status !== 1) throw new Error(`noesis view ${target} ended with ${status}`);
}
const items = PAGES.map(([file, , title, text]) => `<li><a href="./${file}">${title}</a>: ${text}</li>`);
writeFileSync(
  join(folder, 'index.html'),
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>noesis: what happened, and can I trust this log?</title>
<body style="font: 16px/1.6 system-ui, sans-serif; max-width: 60ch; margin: 3em auto; padding: 0 1em">
<h1>noesis</h1>
<p>noesis reads the logs that AI agents write. It says what happened and why, and whether a log can be trusted. Each of
these pages is one file that <code>noesis view</code> wrote:</p>
<ul>
${items.join('\n')}
</ul>
`,
);
console.log(join(folder, 'index.html'));
