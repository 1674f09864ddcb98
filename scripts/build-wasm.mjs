// Compiles wasm/ (AssemblyScript) into src/log/accelerator/module.generated.ts, when its sources have changed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const SOURCES = 'wasm';
const TARGET = 'src/log/accelerator/module.generated.ts';
const OPTIONS = [
  '-O3',
  '--enable',
  'simd',
  '--runtime',
  'stub',
  '--noAssert',
  '--initialMemory',
  '64',
  '--maximumMemory',
  '65536',
  '--memoryBase',
  '1024',
  // A failed allocation only traps, because no function is imported.
  '--use',
  'abort=',
];

const hash = createHash('sha256').update(OPTIONS.join(' '));
for (const name of readdirSync(SOURCES)
  .filter((file) => file.endsWith('.ts'))
  .sort()) {
  hash.update(name).update(readFileSync(`${SOURCES}/${name}`));
}
const stamp = `// made from wasm/ (${hash.digest('hex').slice(0, 16)}) by scripts/build-wasm.mjs: do not edit`;

if (!existsSync(TARGET) || !readFileSync(TARGET, 'utf8').startsWith(stamp)) {
  const { default: asc } = await import('assemblyscript/asc');
  let binary;
  const { error, stderr } = await asc.main([`${SOURCES}/index.ts`, '--outFile', 'module.wasm', ...OPTIONS], {
    writeFile: (name, contents) => {
      if (name === 'module.wasm') binary = contents;
    },
  });
  if (error || binary === undefined) {
    console.error(stderr.toString());
    process.exit(1);
  }
  const base64 = Buffer.from(binary).toString('base64');
  writeFileSync(TARGET, `${stamp}\nexport const MODULE_BASE64 =\n  '${base64}';\n`);
}
