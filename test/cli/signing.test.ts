import { appendFileSync, cpSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLES, noesis } from '../support/cli.ts';
import { tempDir } from '../support/temp.ts';

const EPISODE = 'ep_01KJQ6PSG0DGB6DN0XWB2R05AD';

async function episodeAndKeys(): Promise<{ cwd: string; log: string }> {
  const cwd = tempDir();
  cpSync(join(EXAMPLES, '.noesis', 'episodes', EPISODE), join(cwd, EPISODE), { recursive: true });
  expect((await noesis(['keygen', 'ops'], { cwd })).code).toBe(0);
  return { cwd, log: join(cwd, EPISODE, 'events.jsonl') };
}

describe('keygen', () => {
  test('writes a pair, the private key for nobody else, and overwrites none', async () => {
    const { cwd } = await episodeAndKeys();
    expect(statSync(join(cwd, 'ops.key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(cwd, 'ops.pub'), 'utf8')).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    const before = readFileSync(join(cwd, 'ops.key'));
    const again = await noesis(['keygen', 'ops'], { cwd });
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('no key is overwritten');
    expect(readFileSync(join(cwd, 'ops.key'))).toEqual(before);
  });
});

describe('checkpoint', () => {
  test('proves that a log only grew, and names the first changed line', async () => {
    const { cwd, log } = await episodeAndKeys();
    const taken = await noesis(['checkpoint', EPISODE, '-o', 'then', '--key', 'ops.key'], { cwd });
    expect(taken).toMatchObject({ code: 0, stderr: '' });
    const check = (...more: string[]) =>
      noesis(['checkpoint', EPISODE, '--verify', 'then', '--trust', 'ops.pub', ...more], { cwd });
    expect((await check()).stdout).toContain('lines unchanged; nothing was added');
    expect(JSON.parse((await check('-j')).stdout)).toMatchObject({ extends: true, level: 'anchored' });
    appendFileSync(log, '{"more":true}\n');
    expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining('1 line more') });
    const lines = readFileSync(log, 'utf8').split('\n');
    writeFileSync(log, lines.with(4, lines[4]?.replace('{', '{ ') ?? '').join('\n'));
    expect(await check()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('line 5 has changed'),
    });
    expect(JSON.parse((await check('-j')).stdout)).toMatchObject({ extends: false, level: 'none', line: 5 });
    writeFileSync(log, `${lines.slice(0, 3).join('\n')}\n`);
    expect((await check()).stdout).toContain('line 4 is gone: the log has 3 lines');
    rmSync(join(cwd, 'then.leaves'));
    expect((await check()).stdout).toContain('the log has 3 lines, and had 25');
  });

  test('reports that the end of the last line is gone, or only its newline', async () => {
    const { cwd, log } = await episodeAndKeys();
    await noesis(['checkpoint', EPISODE, '-o', 'then', '--key', 'ops.key'], { cwd });
    const check = (...more: string[]) =>
      noesis(['checkpoint', EPISODE, '--verify', 'then', '--trust', 'ops.pub', ...more], { cwd });
    const whole = readFileSync(log);
    const count = whole.toString().split('\n').length - 1;
    const cut = async (bytes: number) => {
      writeFileSync(log, whole.subarray(0, -bytes));
      return (await check()).stdout;
    };
    expect(await cut(2)).toContain(`the end of line ${count} is gone`);
    expect(await cut(1)).toContain(`the newline at the end of line ${count} is gone`);
    expect(JSON.parse((await check('-j')).stdout)).toMatchObject({
      extends: false,
      line: count,
      lost: 'newline',
    });
    rmSync(join(cwd, 'then.leaves'));
    expect(await cut(1)).toContain(`the newline at the end of line ${count} is gone`);
    expect(await cut(2)).toContain(`the log has ${count - 1} lines, and had ${count}`);
  });

  test('belongs to one log: fails for another origin, and refuses an empty log', async () => {
    const { cwd } = await episodeAndKeys();
    cpSync(join(cwd, EPISODE, 'events.jsonl'), join(cwd, 'other.jsonl'));
    writeFileSync(join(cwd, 'empty.jsonl'), '');
    await noesis(['checkpoint', EPISODE, '-o', 'then', '--key', 'ops.key'], { cwd });
    const check = (log: string, file: string, ...more: string[]) =>
      noesis(['checkpoint', log, '--verify', file, '--trust', 'ops.pub', ...more], { cwd });
    expect((await check(EPISODE, 'then')).stderr).toBe('');
    expect(await check('other.jsonl', 'then')).toMatchObject({
      code: 1,
      stdout: 'fail  other.jsonl  nothing proven: the checkpoint is for another log\n',
      stderr: expect.stringContaining(`the checkpoint is for the log ${EPISODE}`),
    });
    const other = await check('other.jsonl', 'then', '-j');
    expect(other.code).toBe(1);
    expect(JSON.parse(other.stdout)).toMatchObject({ level: 'none', log: 'other.jsonl', origin: EPISODE });
    expect(await check('other.jsonl', 'then', '--origin', EPISODE)).toMatchObject({ code: 0, stderr: '' });
    expect(await check(join(EPISODE, 'events.jsonl'), 'then')).toMatchObject({ code: 0, stderr: '' });
    await noesis(['checkpoint', 'empty.jsonl', '-o', 'zero', '--key', 'ops.key'], { cwd });
    const none = await check(EPISODE, 'zero');
    expect([none.code, none.stderr]).not.toContain(0);
    expect(none.code).not.toBe(0);
  });

  test.each([
    [['checkpoint', EPISODE], /needs --key and --output/],
    [
      ['checkpoint', EPISODE, '--verify', 'ops.pub'],
      /the (?:checkpoint|attestation) can only be checked with --trust NAME\.pub/,
    ],
    [
      ['checkpoint', EPISODE, '--verify', 'ops.pub', '--trust', 'ops.pub'],
      /error: ops\.pub is not a checkpoint/,
    ],
    [['checkpoint', EPISODE, '-o', 'x', '--key', 'ops.pub'], /ops\.pub contains a public key/],
    [['checkpoint', EPISODE, '-o', 'x', '--key', 'ops.key', '--origin', 'a b'], /cannot name a log/],
    [
      ['checkpoint', EPISODE, '--verify', 'x', '--trust', `${EPISODE}/final.json`],
      /does not contain an Ed25519\s+public key/,
    ],
    [['checkpoint', `${EPISODE}/events.jsonl#run`, '-o', 'x', '--key', 'ops.key'], /run/],
  ])('%j is refused', async (args, message) => {
    const { cwd } = await episodeAndKeys();
    const { code, stderr } = await noesis(args, { cwd });
    expect(stderr).toMatch(message);
    expect([2, 3]).toContain(code);
  });
});

