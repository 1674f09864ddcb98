import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LAUNCH, noesis, noesisSync, type RunOptions, SAMPLES } from '../support/cli.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { tempDir, tempFile, writeTree } from '../support/temp.ts';

// Everything that a gate must detect: `--strict --require-seal --require-signature --key …`.

const secret = 'a secret of these tests, of 32 bytes and more';
const shape = { ...GOOD, signature: { alg: 'HS256', kid: 'ops-1', secret } } as const;
const keyFile = join(writeTree({ key: secret }), 'key');
const GATE = ['--strict', '--require-seal', '--require-signature', '--key', `ops-1=${keyFile}`];

interface Found {
  readonly code: string;
  readonly severity: string;
}

/** The answer of the gate: its exit code, and the errors of all episodes and of each. */
async function gate(
  targets: readonly string[],
  args: readonly string[] = GATE,
  options: RunOptions = {},
): Promise<{
  code: number | null;
  episodes: number;
  dialects: string[];
  errors: string[];
  errorsOf: string[][];
  stderr: string;
}> {
  const { code, stdout, stderr } = await noesis(['verify', ...targets, ...args, '-j'], options);
  const { episodes } = JSON.parse(stdout || '{"episodes":[]}') as {
    episodes: { dialect: string; findings: Found[] }[];
  };
  const errorsOf = episodes.map(({ findings }) =>
    findings.filter(({ severity }) => severity === 'error').map((finding) => finding.code),
  );
  return {
    code,
    episodes: episodes.length,
    dialects: episodes.map(({ dialect }) => dialect),
    errors: [...new Set(errorsOf.flat())],
    errorsOf,
    stderr,
  };
}

/** A signed and sealed episode in a new folder. */
const signed = () => episodeIn(tempDir(), shape);

const FOREIGN = {
  coordinator: ['event-log.jsonl', readFileSync(join(SAMPLES, 'coordinator/nested-two-sessions.jsonl'))],
  exarchos: ['demo.events.jsonl', readFileSync(join(SAMPLES, 'exarchos/demo-feature.events.jsonl'))],
  fishbowl: ['ledger.jsonl', readFileSync(join(SAMPLES, 'fishbowl/ledger-10-runs.scrubbed.jsonl'))],
  copilot: [
    'x.events.jsonl',
    readFileSync(join(SAMPLES, 'copilot/session-state/6450a846-75cb-4923-8463-392f5c935b8a/events.jsonl')),
  ],
} as const;

test('an episode that is signed and sealed passes', async () => {
  expect(await gate([signed().dir])).toMatchObject({ code: 0, errors: [], dialects: ['noesis'] });
});

describe.each(Object.entries(FOREIGN))('a log of %s', (_, [name, bytes]) => {
  const firstLines = `${bytes.toString().split('\n').slice(0, 21).join('\n')}\n`;

  test.each<[string, (dir: string, log: string) => void]>([
    ['in the place of the log', (__, log) => writeFileSync(log, bytes)],
    ['before the log', (__, log) => writeFileSync(log, firstLines + readFileSync(log, 'utf8'))],
    ['behind the log', (__, log) => appendFileSync(log, firstLines)],
    [
      'next to a deleted log',
      (dir, log) => {
        rmSync(log);
        writeFileSync(join(dir, name), bytes);
      },
    ],
    [
      'in its place, where one artifact is left',
      (dir, log) => {
        writeFileSync(log, bytes);
        for (const file of ['manifest.json', 'final.json', 'summary.json']) rmSync(join(dir, file));
      },
    ],
    [
      'in its place, where every artifact is broken',
      (dir, log) => {
        writeFileSync(log, bytes);
        for (const file of ['manifest.json', 'final.json', 'summary.json', 'state.json'])
          writeFileSync(join(dir, file), '{"torn');
      },
    ],
    [
      'next to a deleted log, in a folder with an id for a name',
      (dir, log) => {
        rmSync(log);
        for (const file of ['manifest.json', 'final.json', 'summary.json', 'state.json'])
          rmSync(join(dir, file));
        writeFileSync(join(dir, name), bytes);
      },
    ],
  ])('%s does not reduce the checks of an episode', async (__, attack) => {
    const { dir, log } = signed();
    attack(dir, log);
    // A log next to it is an episode too, of the dialect that it has alone.
    const alone = (await gate([join(writeTree({ [name]: bytes }), name)])).dialects;
    const dialects = existsSync(join(dir, name)) ? ['noesis', ...alone] : ['noesis'];
    // Nor without a gate.
    for (const args of [GATE, []]) {
      const judged = await gate([dir], args);
      expect(judged).toMatchObject({ code: 1, dialects });
      expect(judged.errorsOf[0]).not.toEqual([]);
    }
  });

  test('next to an episode is an error under --strict', async () => {
    const { dir } = signed();
    writeFileSync(join(dir, name), bytes);
    const { code, errorsOf } = await gate([dir]);
    expect([code, errorsOf[0]]).toEqual([1, ['manifest/unlisted-file']]);
    expect(errorsOf[1]).toEqual(expect.arrayContaining(['manifest/unsigned', 'seal/missing']));
  });

  test('with nothing else of the episode left fails, because it cannot be sealed', async () => {
    const { dir } = signed();
    rmSync(dir, { recursive: true });
    const folder = join(dir, '../renamed');
    writeTree({ [name]: bytes }, folder);
    for (const target of [folder, join(folder, name)]) {
      expect((await gate([target], ['--require-seal'])).errors).toContain('seal/missing');
      expect((await gate([target], ['--require-signature'])).errors).toContain('manifest/unsigned');
      expect((await gate([target])).code).toBe(1);
    }
  });
});

