import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noesis } from '../../src/dialects/noesis/index.ts';
import { redactLog } from '../../src/write/redact/redact.ts';
import { EXAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const SECRET = `sk-ant-api03-${'aB3'.repeat(20)}`;

test('the state of an episode is copied without its secrets, with its numbers as stored', async () => {
  const cwd = tempDir();
  writeTree(
    {
      'ep_1/events.jsonl': `{"phase":"start","id":"a","episode_id":"ep_1","payload":{"task":"use ${SECRET}"}}\n`,
      'ep_1/state.json': `{"goal":{"task":"use ${SECRET}"},"n":1.0}`,
    },
    cwd,
  );
  const { code, stdout } = await runHere(['redact', 'ep_1', '-o', 'copy', '-j'], { cwd });
  expect(code).toBe(0);
  const { files, replaced } = JSON.parse(stdout);
  expect(files).toEqual(['events.jsonl', 'state.json']);
  expect(replaced).toEqual([expect.objectContaining({ places: 2, different: 1 })]);
  const state = readFileSync(join(cwd, 'copy/state.json'), 'utf8');
  expect(state).not.toContain(SECRET);
  expect(state).toContain('"n": 1.0');
  const [task] = /"task": "use [^"]+"/.exec(state) ?? [];
  // Equal where the secrets are equal.
  expect(readFileSync(join(cwd, 'copy/events.jsonl'), 'utf8')).toContain(task?.replace('": "', '":"') ?? '?');
});

test('a part from another folder is copied next to the log, one below it keeps its folder', async () => {
  const dir = writeTree({
    'here/log.jsonl': '{"text":"a"}\n',
    'here/parts/one.jsonl': '{"text":"b"}\n',
    'elsewhere/two.jsonl': '{"text":"c"}\n',
  });
  const to = join(dir, 'copy');
  const source = {
    log: join(dir, 'here/log.jsonl'),
    dialect: noesis,
    parts: [join(dir, 'here/parts/one.jsonl'), join(dir, 'elsewhere/two.jsonl')],
  };
  const { files } = await redactLog(source, to, { keep: [], drop: [] });
  expect(files).toEqual(['log.jsonl', 'parts/one.jsonl', 'two.jsonl']);
  expect(readdirSync(to).sort()).toEqual(['log.jsonl', 'parts', 'two.jsonl']);
  expect(readFileSync(join(to, 'two.jsonl'), 'utf8')).toBe('{"text":"c"}\n');
});

test('a log without secrets is copied byte for byte, and nothing of it becomes invalid', async () => {
  const cwd = tempDir();
  writeFileSync(join(cwd, 'log.jsonl'), '{"id":"1","phase":"act","payload":{}}\n');
  const { stdout } = await runHere(['redact', 'log.jsonl', '-o', 'copy', '-j'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ replaced: [], no_longer_valid: [] });
  expect((await runHere(['redact', 'log.jsonl', '-o', 'other'], { cwd })).stdout).not.toContain('Not valid');
});

test('the copy of an episode gets the findings of the original except for its seal, and what is left out is named', async () => {
  const root = join(EXAMPLES, '.noesis/episodes');
  for (const name of readdirSync(root)) {
    const cwd = tempDir();
    cpSync(join(root, name), join(cwd, name), { recursive: true });
    writeFileSync(join(cwd, name, 'notes.txt'), 'x');
    writeFileSync(join(cwd, name, 'more.json'), `{"said":"${SECRET}","n":1.0}`);
    writeFileSync(join(cwd, name, 'twice.jsonl'), `{"a":"${SECRET}","a":1}\n\n{"b":1}\n`);
    const { stdout } = await runHere(['redact', name, '-o', `copy/${name}`, '-j'], { cwd });
    const { left_out, no_longer_valid } = JSON.parse(stdout) as Record<
      'left_out' | 'no_longer_valid',
      string[]
    >;
    expect(no_longer_valid.includes('the seal')).toBe(left_out.includes('manifest.json'));
    expect(no_longer_valid.slice(-2)).toEqual([
      'ids and hashes of replaced content',
      'signed checkpoints and attestations of the original',
    ]);
    const there = readdirSync(join(cwd, name));
    expect(left_out).toEqual(
      ['final.json', 'manifest.json', 'notes.txt'].filter((one) => there.includes(one)),
    );
    expect((await runHere(['redact', name, '-o', 'again'], { cwd })).stdout).toContain('notes.txt');
    expect(readFileSync(join(cwd, 'copy', name, 'more.json'), 'utf8')).not.toContain(SECRET);
    expect(readFileSync(join(cwd, 'copy', name, 'twice.jsonl'), 'utf8')).toBe('{"a":1}\n\n{"b":1}\n');
    const codes = async (path: string) => {
      const out = JSON.parse((await runHere(['verify', path, '-j'], { cwd })).stdout) as {
        episodes: { findings: { code: string; line?: number }[] }[];
      };
      return out.episodes
        .flatMap(({ findings }) => findings.map(({ code, line }) => `${code} ${line}`))
        .filter((one) => !/^(?:seal|manifest)\//.test(one));
    };
    expect([name, await codes(`copy/${name}`)]).toEqual([name, await codes(name)]);
  }
});
