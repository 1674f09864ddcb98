// npm run release: makes a release in release/ and publishes nothing. Checks, builds, tests, then writes the package, the
// programs, a bill of materials, and checksums, signed if NOESIS_RELEASE_KEY names a private key (PEM). `-- --draft` skips
// the tests and the programs.
import { spawnSync } from 'node:child_process';
import { createHash, createPrivateKey, sign } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { installed } from './fetched.mjs';
import { checksums, notesOf, requireReleasable } from './release-parts.mjs';

const draft = process.argv.includes('--draft');
const out = resolve('release');
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const { name, version } = manifest;

function run(command, ...args) {
  console.error(`== ${command} ${args.join(' ')}`);
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) stop(`${command} ${args.join(' ')} failed: nothing is released`);
}

function stop(message) {
  console.error(message);
  process.exit(1);
}

const git = (...args) => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim();

/** The bundled packages as CycloneDX, written by its own library. */
function billOfMaterials() {
  const folder = installed('@cyclonedx/cyclonedx-library', '10.3.0');
  const { Models, Enums, Serialize, Spec } = createRequire(join(folder, 'package.json'))(folder);
  const purl = (of, at) => `pkg:npm/${of.replace('@', '%40')}@${at}`;
  const component = (of, at, licence, type) => {
    const made = new Models.Component(type, of, { version: at, bomRef: purl(of, at), purl: purl(of, at) });
    made.licenses.add(new Models.SpdxLicense(licence));
    return made;
  };
  const main = component(name, version, manifest.license, Enums.ComponentType.Application);
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: main }) });
  const text = readFileSync('dist/LICENSES.txt', 'utf8');
  for (const [, of, at, licence] of text.matchAll(/^(\S+) (\d\S*) \((.+)\)$/gm)) {
    const part = component(of, at, licence, Enums.ComponentType.Library);
    bom.components.add(part);
    main.dependencies.add(part.bomRef);
  }
  const spec = Spec.Spec1dot6;
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(spec));
  return serializer.serialize(bom, { sortLists: true, space: 2 });
}

/** Signs the checksums with Ed25519, or whatever the key is; check it with `openssl pkeyutl -verify -rawin`. */
function signed(path) {
  const key = process.env.NOESIS_RELEASE_KEY;
  if (key === undefined) return console.error('not signed: NOESIS_RELEASE_KEY names no key');
  const made = createPrivateKey(readFileSync(key));
  const algorithm = made.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  writeFileSync(`${path}.sig`, sign(algorithm, readFileSync(path), made));
}

// A draft may be made before Unreleased gets a version.
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const notes = notesOf(changelog, version) ?? (draft ? notesOf(changelog, 'Unreleased') : undefined);
if (!draft)
  requireReleasable(
    { version, notes, status: git('status', '--porcelain'), tags: git('tag', '--points-at') },
    stop,
  );
rmSync(out, { recursive: true, force: true });
mkdirSync(out);
if (!draft) for (const script of ['lint', 'types']) run('npm', 'run', '--silent', script);
run('npm', 'run', '--silent', 'build');
if (!draft) run('npx', 'vitest', 'run');
run('npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', out);
if (!draft) {
  run('node', 'scripts/build-binary.mjs');
  for (const program of readdirSync('binaries')) copyFileSync(join('binaries', program), join(out, program));
}
writeFileSync(join(out, `${name}-${version}.cdx.json`), billOfMaterials());
writeFileSync(join(out, 'NOTES.md'), notes ?? '');
if (existsSync('dist/man'))
  run('tar', '-czf', join(out, `${name}-${version}-man.tar.gz`), '-C', 'dist', 'man');
const files = readdirSync(out).sort();
const sums = checksums(
  files.map((file) => [file, readFileSync(join(out, file))]),
  (bytes) => createHash('sha256').update(bytes).digest('hex'),
);
writeFileSync(join(out, 'SHA256SUMS'), sums);
signed(join(out, 'SHA256SUMS'));
console.error(sums);
console.error(
  `release/ is ready. Nothing is published: npm publish release/${name}-${version}.tgz --provenance does that.`,
);