describe('a log that cannot be sealed or signed fails if a seal is required', () => {
  const { log } = signed();
  const wanted = { code: 1, errors: ['manifest/unsigned', 'seal/missing'] };

  test('a log alone', async () => {
    const alone = tempFile(readFileSync(log), 'events.jsonl');
    expect(await gate([alone])).toMatchObject(wanted);
    expect(await gate([alone], ['--strict'])).toMatchObject({ code: 0 });
    // The log of an episode means the episode.
    expect(await gate([log])).toMatchObject({ code: 0, errors: [] });
  });

  test('standard input', async () => {
    expect(await gate(['-'], GATE, { input: readFileSync(log) })).toMatchObject(wanted);
  });

  test('a log of unknown format', async () => {
    expect(await gate([join(writeTree({ 'x.jsonl': '{"a":1}\n' }), 'x.jsonl')])).toMatchObject(wanted);
  });
});

describe('a log in a folder above episodes hides none of them', () => {
  /** A root whose second episode was tampered with. */
  function tampered(label = ''): { cwd: string; folder: string } {
    const cwd = tempDir();
    const folder = join(cwd, '.noesis/episodes', label);
    episodeIn(folder, shape);
    const { log } = episodeIn(folder, { ...shape, seed: 12 });
    writeFileSync(log, readFileSync(log, 'utf8').replace('Prepare', 'prepare'));
    return { cwd, folder };
  }

  test.each(Object.values(FOREIGN).map(([name, bytes]) => [name, bytes] as const))(
    '%s',
    async (name, bytes) => {
      const { cwd, folder } = tampered();
      for (const at of [folder, join(cwd, '.noesis'), cwd]) {
        writeFileSync(join(at, name), bytes);
        const judged = await gate([at], ['--key', `ops-1=${keyFile}`]);
        expect(judged).toMatchObject({ code: 1 });
        expect(judged.errors).toContain('manifest/hash-mismatch');
      }
    },
  );

  test('.noesis/events.jsonl, and one in a label folder', async () => {
    const good = signed();
    const { cwd, folder } = tampered('team');
    cpSync(good.log, join(cwd, '.noesis/events.jsonl'));
    cpSync(good.log, join(folder, 'events.jsonl'));
    for (const targets of [[], ['.'], ['.noesis'], ['.noesis/episodes'], ['.noesis/episodes/team']]) {
      const judged = await gate(targets, ['--key', `ops-1=${keyFile}`], { cwd });
      expect([targets, judged.code]).toEqual([targets, 1]);
      expect(judged.errors).toContain('manifest/hash-mismatch');
    }
    const { stdout } = await noesis(['list', '-q'], { cwd });
    expect(stdout.trim().split('\n')).toHaveLength(3);
  });

  test('a whole episode does not hide others', async () => {
    const { folder } = tampered();
    const { dir } = signed();
    cpSync(dir, folder, { recursive: true });
    const judged = await gate([folder], ['--key', `ops-1=${keyFile}`]);
    expect(judged.episodes).toBe(3);
    expect(judged.errors).toContain('manifest/hash-mismatch');
  });

  test('an episode of the same name that the runtime finds first does not hide others', async () => {
    const { cwd, folder } = tampered();
    const hidden = join(cwd, '.noesis/runs');
    mkdirSync(hidden, { recursive: true });
    cpSync(folder, hidden, { recursive: true });
    rmSync(folder, { recursive: true });
    episodeIn(folder, shape);
    episodeIn(folder, { ...shape, seed: 12 });
    expect((await gate([], GATE, { cwd })).errors).toContain('manifest/hash-mismatch');
  });
});

