import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { noesis } from '../support/cli.ts';
import { GOOD, rootWith } from '../support/episodes.ts';

// Node 24 and newer read `"\t"` as the key `\` once they have read that key (nodejs/node#63785). Run under each
// version that is supported: scripts/other-nodes.mjs.
const KEYS = '"x-k":{"\\\\":0,"\\t":1,"\\\\n":2,"\\nb":3}';

/** The good episode; each act, and each action of its state, has such keys. */
function episode() {
  const { cwd, episodes } = rootWith({ ...GOOD, direction: false });
  const [{ id, log, dir, lines }] = episodes;
  const marked = lines.map((line) => {
    const { phase, payload } = JSON.parse(line) as { phase: string; payload: Record<string, unknown> };
    return phase === 'act' && !payload['synthetic'] ? line.replace(/"payload": ?\{/, `$&${KEYS},`) : line;
  });
  writeFileSync(log, `${marked.join('\n')}\n`);
  const state = `${dir}/state.json`;
  const text = readFileSync(state, 'utf8');
  writeFileSync(state, text.replace(/\{(?=\s*"id": ?"act)/g, `{${KEYS},`));
  return { cwd, id };
}

test('keys with escapes are read as they are stored', async () => {
  const { cwd, id } = episode();
  const { stdout: report } = await noesis(['verify', id, '-j'], { cwd });
  // The manifest no longer fits; nothing else is wrong.
  expect([...report.matchAll(/"code": "(\w+)\//g)].map(([, family]) => family)).not.toContain('projection');
  expect(report).toContain('"manifest/');
  expect((await noesis(['project', id, '--diff'], { cwd })).code).toBe(0);
  for (const args of [
    ['project', id, '-j'],
    ['events', id, '-p', 'act', '-j', '--fields', 'payload.x-k'],
    ['state', id, 'outcomes.actions[0].x-k'],
  ]) {
    const { stdout } = await noesis(args, { cwd });
    expect([args[0], stdout.replace(/\s/g, '')]).toEqual([args[0], expect.stringContaining(KEYS.slice(6))]);
  }
});

test('the command line does its work', async () => {
  const { cwd, episodes } = rootWith(GOOD);
  const [{ id, log }] = episodes;
  expect((await noesis(['verify', '--strict'], { cwd })).code).toBe(0);
  expect((await noesis(['list', '-q'], { cwd })).stdout).toBe(`${id}\n`);
  expect((await noesis(['events', '-', '-j'], { cwd, input: readFileSync(log) })).stdout).toBe(
    readFileSync(log, 'utf8'),
  );
  expect((await noesis(['events', 'nothing'], { cwd })).code).toBe(3);
});
