import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { runHere } from '../support/in-process.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const RECORDS = [
  { id: 'a', time: 1 },
  { id: 'b', time: 2 },
];

test.each([
  ['x.log', Buffer.from('PK\u0003\u0004 and so on'), 'a ZIP archive', 'unzip -p'],
  ['x.jsonl', Buffer.from([0x1f, 0x8b, 8, 0]), 'compressed with gzip', 'gzip -dc'],
  ['x.jsonl', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]), 'compressed with zstd', 'zstd -dc'],
  [
    'x',
    Buffer.concat([Buffer.alloc(257, 'a'), Buffer.from('ustar\0' + '00')]),
    'a tar archive',
    'verify --tar',
  ],
  ['x.jsonl', Buffer.from('\ufeff{"id":1}\n', 'utf16le'), 'written in UTF-16', 'iconv -f UTF-16 -t UTF-8'],
  ['x.jsonl', Buffer.from('{"id":1}\n', 'utf16le'), 'written in UTF-16', 'iconv -f UTF-16LE -t UTF-8'],
  [
    'x.json',
    JSON.stringify({ version: 1, steps: RECORDS }, null, 2),
    'one JSON document',
    "jq -c '.steps[]'",
  ],
  ['x.json', JSON.stringify({ version: 1 }, null, 2), 'one JSON document', 'one JSON object per line'],
])('%s is recognised, with advice: %#', async (name, content, what, help) => {
  const path = tempFile(content, name);
  for (const command of ['events', 'verify']) {
    const { code, stderr, stdout } = await runHere([command, path]);
    const said = `${stderr}${stdout}`.replace(/\s+/g, ' ');
    expect([code > 0, said]).toEqual([true, expect.stringContaining(what)]);
    expect(said).toContain(help);
  }
});

test('a document with a single record is read as one with several', async () => {
  const path = tempFile(
    JSON.stringify({ trajectory: [{ action: 'ls', thought: 'look' }], info: {} }),
    'r.traj',
  );
  const { code, stdout } = await runHere(['events', path, '-j']);
  expect([code, stdout]).toEqual([0, '{"action":"ls","thought":"look"}\n']);
});

test.each(['events', 'verify', 'show', 'stats', 'search x'])(
  '%s says of a database on standard input that it must be a file, without the path of the copy',
  async (command) => {
    const input = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4096)]);
    const { code, stderr } = await runHere([...command.split(' '), '-'], { input });
    expect([code, stderr]).toEqual([
      3,
      'error: standard input is a SQLite database: export its events as JSONL first\nhelp: write it to a file first, and name that\n',
    ]);
  },
);

describe('a compressed log on standard input', () => {
  const log = RECORDS.map((record) => `${JSON.stringify(record)}\n`).join('');
  const packed = gzipSync(log);

  test('is read like the log', async () => {
    const plain = await runHere(['events', '-', '-j'], { input: log });
    expect(await runHere(['events', '-', '-j'], { input: packed })).toEqual(plain);
    expect(plain.stdout.split('\n')).toHaveLength(RECORDS.length + 1);
  });

  test('is refused if it is truncated', async () => {
    const { code, stdout, stderr } = await runHere(['events', '-'], { input: packed.subarray(0, -4) });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('standard input: the compressed data cannot be read');
  });
});

test.each([
  ['a tar archive', Buffer.from(`${'a'.repeat(257)}ustar`), 'noesis verify --tar -'],
  ['a tar archive', gzipSync(`${'a'.repeat(257)}ustar`), 'noesis verify --tar -'],
  ['a ZIP archive', Buffer.from('PK\u0003\u0004 and so on'), 'write it to a file first'],
])('%s on standard input is recognised, with advice', async (what, input, help) => {
  const { code, stderr } = await runHere(['verify', '-'], { input });
  expect([code, stderr]).toEqual([3, expect.stringContaining(`standard input is ${what}`)]);
  expect(stderr).toContain(help);
});

describe('a file that is not a log', () => {
  const notLogs = {
    'bin.dat': Buffer.from('\0\x01\xff\n\x80{\n', 'latin1'),
    'note.txt': 'one\ntwo\n',
    'one.json': '{\n"version": 1\n}\n',
    'run.state.json': '{}\n',
  };
  const cwd = dirname(tempFile('', 'empty'));
  for (const [name, content] of Object.entries(notLogs)) writeFileSync(join(cwd, name), content);

  test.each(Object.keys(notLogs))('is refused by list as it is by show: %s', async (name) => {
    const shown = await runHere(['show', name], { cwd });
    expect(shown.code).toBe(3);
    expect(await runHere(['list', name], { cwd })).toEqual(shown);
  });

  test('does not hide the others in a list', async () => {
    writeFileSync(join(cwd, 'a.jsonl'), '{"id":"a"}\n');
    const { code, stdout, stderr } = await runHere(['list', '-q', 'a.jsonl', 'note.txt'], { cwd });
    expect([code, stdout]).toEqual([1, 'a.jsonl\n']);
    expect(stderr).toContain('error: note.txt does not look like an event log');
  });

  test('is refused as damaged if it is named like a log', async () => {
    writeFileSync(join(cwd, 'bin.jsonl'), notLogs['bin.dat']);
    for (const command of ['show', 'read']) {
      const { code, stdout, stderr } = await runHere([command, 'bin.jsonl'], { cwd });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('error: line 1 of bin.jsonl is damaged: ');
      expect(stderr).toContain('help: see all errors with\n  noesis verify bin.jsonl\n');
    }
  });
});

test('salvage does not suggest to unzip an evaluation log of Inspect, whose entries are no JSON Lines', async () => {
  const log = join(tempDir(), 'x.eval');
  writeFileSync(log, Buffer.from('PK\u0003\u0004 and so on'));
  const { stderr } = await runHere(['salvage', log, '--dry-run']);
  expect(stderr).toContain('a ZIP archive');
  expect(stderr).toMatch(/noesis events --partial -j \S*x\.eval/);
  expect(stderr).not.toContain('unzip');
});