describe('a folder that cannot be listed is a finding', () => {
  test('because its path is too long', async () => {
    const dir = tempDir();
    episodeIn(dir, shape);
    const name = 'x'.repeat(200);
    const deep = `for (let n = 0; n < 25; n++) { fs.mkdirSync('${name}'); process.chdir('${name}'); }`;
    expect(spawnSync(process.execPath, ['-e', deep], { cwd: dir }).status).toBe(0);
    expect(await gate([dir])).toMatchObject({ code: 1, episodes: 2, errors: ['verify/unreadable-folder'] });
    const { code, stderr } = await noesis(['export', dir, '--format', 'csv', '-o', join(tempDir(), 'out')]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('\n1 run written to ')]);
    execFileSync('rm', ['-rf', join(dir, name)]);
  });

  // The superuser may list everything: then somebody else asks.
  const isRoot = process.getuid?.() === 0;
  test('because of its permissions', async () => {
    const dir = tempDir();
    episodeIn(dir, shape);
    const locked = episodeIn(dir, { ...shape, seed: 12 });
    execFileSync('chmod', ['-R', 'a+rX', dir]);
    execFileSync('chmod', ['000', locked.dir]);
    const nobody = isRoot ? { uid: 65534, gid: 65534 } : {};
    const { status, stdout } = noesisSync(['verify', dir, '--require-seal', '-j'], { cwd: dir, ...nobody });
    execFileSync('chmod', ['755', locked.dir]);
    expect(status).toBe(1);
    const { episodes } = JSON.parse(stdout) as { episodes: { episode: string; findings: Found[] }[] };
    expect(episodes.map(({ episode }) => episode)).toContain(locked.id);
    expect(episodes.flatMap(({ findings }) => findings)).toContainEqual(
      expect.objectContaining({ code: 'verify/unreadable-folder', severity: 'error' }),
    );
  });
});

describe('a link is not followed, but reported if it leads to an episode', () => {
  const link = { code: 1, errors: [] };

  test('in place of an episode', async () => {
    const dir = tempDir();
    episodeIn(dir, shape);
    const moved = episodeIn(dir, { ...shape, seed: 12 });
    renameSync(moved.dir, join(tempDir(), 'elsewhere'));
    symlinkSync(join(moved.dir, '../nowhere'), moved.dir);
    expect(await gate([dir])).toMatchObject(link);
    rmSync(moved.dir);
    symlinkSync(signed().dir, moved.dir);
    expect(await gate([dir])).toMatchObject(link);
    const { stdout } = await noesis(['verify', dir, '-j', '--key', `ops-1=${keyFile}`]);
    expect(stdout).toContain('verify/unfollowed-link');
    // A link that is named as the target means the file it leads to.
    expect((await gate([moved.dir], ['--key', `ops-1=${keyFile}`])).episodes).toBe(1);
  });

  test('in place of a folder of them', async () => {
    const dir = tempDir();
    episodeIn(dir, shape);
    symlinkSync(join(signed().dir, '..'), join(dir, 'team'));
    expect(await gate([dir])).toMatchObject(link);
  });

  test('also if there is nothing else', async () => {
    const dir = tempDir();
    symlinkSync(signed().dir, join(dir, 'latest'));
    const { code, stderr } = await noesis(['verify', dir]);
    expect(code).toBe(3);
    expect(stderr.replace(/\s+/g, ' ')).toContain('is a link, and links in a folder are not followed');
  });

  test('a link to a verified episode, or to no episode, is not reported', async () => {
    const dir = tempDir();
    const { dir: episode } = episodeIn(dir, shape);
    symlinkSync(episode, join(dir, 'latest'));
    symlinkSync(tempDir(), join(dir, 'folder'));
    symlinkSync('nowhere', join(dir, 'broken'));
    symlinkSync(dir, join(dir, 'loop'));
    expect(await gate([dir])).toMatchObject({ code: 0, episodes: 1 });
  });
});