describe('verify --attest', () => {
  test('writes a statement that fits these files and no others', async () => {
    const { cwd, log } = await episodeAndKeys();
    const made = await noesis(['verify', EPISODE, '--attest', 'v.json', '--attest-key', 'ops.key'], { cwd });
    expect(made.code).toBe(0);
    const check = (...more: string[]) =>
      noesis(['verify', EPISODE, '--attestation', 'v.json', '--trust', 'ops.pub', ...more], { cwd });
    expect(await check()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('unchanged; level anchored\n  attested: verdict ok'),
    });
    appendFileSync(log, '\n');
    expect(await check()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`${EPISODE}/events.jsonl has changed since it was verified`),
    });
    expect(JSON.parse((await check('-j')).stdout)).toMatchObject({ fits: false, verdict: 'ok' });
    symlinkSync('/dev/null', join(cwd, EPISODE, 'null'));
    expect((await check()).stdout).toContain(`${EPISODE}/null was not among the verified files`);
  });

  test('cannot bypass a gate: it must satisfy the present requirements', async () => {
    const { cwd } = await episodeAndKeys();
    cpSync(join(cwd, EPISODE), join(cwd, 'ep_other'), { recursive: true });
    await noesis(['verify', EPISODE, 'ep_other', '--attest', 'v.json', '--attest-key', 'ops.key'], { cwd });
    const check = (...args: string[]) =>
      noesis(['verify', ...args, '--attestation', 'v.json', '--trust', 'ops.pub'], { cwd });
    const [made, both] = [await check(EPISODE), await check(EPISODE, 'ep_other')];
    // A copy in a folder of another name is not the episode that its log names.
    expect(both.stdout).toContain('verdict fail');
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('ep_other was verified too, but is not among the targets'),
    });
    for (const option of ['--strict', '--require-seal', '--require-signature'])
      expect(await check(EPISODE, option)).toMatchObject({
        code: 1,
        stdout: expect.stringContaining(`the attested verification did not use ${option}`),
      });
    writeFileSync(join(cwd, 'noesis.toml'), '[verify]\nrequire_seal = true\n');
    expect(await check(EPISODE)).toMatchObject({ code: 1 });
    for (const [option, value] of [
      ['--rule', 'log/bom=error'],
      ['--key', 'ops=ops.pub'],
    ] as const)
      expect(await check(EPISODE, option, value)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(`--attestation cannot be used with ${option}`),
      });
  });

  test('carries a failure, which still fails', async () => {
    const { cwd, log } = await episodeAndKeys();
    writeFileSync(log, readFileSync(log, 'utf8').replace('"phase"', '"Phase"'));
    const made = await noesis(['verify', EPISODE, '--attest', 'v.json', '--attest-key', 'ops.key'], { cwd });
    expect(made.code).toBe(1);
    const checked = await noesis(['verify', EPISODE, '--attestation', 'v.json', '--trust', 'ops.pub'], {
      cwd,
    });
    expect(checked).toMatchObject({ code: 1, stdout: expect.stringContaining('verdict fail') });
  });

  test.each([
    [['verify', EPISODE, '--attest', 'v.json'], /--attest(?:-key)? also needs --attest(?:-key)? FILE/],
    [
      ['verify', EPISODE, '--attest', 'v.json', '--attest-key', 'ops.key', '--cache', 'c', '--subset', '50%'],
      /--attest cannot be combined with --subset/,
    ],
    [
      ['verify', EPISODE, '--attest', 'v.json', '--attest-key', 'ops.key', '--cache', 'c'],
      /--attest cannot be combined with --cache-mode stat/,
    ],
    [
      [
        'verify',
        EPISODE,
        '--attest',
        'v.json',
        '--attest-key',
        'ops.key',
        '--cache',
        'c',
        '--cache-mode',
        'stat',
      ],
      /--attest cannot be combined with --cache-mode stat/,
    ],
    [
      ['verify', EPISODE, '--attestation', 'ops.pub'],
      /the (?:checkpoint|attestation) can only be checked with --trust NAME\.pub/,
    ],
    [['verify', EPISODE, '--attestation', 'nowhere', '--trust', 'ops.pub'], /cannot read/],
    [['verify', EPISODE, '--attest', `${EPISODE}/v.json`, '--attest-key', 'ops.key'], /inside an\s+episode/],
  ])('%j is refused', async (args, message) => {
    const { cwd } = await episodeAndKeys();
    const { code, stderr } = await noesis(args, { cwd });
    expect(stderr).toMatch(message);
    expect([2, 3]).toContain(code);
  });
});
