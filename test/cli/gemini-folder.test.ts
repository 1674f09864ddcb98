import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

// A session of Gemini CLI has the hash of its folder, and a text that names folders. The hash proves which one is meant.

const ID = '513445ec-0000-4000-8000-000000000001';
const AT = '2026-11-26T12:11:59.000Z';

/** A home with a session of this folder, whose text names `listed`. */
function homeWith(folder: string, listed: readonly string[]): string {
  const home = tempDir();
  const chats = join(home, '.gemini/tmp/shop/chats');
  mkdirSync(chats, { recursive: true });
  const list = listed.map((path) => `  - ${path}\n`).join('');
  const text = `<session_context>\n- **Workspace Directories:**\n${list}</session_context>`;
  const message = { id: 'm1', timestamp: AT, type: 'user', content: [{ text }] };
  const records = [
    {
      sessionId: ID,
      projectHash: createHash('sha256').update(folder).digest('hex'),
      startTime: AT,
      lastUpdated: AT,
    },
    { $set: { messages: [message], lastUpdated: AT } },
    { id: 'm2', timestamp: AT, type: 'user', content: [{ text: 'Hello' }] },
  ];
  writeFileSync(
    join(chats, 'session-2026-11-26T12-11-513445ec.jsonl'),
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  );
  return home;
}

test.each(['/home/usr/my shop', 'C:\\Users\\usr\\shop', '/home/usr/lädchen'])(
  'the folder %s is the one of the list that has the hash of the project',
  async (folder) => {
    const home = homeWith(folder, ['/home/usr/other', folder]);
    const { stdout } = await runHere(['list', '-j'], { home, cwd: home });
    expect(JSON.parse(stdout)).toMatchObject([{ cwd: folder }]);
  },
);

test('a project is found by the folder, and the command that continues the session goes there', async () => {
  const folder = join(tempDir(), 'corner-shop');
  mkdirSync(folder);
  const home = homeWith(folder, [folder]);
  const run = (...args: readonly string[]) => runHere(args, { home, cwd: home });
  expect((await run('list', '--project', 'corner-shop', '-q')).stdout).toContain('513445ec');
  expect(JSON.parse((await run('show', '513445ec', '-j')).stdout).resume_command).toBe(
    `cd ${folder} && gemini --resume ${ID}`,
  );
});

test('a folder that only the text names is not taken', async () => {
  const home = homeWith('/home/usr/shop', ['/home/usr/other', '/home/usr']);
  const { stdout } = await runHere(['list', '-j'], { home, cwd: home });
  expect(JSON.parse(stdout)[0].cwd).toBeUndefined();
});

test('a session whose proven folder does not exist is not said to continue in a folder that the log does not have', async () => {
  const folder = join(tempDir(), 'gone');
  const home = homeWith(folder, [folder]);
  const run = (...args: readonly string[]) => runHere(args, { home, cwd: home });
  for (const command of ['doctor', 'show'])
    expect((await run(command, '513445ec')).stdout.replaceAll(/\s+/g, ' ')).toContain(
      `only in the folder of its project, which does not exist: ${folder}`,
    );
});

/** A home with a session in one document, as older versions write it. Only the file next to it names its folder. */
function homeWithDocument(folder: string): string {
  const home = tempDir();
  const project = join(home, '.gemini/tmp/shop');
  mkdirSync(join(project, 'chats'), { recursive: true });
  writeFileSync(join(project, '.project_root'), folder);
  const messages = [
    { id: 'm1', timestamp: AT, type: 'user', content: 'Hello' },
    { id: 'm2', timestamp: AT, type: 'gemini', content: 'Hi', model: 'made-up-1' },
  ];
  const projectHash = createHash('sha256').update(folder).digest('hex');
  const document = { sessionId: ID, projectHash, startTime: AT, lastUpdated: AT, messages };
  writeFileSync(
    join(project, 'chats/session-2026-11-26T12-11-513445ec.json'),
    JSON.stringify(document, null, 2),
  );
  return home;
}

test.each([
  ['the records prove', (folder: string) => homeWith(folder, [folder])],
  ['a file next to a document names', homeWithDocument],
])('every command and filter knows the folder that %s', async (_, homeOf) => {
  const folder = '/home/usr/corner-shop';
  const home = homeOf(folder);
  const run = async (...args: readonly string[]) => (await runHere(args, { home, cwd: home })).stdout;
  expect(JSON.parse(await run('list', '-j'))).toMatchObject([{ cwd: folder, project: 'corner-shop' }]);
  expect(JSON.parse(await run('show', '513445ec', '-j')).cwd).toBe(folder);
  expect(Object.keys(JSON.parse(await run('stats', '--by', 'project', '-j')).groups)).toEqual([
    'corner-shop',
  ]);
  for (const project of ['corner-shop', folder]) {
    expect(await run('list', '--project', project, '-q')).toContain('513445ec');
    expect(JSON.parse(await run('stats', '--project', project, '-j')).episodes).toBe(1);
    expect(await run('search', 'Hello', '--project', project, '-q')).toContain('513445ec');
  }
});

test('every filter finds a session by the folder whose hash it has, if nothing names the folder', async () => {
  const home = homeWith('/home/usr/corner-shop', []);
  const run = async (...args: readonly string[]) => (await runHere(args, { home, cwd: home })).stdout;
  const wanted = ['--project', '/home/usr/corner-shop'];
  expect(await run('list', ...wanted, '-q')).toContain('513445ec');
  expect(JSON.parse(await run('stats', ...wanted, '-j')).episodes).toBe(1);
  expect(await run('search', 'Hello', ...wanted, '-q')).toContain('513445ec');
});

test('search says as show does how a session continues whose proven folder does not exist', async () => {
  const folder = join(tempDir(), 'gone');
  const home = homeWith(folder, [folder]);
  const { stdout } = await runHere(['search', 'Hello'], { home, cwd: home });
  expect(stdout).not.toContain('its working folder does not exist');
  expect(stdout).toContain(`gemini --resume ${ID}`);
});

test('a session that is whole apart from its missing folder only needs that folder', async () => {
  const folder = join(tempDir(), 'gone');
  const home = homeWith(folder, [folder]);
  writeFileSync(join(home, '.gemini/tmp/shop/.project_root'), folder);
  const { stdout } = await runHere(['doctor', '513445ec'], { home, cwd: home });
  expect(stdout).toMatch(/^no folder /);
  expect(stdout).toMatch(/^ +Create that folder\.$/m);
  expect(stdout).toMatch(/^There is nothing to repair in the log itself\.$/m);
});