test('a file that the manifest does not list is reported, whatever its name', async () => {
  for (const name of ['tmp12345678', '.DS_Store', 'sub/manifest.json', 'checkpoints/c/manifest.json']) {
    const { dir } = signed();
    writeTree({ [name]: '{}' }, dir);
    expect([name, (await gate([dir])).errors]).toEqual([name, ['manifest/unlisted-file']]);
  }
});

test('members that a signature does not cover are reported', async () => {
  const { dir } = signed();
  const path = join(dir, 'manifest.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('{', '{"approved_by":"the boss",'));
  expect((await gate([dir])).code).toBe(1);
  const { stdout } = await noesis(['verify', dir, '-j', '--key', `ops-1=${keyFile}`]);
  expect(stdout).toContain('manifest/uncovered');
});

test('a folder is not judged by the names of files', async () => {
  const dir = writeTree({
    'manifest.json': '{"name":"A web app","icons":[]}',
    'state.json': '{"page":1}',
    'node_modules/x/events.jsonl': 'rubbish',
  });
  expect((await gate([dir])).code).toBe(3);
  const { dir: episode } = episodeIn(join(dir, 'traces'), shape);
  expect(await gate([dir])).toMatchObject({ code: 0, episodes: 1 });
  renameSync(episode, join(dir, 'traces/renamed'));
  expect((await gate([dir], ['--key', `ops-1=${keyFile}`])).episodes).toBe(1);
});

test('an empty log does not pass', async () => {
  const dir = writeTree({ 'a/events.jsonl': '', 'b/events.jsonl': '\n\n' });
  for (const target of ['a', 'b', 'a/events.jsonl', '.', '-']) {
    const { code, stderr, stdout } = await noesis(['verify', target], { cwd: dir, input: '' });
    expect([target, code, stdout]).toEqual([target, 3, expect.stringContaining('[log/empty]')]);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('nothing was checked');
  }
  const { id } = episodeIn(dir, shape);
  const { code, stdout } = await noesis(['verify', '.', '--key', `ops-1=${keyFile}`, '-j'], { cwd: dir });
  expect(code).toBe(0);
  expect(stdout).toContain('log/empty');
  expect(stdout).toContain(id);
});

describe('a key', () => {
  const keys = writeTree({
    empty: '',
    newline: '\n',
    long: 'x'.repeat(70_000),
  });

  test.each(['empty', 'newline', 'long'])('that is not usable is refused: %s', async (name) => {
    const { code, stderr } = await gate([signed().dir], ['--key', `ops-1=${join(keys, name)}`]);
    expect(code).toBe(2);
    expect(stderr).toContain(join(keys, name));
  });

  test('that is empty verifies nothing', async () => {
    const forged = episodeIn(tempDir(), { ...shape, signature: { ...shape.signature, secret: '' } });
    expect((await gate([forged.dir], ['--key', `ops-1=${join(keys, 'empty')}`])).code).toBe(2);
    const env = { NOESIS_MANIFEST_KEY_OPS_1: '' };
    expect((await gate([forged.dir], ['--require-signature'], { env })).code).toBe(1);
  });

  test.each([
    ['real-secret', 'info', 0],
    ['fifteen bytes !', 'info', 0],
    ['sixteen bytes !!', undefined, 0],
    ['seven..', 'warn', 1],
  ])('that is short verifies, which a finding says: %s', async (secret, severity, code) => {
    const { dir } = episodeIn(tempDir(), { ...shape, signature: { ...shape.signature, secret } });
    const file = join(writeTree({ key: secret }), 'key');
    const env = { NOESIS_MANIFEST_KEY_OPS_1: secret };
    for (const [args, more] of [
      [['--key', `ops-1=${file}`], {}],
      [[], { env }],
    ] as const) {
      const found = await noesis(['verify', dir, ...args, '--require-signature', '--strict', '-j'], more);
      expect([found.code, found.stderr]).toEqual([code, '']);
      const { episodes } = JSON.parse(found.stdout) as { episodes: { findings: Found[] }[] };
      const weak = episodes[0]?.findings.find((finding) => finding.code === 'manifest/weak-key');
      expect(weak?.severity).toBe(severity);
    }
  });

  test('that is short signs nothing', async () => {
    const { dir } = signed();
    const file = join(writeTree({ key: 'fifteen bytes !' }), 'key');
    expect(await noesis(['sign', dir, '--key', `ops-1=${file}`])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/has 15 bytes: a\s+signing\s+key\s+needs\s+at\s+least\s+16/) as string,
    });
  });

  const pair = generateKeyPairSync('ed25519');
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = pair.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const der = pair.publicKey.export({ format: 'der', type: 'spki' });

  /** A public key in DER that ends with this byte: keys are made until one does. */
  function derThatEndsWith(byte: number): Buffer {
    for (;;) {
      const made = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' });
      if (made.at(-1) === byte) return made;
    }
  }

  test.each<[string, string | Buffer]>([
    ['PEM', pem],
    ['PEM after a comment', `# the key of ops\n${pem}`],
    ['PEM after an empty line', `\n\n${pem}`],
    ['PEM after a byte order mark', `\ufeff${pem}`],
    ['PEM in UTF-16', Buffer.from(`\ufeff${pem}`, 'utf16le')],
    ['PEM with CRLF', pem.replaceAll('\n', '\r\n')],
    ['DER', der],
    ['DER that ends with the byte of a newline', derThatEndsWith(0x0a)],
    ['DER and a newline', Buffer.concat([der, Buffer.from('\n')])],
    ['DER and a newline of two bytes', Buffer.concat([der, Buffer.from('\r\n')])],
    ['DER in base64', `${der.toString('base64')}\n`],
    ['OpenSSH', `ssh-ed25519 ${der.toString('base64').replace(/^/, 'AAAA')} ops@example.org\n`],
    ['a JWK', JSON.stringify(pair.publicKey.export({ format: 'jwk' }), undefined, 1)],
    ['the private half in DER', pair.privateKey.export({ format: 'der', type: 'pkcs8' })],
    ['another curve in DER', curve.publicKey.export({ format: 'der', type: 'spki' })],
    ['the private half of another curve in DER', curve.privateKey.export({ format: 'der', type: 'sec1' })],
    ['RSA in DER', rsa.publicKey.export({ format: 'der', type: 'pkcs1' })],
  ])('of a pair is not accepted as a shared secret: %s', async (_, key) => {
    const secret = Buffer.from(key);
    const forged = episodeIn(tempDir(), { ...shape, signature: { ...shape.signature, secret } });
    const file = join(tempDir(), 'key');
    writeFileSync(file, secret);
    const found = await noesis(['verify', forged.dir, '--key', `ops-1=${file}`, '-j']);
    expect(found.code).toBe(1);
    expect(found.stdout).toContain('a key pair, which only signs with Ed25519');
  });

  test('of a file that ends with .pub is a public key, or is refused: its 32 bytes alone look like a secret', async () => {
    const secret = der.subarray(-32);
    const forged = episodeIn(tempDir(), { ...shape, signature: { ...shape.signature, secret } });
    const file = join(tempDir(), 'ops.pub');
    writeFileSync(file, secret);
    const found = await noesis(['verify', forged.dir, '--key', `ops-1=${file}`]);
    expect(found).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('does not contain an Ed25519 public key'),
    });
  });

  test('is not read from a pipe, which could block', async () => {
    const pipe = join(tempDir(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect((await gate([signed().dir], ['--key', `ops-1=${pipe}`])).code).toBe(2);
  });
});

describe('a rule', () => {
  const { dir, log } = signed();
  appendFileSync(log, '{"torn');

  test.each([
    'log/*=off',
    'log/truncated=info',
    '*=off',
    '*=warn',
    '*/truncated=warn',
    'lineage/dangling-cause=off',
    'verify/internal=off',
  ])('that lowers corruption is refused: %s', async (rule) => {
    const { code, stderr } = await gate([dir], ['--rule', rule]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/always (?:an error|errors)/);
  });

  test.each(['log/no-final-newline=off', 'log/growing=warn', '*=error', 'log/*=error'])(
    'that lowers no hard failure is accepted: %s',
    async (rule) => {
      expect((await gate([dir], ['--rule', rule])).code).toBe(1);
    },
  );

  test('in a configuration is refused in the same way', async () => {
    const cwd = writeTree({ 'noesis.toml': '[verify.rules]\n"log/*" = "off"\n' });
    expect((await gate([dir], [], { cwd })).code).toBe(2);
  });

  test.each([
    ['seal/missing=off', '--require-seal'],
    ['manifest/*=warn', '--require-seal'],
    ['manifest/hash-mismatch=info', '--require-signature'],
    ['manifest/unverified-signature=warn', '--require-signature'],
  ])('that lowers a finding behind a requirement is refused: %s with %s', async (rule, requirement) => {
    expect((await gate([dir], ['--rule', rule, requirement])).code).toBe(2);
    expect((await gate([dir], ['--rule', rule])).code).toBe(1);
  });
});

describe('a report', () => {
  test('fails even if its reader has gone away', () => {
    const { dir } = episodeIn(tempDir(), shape);
    rmSync(join(dir, 'events.jsonl'));
    const script = `set -o pipefail; ${LAUNCH} verify "${dir}" | head -c 10`;
    expect(spawnSync('bash', ['-c', script]).status).toBe(1);
  });

  test('replaces an older one at once, and through a link', async () => {
    const { dir } = signed();
    const cwd = writeTree({ 'report.json': 'an older report' });
    execFileSync('ln', ['-s', 'report.json', join(cwd, 'link.json')]);
    const { code } = await noesis(['verify', dir, ...GATE, '-f', 'json', '-o', 'link.json'], { cwd });
    expect(code).toBe(0);
    expect(readFileSync(join(cwd, 'report.json'), 'utf8')).toContain('"noesis.verify/1"');
    expect(execFileSync('ls', ['-A', cwd], { encoding: 'utf8' })).toBe('link.json\nreport.json\n');
  });

  test('that cannot be written leaves the older one', async () => {
    const { dir } = signed();
    const cwd = writeTree({ 'folder/x': '' });
    const { code } = await noesis(['verify', dir, '-o', 'folder'], { cwd });
    expect(code).toBe(2);
    expect((await noesis(['verify', dir, '-o', 'nowhere/report.json'], { cwd })).code).toBe(2);
    expect(execFileSync('ls', ['-A', cwd], { encoding: 'utf8' })).toBe('folder\n');
  });

  test('may go to a device', async () => {
    const { code, stdout } = await noesis(['verify', signed().dir, '-f', 'json', '-o', '/dev/null', ...GATE]);
    expect([code, stdout.includes('1 run')]).toEqual([0, true]);
  });

  test('is never written to a verified file', async () => {
    const { dir, log } = signed();
    const before = readFileSync(log);
    const link = join(tempDir(), 'link');
    execFileSync('ln', [log, link]);
    const folder = join(tempDir(), 'folder');
    symlinkSync(dir, folder);
    const within = [dir, folder].map((one) => join(one, 'report.json'));
    for (const output of [log, ...within, join(dir, 'state.json'), link]) {
      const { code, stderr } = await noesis(['verify', dir, '-o', output]);
      expect([output, code]).toEqual([output, 2]);
      expect(stderr).toContain('outside the targets');
    }
    expect((await noesis(['verify', log, '-o', log])).code).toBe(2);
    expect(readFileSync(log)).toEqual(before);
    expect((await gate([dir])).code).toBe(0);
  });
});

test('no more threads are started than there are cores', async () => {
  const dir = tempDir();
  for (let seed = 1; seed <= 40; seed += 1) episodeIn(dir, { ...shape, seed });
  const { code } = await gate([dir], [...GATE, '--jobs', '100000']);
  expect(code).toBe(0);
});

test('a folder as standard input is exit 3', () => {
  for (const command of ['events', 'verify', 'project']) {
    const script = `${LAUNCH} ${command} - < "${tempDir()}"`;
    const { status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect([command, status]).toEqual([command, 3]);
    expect(stderr).toContain('standard input');
  }
});
