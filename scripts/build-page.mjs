// Bundles the pages of `noesis view` into src/show/page/app.generated.ts: their style, a script for each kind of page, and for
// each dialect with a states.ts the code that rebuilds a state. Compressed, in base64.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

const APP = 'src/show/page/app';
const TARGET = 'src/show/page/app.generated.ts';
const STAMP = '// made from src/show/page/app/ and the dialects by scripts/build-page.mjs: do not edit';

/** The packages in the bundle, whose licences must be published with it. */
export const metafiles = [];

async function bundled(options) {
  const { outputFiles, metafile } = await build({
    bundle: true,
    metafile: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    ...options,
  });
  metafiles.push(metafile);
  return outputFiles[0].text;
}

/** The folders of all dialects: those of event logs, and those of sessions. */
const FOLDERS = ['src/dialects', 'src/dialects/sessions'].flatMap((parent) =>
  readdirSync(parent).map((name) => ({ name, folder: `${parent}/${name}` })),
);

const statesOf = (folder) =>
  bundled({
    stdin: {
      contents: `import { states } from './${folder}/states.ts';
        import { offerStates } from './${APP}/states-in-page.ts';
        offerStates(states);`,
      resolveDir: '.',
    },
  });

const dialects = FOLDERS.filter(({ name, folder }) => name !== 'kit' && existsSync(`${folder}/states.ts`));
const scripts = await Promise.all(
  ['episode', 'comparison', 'report'].map(async (kind) => [
    kind,
    await bundled({ entryPoints: [`${APP}/main-${kind}.tsx`] }),
  ]),
);
const style = await bundled({ entryPoints: [`${APP}/style.css`] });
const states = await Promise.all(dialects.map(async ({ name, folder }) => [name, await statesOf(folder)]));

// In the page, each script is in an element that this text would end.
for (const [, text] of [...scripts, ...states])
  if (/<\/script/i.test(text)) throw new Error('the script of the page would end its element');

// One text for all pages and dialects, because their code is similar and compresses well together.
const parts = JSON.stringify({
  style,
  scripts: Object.fromEntries(scripts),
  states: Object.fromEntries(states),
});
const text = `${STAMP}
export const PARTS =
  '${brotliCompressSync(parts).toString('base64')}';
`;
if (!existsSync(TARGET) || readFileSync(TARGET, 'utf8') !== text) writeFileSync(TARGET, text);
if (process.argv.includes('--sizes'))
  console.error(
    [...scripts, ['style', style], ...states].map(([name, code]) => `${name} ${code.length}`).join(', '),
  );
