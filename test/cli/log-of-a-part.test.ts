import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

// The log of a part alone: that of a subagent, or one that continues a session. Each command says what it is, and of which
// session, because that one may say something else.

const HOME = join(SAMPLES, 'claude-code/projects/-home-usr-project');
const SESSION = 'ef958aa1-0e93-49f0-bb71-150f63befcd1';
const AGENT = 'agent-a36efb2a1231c41e2';
const IS_AGENT = `the log of a subagent ("Round 2: alice comparison") of the session ${SESSION}`;
const SEGMENTS = join(SAMPLES, 'parts/codex-segments/sessions/2026/09/01');
const THREAD = '019f1111-0000-7000-8000-00000000000a';
const SEGMENT = `rollout-2026-09-01T09-10-00-${THREAD}_019f1111-0000-7000-8000-0000000000b1.jsonl`;
const IS_FURTHER = `a further log of the session ${THREAD}`;

const agentIn = (home: string) =>
  join(home, '.claude/projects/-home-usr-project', SESSION, 'subagents', `${AGENT}.jsonl`);

function homeWithAgent(): string {
  const home = tempDir();
  cpSync(HOME, join(home, '.claude/projects/-home-usr-project'), { recursive: true });
  return home;
}

/** The output of a command in a terminal of 80 columns, with single spaces. */
async function said(home: string, ...args: readonly string[]) {
  const { stdout, stderr, code } = await runHere(args, {
    home,
    cwd: home,
    columns: 80,
    env: { NO_COLOR: '1' },
  });
  const lines = [...stdout.split('\n'), ...stderr.split('\n')];
  const tooWide = lines.filter((line) => line.length > 80 && !line.includes('.jsonl'));
  return { text: stdout.replace(/\s+/g, ' '), stderr: stderr.replace(/\s+/g, ' '), code, tooWide };
}

describe('the log of a subagent', () => {
  test('doctor says first what it is', async () => {
    const home = homeWithAgent();
    const { text, tooWide, code } = await said(home, 'doctor', agentIn(home));
    expect(text).toMatch(/^not opened This is the log of a subagent/);
    expect(text).toContain(`This is ${IS_AGENT}. noesis does not find that session.`);
    expect(text).toMatch(/Read it with: noesis read /);
    expect(text).toContain('Claude Code continues only the session.');
    expect(text).not.toMatch(/No conversation found|repair|Examine its session/);
    expect([tooWide, code]).toEqual([[], 1]);
  });

  test('doctor names the command for its session if that is there', async () => {
    const home = homeWithAgent();
    const line = JSON.stringify({
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      sessionId: SESSION,
      version: '2.1.114',
      cwd: home,
      timestamp: '2026-04-18T13:46:20.000Z',
      message: { role: 'user', content: 'Compare' },
    });
    writeTree({ [`.claude/projects/-home-usr-project/${SESSION}.jsonl`]: `${line}\n` }, home);
    const { text } = await said(home, 'doctor', agentIn(home));
    expect(text).toContain(`This is ${IS_AGENT}. Claude Code continues only the session.`);
    expect(text).toContain(`Examine its session with: noesis doctor ${SESSION}`);
    expect((await said(home, 'show', agentIn(home))).text).toContain(`Log ${IS_AGENT} Dialect`);
  });

  test('doctor --fix names the session', async () => {
    const home = homeWithAgent();
    const { stderr, code } = await said(home, 'doctor', '--fix', agentIn(home));
    expect(stderr).toContain(
      `Claude Code does not continue the log of a subagent, only its session, ${SESSION}`,
    );
    expect(stderr).toContain(`run noesis doctor ${SESSION}`);
    expect(code).toBe(2);
  });

  test('show and verify say what it is', async () => {
    const home = homeWithAgent();
    const shown = await said(home, 'show', agentIn(home));
    expect(shown.text).toContain(`Log ${IS_AGENT}, which noesis does not find`);
    const { text, tooWide, code } = await said(home, 'verify', agentIn(home));
    expect(text).toContain(`It is ${IS_AGENT}, which was not verified with it.`);
    expect([tooWide, shown.tooWide, code, shown.code]).toEqual([[], [], 0, 0]);
  });

  test('verify says it once of several runs', async () => {
    const home = homeWithAgent();
    expect((await said(home, 'verify', '.')).text).toContain(
      '1 run is a part of a session that was not verified with it',
    );
    cpSync(agentIn(home), join(home, 'other', SESSION, 'subagents', `${AGENT}.jsonl`));
    expect((await said(home, 'verify', '.')).text).toContain(
      '2 runs are parts of sessions that were not verified with them',
    );
  });

  test('JSON names the session', async () => {
    const home = homeWithAgent();
    const title = 'Round 2: alice comparison';
    const part = { session: SESSION, is_further: false, title };
    const run = async (...args: readonly string[]) =>
      JSON.parse((await runHere(args, { home, cwd: home })).stdout);
    expect((await run('show', agentIn(home), '-j')).part_of).toEqual(part);
    expect((await run('verify', agentIn(home), '-j')).episodes[0].part_of).toEqual(part);
    expect(await run('doctor', agentIn(home), '-j')).toMatchObject({
      part_of: SESSION,
      is_further_log: false,
      part_title: title,
    });
  });

  test('an empty or invalid description is left out', async () => {
    const home = homeWithAgent();
    for (const about of ['', '{"description":" "}', '{"description":7}', '[]', 'not JSON']) {
      writeTree({ 'meta.json': about }, home);
      cpSync(join(home, 'meta.json'), agentIn(home).replace(/jsonl$/, 'meta.json'));
      expect((await said(home, 'doctor', agentIn(home))).text).toContain(
        `This is the log of a subagent of the session ${SESSION}.`,
      );
    }
  });
});

test('a further log of a session is not called that of a subagent', async () => {
  const home = tempDir();
  const log = join(home, '.codex/sessions/2026/09/01', SEGMENT);
  cpSync(join(SEGMENTS, SEGMENT), log);
  expect((await said(home, 'doctor', log)).text).toContain(`This is ${IS_FURTHER}. noesis does not find`);
  expect((await said(home, 'show', log)).text).toContain(`Log ${IS_FURTHER}, which noesis does not find`);
  expect((await said(home, 'verify', log)).text).toContain(
    `It is ${IS_FURTHER}, which was not verified with it.`,
  );
});

test('the session of a log is found next to it too, in a folder that no program uses', async () => {
  const agent = 'test/inputs/sessions/calls-of-subagents';
  const [home, session] = [tempDir(), 'abc00041-0000-4000-8000-000003dfd240'];
  cpSync(SEGMENTS, join(home, 'thread'), { recursive: true });
  cpSync(agent, join(home, 'agents'), { recursive: true });
  const folder = join(home, 'agents/projects/-home-usr-shop');
  const [part, whole] = [
    join(folder, session, 'subagents/agent-abcd123.jsonl'),
    join(folder, `${session}.jsonl`),
  ];
  for (const [log, of] of [
    [part, whole],
    [join(home, 'thread', SEGMENT), join(home, 'thread', `rollout-2026-09-01T09-00-00-${THREAD}.jsonl`)],
  ] as const) {
    expect((await said(home, 'show', log)).text).not.toContain('does not find');
    const { text } = await said(home, 'doctor', log);
    expect(text).not.toContain('does not find');
    expect(text).toContain(`Examine its session with: noesis doctor ${of}`);
  }
});
