import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/dialects/sessions/claude-code/index.ts';
import { repairedCopySchema } from '../../src/dialects/sessions/kit/repaired-copy.ts';
import { type DoctorReport, doctorReport } from '../../src/read/outputs/doctor.ts';
import { displayWidth } from '../../src/show/render/width.ts';
import { examine } from '../../src/write/doctor/examine.ts';
import { writeRepair } from '../../src/write/doctor/write-repair.ts';
import { SAMPLES } from '../support/cli.ts';
import {
  DOCTOR_SAMPLES,
  damagedOf,
  expectedOf,
  originalOf,
  type SampleProgram,
} from '../support/doctor-samples.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeSettled } from '../support/temp.ts';

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** A home directory with one damaged session. */
function homeWith(
  program: SampleProgram,
  name: string | Buffer,
): { readonly home: string; readonly log: string } {
  const home = tempDir();
  const log = join(home, expectedOf(program).session);
  mkdirSync(dirname(log), { recursive: true });
  const bytes =
    typeof name === 'string'
      ? (damagedOf(program).find((one) => one.name === name)?.bytes ?? Buffer.of())
      : name;
  writeSettled(log, bytes);
  if (program === 'copilot') {
    const workspace = join(dirname(expectedOf(program).session), 'workspace.yaml');
    cpSync(join(DOCTOR_SAMPLES, 'copilot/original', workspace), join(home, workspace));
  }
  return { home, log };
}

const doctor = (home: string, ...args: string[]) => runHere(['doctor', ...args], { home });

async function report(home: string, ...args: string[]): Promise<DoctorReport> {
  const { stdout } = await doctor(home, ...args, '-j');
  return doctorReport.parse(JSON.parse(stdout));
}

/** Programs that open a session only if its folder exists. */
const NEED_A_FOLDER: ReadonlySet<SampleProgram> = new Set(['pi', 'qwen']);

const placeFor = (program: SampleProgram, home: string): string[] =>
  NEED_A_FOLDER.has(program) ? ['--cwd', home] : [];

/** Every file below a folder with its hash. */
const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, hashOf(join(folder, name))]),
  );

/** The command of an output that copies a log to a place where nothing deletes it. */
const copyIn = (stdout: string): string => /^Copy it away first with: (.*)$/m.exec(stdout)?.[1] ?? '';

describe('the report', () => {
  test('says how much is loaded, where the chain is cut and what is lost, in 80 columns', async () => {
    const { home, log } = homeWith('claude', 'torn-middle');
    const { code, stdout } = await doctor(home, log);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /Resume loads 19 of 38 parts of the conversation, prompts 3 to 5 of at\s+least 5\./,
    );
    expect(stdout).toMatch(/line 49 +its parent df024c44 is not in the log/);
    expect(stdout).toContain('The API accepts the request.');
    expect(stdout).toContain('Repair: 36 of 38 parts are loaded.');
    expect(stdout).toContain('noesis doctor --fix aaaaaaaa');
    // A command is not wrapped, so that it can be copied.
    const lines = stdout.split('\n').filter((line) => !line.startsWith('Continue with: '));
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(80);
  });

  test.each([
    ['claude', 'nul-before', [4, 5]],
    ['codex', 'nul-before', [1, 2, 4, 5]],
    ['copilot', 'nul-before', [1, 2, 4, 5]],
    ['pi', 'joined', [4, 5]],
    ['pi', 'torn-glued', [4, 5]],
    ['qwen', 'torn-glued', [4, 5]],
    ['codex', 'joined', [1, 2, 3, 4, 5]],
    ['qwen', 'u2028', [3, 4, 5]],
  ] as const)(
    'of %s with %s names the prompts in damaged lines, and has one total',
    async (program, name, loaded) => {
      const { home, log } = homeWith(program, name);
      const { prompts, loads, after } = await report(home, log, ...placeFor(program, home));
      expect([prompts.of, prompts.loaded]).toEqual([5, loaded]);
      const lost = ['T1', 'T2', 'T3', 'T4', 'T5'].filter((_, at) => !loaded.some((one) => one === at + 1));
      expect(prompts.lost.map((text) => text.slice(0, 2))).toEqual(lost);
      expect(after?.loads.of).toBe(loads.of);
    },
  );

  test('of a session of Codex names a prompt behind a torn record, and no part stays lost', async () => {
    const lines = originalOf('codex').bytes.toString().split('\n');
    const at = lines.findIndex((one) => one.includes('"response_item"') && one.includes('"text":"T5 plain"'));
    const prompt = lines[at] ?? '';
    // The first record breaks off before it says what it is.
    lines[at] = `${prompt.slice(0, prompt.indexOf('_item"'))}${prompt}`;
    const { home, log } = homeWith('codex', Buffer.from(lines.join('\n')));
    const { code, stdout } = await doctor(home, log);
    expect(stdout).toMatch(
      /Resume loads 30 of 31 parts of the conversation, prompts 1 to 4 of at\s+least 5\.\n/,
    );
    expect(stdout).toContain('  lost     "T5 plain" (1 prompt)\n');
    expect(stdout).toContain('Repair: 31 of 31 parts are loaded.\n');
    expect(code).toBe(1);
    expect((await doctor(home, log, '--fix')).code).toBe(0);
  });

  const NAMED: readonly (readonly [SampleProgram, string])[] = [
    ['claude', '<session id>.jsonl'],
    ['codex', 'rollout-<time>-<thread id>.jsonl'],
    ['gemini', 'session-<time>-<first 8 digits of the id>.jsonl'],
    ['qwen', '<session id>.jsonl'],
  ];
  test.each(NAMED)('says that %s does not find a log with another name', async (program, form) => {
    const { home, log } = homeWith(program, originalOf(program).bytes);
    const renamed = join(dirname(log), 'notes.jsonl');
    for (const copy of [renamed, join(tempDir(), 'notes.jsonl')]) {
      cpSync(log, copy);
      const { found, loads } = await report(home, copy);
      expect([found.is_found, loads.parts]).toEqual([false, loads.of]);
      expect(found.reason).toContain(form);
      const { code, stdout } = await doctor(home, copy);
      const words = stdout.replace(/\s+/g, ' ');
      expect(code).toBe(1);
      expect(words).toMatch(
        /^not opened (.+) does not open the session: \1 finds a session by the name of its file/,
      );
      expect(words).toMatch(
        new RegExp(`(?:There|Otherwise), resume loads ${loads.of} of ${loads.of} parts of the conversation`),
      );
    }
  });

  test('says under which id a session is found if the name of its log has another one', async () => {
    const { home, log } = homeWith('claude', originalOf('claude').bytes);
    const id = '11111111-1111-4111-8111-111111111111';
    const renamed = join(dirname(log), `${id}.jsonl`);
    cpSync(log, renamed);
    const { code, stdout } = await doctor(home, renamed);
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain(`under which it is found: ${id} Continue with`);
    expect((await report(home, log)).found.reason).toBeNull();
  });

  test('exits with 0 if everything is loaded, and with 3 if there is no session', async () => {
    const { home, log } = homeWith('claude', originalOf('claude').bytes);
    expect((await doctor(home, log)).code).toBe(0);
    expect((await doctor(tempDir(), 'missing')).code).toBe(3);
    expect((await doctor(tempDir())).code).toBe(3);
    expect((await doctor(home, log, '--in-place')).code).toBe(2);
  });

  test('says in one sentence what is loaded, and where each of two copies continues', async () => {
    const { stdout } = await doctor(
      tempDir(),
      join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl'),
    );
    expect(stdout.match(/, resume loads/g)).toHaveLength(1);
    expect(stdout).toMatch(
      /^Put a copy there, which continues where resume does, with: noesis \S+ --fix \S+$/m,
    );
    expect(stdout).toMatch(/^Or one from the newest turn with: noesis doctor --fix \S+ --newest$/m);
  });

  test('counts the parts of the log, not the results that the program adds for open calls', async () => {
    const home = tempDir();
    const log = join(home, '.claude/projects/-work/5e550000-0000-4000-8000-00000000a002.jsonl');
    mkdirSync(dirname(log), { recursive: true });
    const record = (at: number, type: string, content: unknown) => ({
      ...{ parentUuid: at === 1 ? null : `u${at - 1}`, type, uuid: `u${at}`, cwd: home, version: '2.1.332' },
      ...{ sessionId: '5e550000-0000-4000-8000-00000000a002', timestamp: `2026-10-05T09:0${at}:00.000Z` },
      message: { role: type, id: `m${at}`, content },
    });
    const call = [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }];
    const records = [record(1, 'user', 'Count the birds'), record(2, 'assistant', call)];
    writeSettled(log, Buffer.from(records.map((one) => `${JSON.stringify(one)}\n`).join('')));
    const { loads, closed } = await report(home, log);
    expect(loads).toEqual({ parts: 2, of: 2, records: 2 });
    expect(closed).toHaveLength(1);
  });

  test('names a command that works if the newest turns are on another branch, and exits with 1', async () => {
    const home = tempDir();
    const id = '5e550000-0000-4000-8000-00000000a001';
    const log = join(home, '.claude/projects/-work', `${id}.jsonl`);
    mkdirSync(dirname(log), { recursive: true });
    const said = (at: number, parentUuid: string | null, type: 'user' | 'assistant', text: string) => ({
      ...{ parentUuid, type, uuid: `u${at}`, sessionId: id, cwd: home, version: '2.1.332' },
      timestamp: `2026-10-05T09:0${at}:00.000Z`,
      message:
        type === 'user'
          ? { role: 'user', content: text }
          : { role: 'assistant', id: `m${at}`, content: [{ type: 'text', text }] },
    });
    const records = [
      said(1, null, 'user', 'Count the birds'),
      said(2, 'u1', 'assistant', 'Two.'),
      { type: 'last-prompt', leafUuid: 'u2', sessionId: id },
      said(3, 'u1', 'user', 'Count them again'),
      said(4, 'u3', 'assistant', 'Three.'),
      said(5, 'u4', 'user', 'And now?'),
      said(6, 'u5', 'assistant', 'Four.'),
    ];
    writeSettled(log, Buffer.from(records.map((one) => `${JSON.stringify(one)}\n`).join('')));
    const { code, stdout } = await doctor(home, log);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^behind {2}Resume loads turn 1 of 3; the newest turns 2 to 3 are not loaded\./);
    expect(stdout).toContain('all, it loads 2 of 6 parts of the conversation.');
    expect(stdout).toContain('noesis doctor --fix 5e550000 --newest');
    expect((await doctor(home, '--all')).stdout).toMatch(
      /behind +2\/6 .* noesis doctor --fix 5e550000 --newest/,
    );
    expect((await report(home, log)).newest?.loads.parts).toBe(5);
    const fixed = await doctor(home, '5e550000', '--fix', '--newest');
    expect(fixed.code).toBe(0);
    // Before it, the parts of both branches are counted.
    expect(fixed.stdout).toContain('Repaired: 5 of 5 parts of the branch of the newest turns are loaded.');
    const copy = /^ +wrote +(.*)$/m.exec(fixed.stdout)?.[1]?.replace('~', home) ?? '';
    const after = await report(home, copy);
    expect([after.loads.parts, after.turns.newer]).toEqual([5, []]);
  });

  test('offers no repair that loads nothing', async () => {
    const home = tempDir();
    const log = join(home, '.qwen/projects/-gone/chats/64645f3c-c9e0-4cd8-9e63-83dc665a9ea6.jsonl');
    mkdirSync(dirname(log), { recursive: true });
    const record = {
      uuid: 'a',
      parentUuid: null,
      sessionId: '64645f3c-c9e0-4cd8-9e63-83dc665a9ea6',
      timestamp: '2026-10-05T09:00:00.000Z',
      type: 'user',
      cwd: join(home, 'gone'),
      version: '0.24.4',
      message: { role: 'user', parts: [{ text: 'Break the server' }] },
    };
    writeSettled(log, Buffer.from(`${JSON.stringify(record)}\n`));
    const { code, stdout } = await doctor(home, log);
    expect(code).toBe(1);
    expect(stdout).not.toContain('--fix');
    expect(stdout).not.toContain('--cwd');
    expect((await doctor(home, '--all')).stdout).not.toContain('--fix');
    const { stderr } = await doctor(home, log, '--fix', '--cwd', home);
    expect(stderr).toContain('no repair makes Qwen Code load more');
    expect(stderr).not.toContain('--cwd');
  });

  test('names the session of a subagent, with a command only if the session is there', async () => {
    const { home, log } = homeWith('claude', originalOf('claude').bytes);
    const id = 'ef958aa1-0e93-49f0-bb71-150f63befcd1';
    const agent = join(dirname(log), basename(log, '.jsonl'), 'subagents/agent-a1.jsonl');
    const alone = join(dirname(log), id, 'subagents/agent-a2.jsonl');
    for (const path of [agent, alone]) mkdirSync(dirname(path), { recursive: true });
    cpSync(log, agent);
    writeSettled(alone, Buffer.from(readFileSync(log, 'utf8').replaceAll(basename(log, '.jsonl'), id)));
    expect((await doctor(home, agent)).stdout).toContain(
      `Examine its session with: noesis doctor ${basename(log, '.jsonl')}`,
    );
    const { stdout } = await doctor(home, alone);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `This is the log of a subagent of the session ${id}. noesis does not find that session.`,
    );
    expect(stdout).not.toContain('Examine its session');
  });

  test('lists the sessions that need the user first', async () => {
    const { home, log } = homeWith('claude', originalOf('claude').bytes);
    const damaged = join(dirname(log), 'bbbbbbbb-0000-4000-8000-000000000009.jsonl');
    writeSettled(
      damaged,
      damagedOf('claude').find(({ name }) => name === 'torn-middle')?.bytes ?? Buffer.of(),
    );
    utimesSync(damaged, new Date(0), new Date(0));
    const { stdout } = await doctor(home, '--all');
    expect(
      [...stdout.matchAll(/^(lost|resumes|no folder|not opened|API refuses) /gm)]
        .map(([, verdict]) => verdict)
        .at(-1),
    ).toBe('resumes');
  });

  test('says how a copy of Gemini CLI in another folder is continued', async () => {
    const { home, log } = homeWith('gemini', 'torn-middle');
    const { stdout } = await doctor(home, log, '--fix', '-o', join(home, 'out'), '--force');
    expect(stdout).toMatch(/^Continue with: mkdir -p .*\/chats && cp .*\/out\/.* && .*gemini --resume d0c7/m);
  });

  test('names each repeated response that a repair of Gemini CLI leaves out, and whether it differs', async () => {
    const home = tempDir();
    const log = join(home, '.gemini/tmp/work/chats/session-2026-11-26T14-00-abcdef02.jsonl');
    mkdirSync(dirname(log), { recursive: true });
    const [sessionId, timestamp] = ['abcdef02-0000-4000-8000-000000000001', '2026-11-26T14:00:00.000Z'];
    const response = (id: string, output: string) => ({
      functionResponse: { id, name: 'read_file', response: { output } },
    });
    const call = (id: string) => ({
      id,
      name: 'read_file',
      args: {},
      result: [response(id, 'seven')],
      status: 'success',
      timestamp,
    });
    const records = [
      { sessionId, projectHash: 'x', startTime: timestamp, lastUpdated: timestamp, kind: 'main' },
      { id: 'p', timestamp, type: 'user', content: 'Count the birds' },
      { id: 'a', timestamp, type: 'gemini', content: 'I read.', toolCalls: [call('one'), call('two')] },
      { id: 'r', timestamp, type: 'user', content: [response('one', 'seven'), response('two', 'eight')] },
      { id: 'b', timestamp, type: 'gemini', content: 'Seven.' },
    ];
    writeSettled(log, Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join('')));
    for (const more of [[], ['--fix', '--force']]) {
      const words = (await doctor(home, log, ...more)).stdout.replace(/\s+/g, ' ');
      expect(words).toContain('Resume loads 9 of 9 parts');
      expect(words).toContain('7 of 7 parts are loaded. 2 parts of the 9 before the repair are left out.');
      expect(words).toContain(
        'a repeated response to the call one was left out: it is the same as the first one, so nothing is lost',
      );
      expect(words).toContain(
        'a repeated response to the call two was left out: the copy keeps the first one, which differs',
      );
    }
  });

  test('begins with what the next start destroys', async () => {
    const home = tempDir();
    const chats = join(home, '.gemini/tmp/work/chats');
    cpSync(join(DOCTOR_SAMPLES, 'gemini/orphan'), chats, { recursive: true });
    const { code, stdout } = await doctor(home, join(chats, 'session-2026-11-26T12-17-e91c7539.jsonl'));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^DANGER {2}the next start of gemini/);
    expect(stdout).toContain('function responses for');
  });

  test('names no command that starts a program which deletes the log, but the one that copies it away', async () => {
    const home = tempDir();
    const chats = join(home, '.gemini/tmp/work/chats');
    cpSync(join(DOCTOR_SAMPLES, 'gemini/orphan'), chats, { recursive: true });
    const [whole, empty] = ['17', '18'].map((time) =>
      join(chats, `session-2026-11-26T12-${time}-e91c7539.jsonl`),
    );
    for (const log of [whole ?? '', empty ?? '']) {
      const { stdout } = await doctor(home, log);
      expect(copyIn(stdout)).toMatch(
        new RegExp(`^cp ${log} ${join(home, basename(log, '.jsonl'))}-[0-9a-f]{8}\\.jsonl$`),
      );
      expect(stdout).not.toContain('gemini --resume');
    }
    expect((await doctor(home, '--all')).stdout).not.toContain('gemini --resume');
    const old = new Date(0);
    utimesSync(whole ?? '', old, old);
    const { stdout } = await doctor(home, whole ?? '', '--fix');
    expect(stdout).toMatch(/^The original, which stays:\nDANGER/);
    expect(stdout).toMatch(/^Copy it away first with: cp .*\n\n/m);
    // It is about what was written, which is not the log that the verdict is about.
    expect(stdout).toMatch(/\nRepaired: [\s\S]*\n {2}wrote .*\n[\s\S]*Continue with: gemini --resume d0c7/);
  });

  test('copies all that a start deletes before it names the command of another session of the folder', async () => {
    const home = tempDir();
    const chats = join(home, '.gemini/tmp/work/chats');
    cpSync(join(DOCTOR_SAMPLES, 'gemini/orphan'), chats, { recursive: true });
    const records = [
      {
        sessionId: 'abcdef01-0000-4000-8000-000000000001',
        projectHash: 'x',
        startTime: '2026-11-26T14:00:00.000Z',
      },
      { id: 'a', timestamp: '2026-11-26T14:00:01.000Z', type: 'user', content: 'Count the birds' },
      { id: 'b', timestamp: '2026-11-26T14:00:02.000Z', type: 'gemini', content: 'Two.', model: 'm' },
    ];
    const log = join(chats, 'session-2026-11-26T14-00-abcdef01.jsonl');
    writeFileSync(log, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    writeFileSync(join(home, '.gemini/projects.json'), JSON.stringify({ projects: { [home]: 'work' } }));
    const deleted = readdirSync(chats).filter((name) => name.includes('e91c7539'));
    expect((await report(home, log)).deletes.map((path: string) => basename(path))).toEqual(deleted);
    const go = `cd ${home} && gemini --resume abcdef01-0000-4000-8000-000000000001`;
    const world = { home, cwd: home, columns: 400, env: { NO_COLOR: '1' } };
    for (const words of [
      ['doctor', log],
      ['show', log],
      ['search', 'birds', log],
      ['doctor', '--all'],
      ['doctor', '--all', '-q'],
    ]) {
      const { stdout } = await runHere(words, world);
      if (words[0] !== 'doctor')
        expect(stdout).toContain('this log is safe, but any start of its program deletes');
      const copy = /mkdir -p (\S+) && cp .*/.exec(stdout);
      const to = copy?.[1] ?? '';
      rmSync(to, { recursive: true, force: true });
      execFileSync('sh', ['-c', copy?.[0] ?? 'false']);
      expect(readdirSync(to)).toEqual(deleted);
      expect(stdout.includes(go)).toBe(words[1] !== '--all');
      if (words[1] !== '--all') expect(stdout.indexOf(to)).toBeLessThan(stdout.indexOf(go));
    }
    expect(JSON.parse((await runHere(['show', log, '-j'], world)).stdout).resume_deletes).toHaveLength(2);
  });

  test('says that a command works only in a folder which the log does not name', async () => {
    const home = tempDir();
    const log = join(home, '.gemini/tmp/work/chats/session-2026-11-26T14-00-abcdef01.jsonl');
    mkdirSync(dirname(log), { recursive: true });
    const [session, projectHash] = ['abcdef01-0000-4000-8000-000000000001', 'x'];
    const records = [
      { sessionId: session, projectHash, startTime: '2026-11-26T14:00:00.000Z' },
      { id: 'a', timestamp: '2026-11-26T14:00:01.000Z', type: 'user', content: 'Count the birds' },
    ];
    writeFileSync(log, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    for (const words of [
      ['doctor', log],
      ['show', log],
      ['search', 'birds', log],
    ]) {
      const { stdout } = await runHere(words, { home, cwd: home, columns: 400, env: { NO_COLOR: '1' } });
      expect(stdout).toMatch(/gemini --resume abcdef01\S+\n *\(?in the folder of its project/);
    }
  });

  test('says from where a session continues if a record names that place', async () => {
    const home = tempDir();
    const log = join(home, '.claude/projects/-x/5e550000-0000-4000-8000-00000000a001.jsonl');
    const shared = { sessionId: basename(log, '.jsonl'), version: '2.1.332', cwd: home, isSidechain: false };
    const said = (number: number, parent: number | null) => ({
      ...shared,
      type: 'user',
      uuid: `u${number}`,
      parentUuid: parent === null ? null : `u${parent}`,
      timestamp: `2026-09-01T09:0${number}:00.000Z`,
      message: { role: 'user', content: `turn ${number}` },
    });
    const records = [said(1, null), said(2, 1), { type: 'last-prompt', leafUuid: 'u2' }, said(3, 1)];
    mkdirSync(dirname(log), { recursive: true });
    writeSettled(log, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    expect((await report(home, log)).leaf).toEqual({ line: 2, named_by: 3 });
    expect((await doctor(home, log)).stdout).toContain(
      '  line 2   resume continues from here: the last-prompt record on line 3 says so\n',
    );
  });

  test('copies two logs of one name to two files, because both commands are printed before one of them runs', async () => {
    const home = tempDir();
    const places = ['work', 'other'].map((project) => join(home, '.gemini/tmp', project, 'chats'));
    const commands = [];
    for (const [index, chats] of places.entries()) {
      cpSync(join(DOCTOR_SAMPLES, 'gemini/orphan'), chats, { recursive: true });
      const log = join(chats, 'session-2026-11-26T12-17-e91c7539.jsonl');
      if (index > 0) appendFileSync(log, '{"$set":{"lastUpdated":"2026-11-26T13:00:00.000Z"}}\n');
      commands.push(copyIn((await doctor(home, log)).stdout));
    }
    const [first, second] = commands.map((command) => command.split(' ').at(-1));
    expect(basename(first ?? '')).toMatch(/^session-.*\.jsonl$/);
    expect(first).not.toBe(second);
  });

  test('names no command that continues a session of which the API refuses the request', async () => {
    const home = tempDir();
    const log = join(home, expectedOf('gemini').session);
    mkdirSync(dirname(log), { recursive: true });
    cpSync(join(DOCTOR_SAMPLES, 'gemini/orphan/session-2026-11-26T12-17-e91c7539.jsonl'), log);
    const { stdout } = await doctor(home, log);
    expect(stdout).toMatch(/^API refuses/);
    expect(stdout).not.toContain('gemini --resume');
  });

  test('writes no file that list names as not read, also in place', async () => {
    for (const [program, more] of [
      ['claude', []],
      ['claude', ['--in-place']],
      ['gemini', []],
    ] as const) {
      const { home, log } = homeWith(program, 'torn-middle');
      const { written } = await report(home, log, '--fix', ...more);
      expect(written?.rejected).not.toBeNull();
      const listed = async () => (await runHere(['list'], { home, cwd: home })).stderr;
      expect(await listed()).not.toContain('not read');
      // Another file could hide a log under such a name.
      for (const path of [written?.rejected, written?.backup].filter((one) => typeof one === 'string')) {
        writeFileSync(path, '{}\n');
        expect((await listed()).replace(/\s/g, '')).toContain(basename(path));
      }
    }
  });

  test('warns that Qwen Code glues behind a torn last line', async () => {
    const { home, log } = homeWith('qwen', 'torn-tail');
    expect((await doctor(home, log)).stdout).toMatch(/^DANGER {2}the next resume writes/);
  });

  test('finds the sessions of a folder, and lists all with --all', async () => {
    const { home } = homeWith('claude', 'torn-middle');
    const { log } = homeWith('codex', 'torn-tail');
    const below = join(home, expectedOf('codex').session);
    mkdirSync(dirname(below), { recursive: true });
    cpSync(log, below);
    const here = await runHere(['doctor'], { home, cwd: home });
    expect(here.stderr).toMatch(/no session of this folder: \S+, the newest that doctor can examine/);
    const before = contents(home);
    const fixed = await runHere(['doctor', '--fix'], { home, cwd: home });
    expect(fixed.code).toBe(2);
    expect(fixed.stderr).toContain('--fix needs a target, because there is no session of this folder');
    expect(contents(home)).toEqual(before);
    const { stdout, code } = await doctor(home, '--all');
    expect(code).toBe(1);
    expect(stdout.trimEnd().split('\n')).toHaveLength(4);
    expect(stdout).toMatch(/^VERDICT +LOADS +DIALECT +ID +PROJECT +CONTINUE OR REPAIR +WHY$/m);
    expect(stdout).toMatch(
      /^lost +19\/38 {2}claude-code {2}aaaaaaaa +\w+ +noesis doctor --fix aaaaaaaa +line 43: .*; line 49: /m,
    );
    expect(stdout).toMatch(/^lost +30\/31 {2}codex +\S+ +\w+ +codex resume \S+ +line /m);
    expect(stdout).toMatch(/^2 sessions: 2 lost; 2 logs are damaged; 1 can be repaired$/m);
    // Each reason is whole: in a terminal below its session, if the line would be too long.
    for (const columns of [60, 80]) {
      const shown = (await runHere(['doctor', '--all'], { home, cwd: home, columns, env: { NO_COLOR: '1' } }))
        .stdout;
      expect(Math.max(...shown.split('\n').map(displayWidth))).toBeLessThanOrEqual(columns);
      const words = (text: string) =>
        text
          .replaceAll(';', '')
          .split(/\s+/)
          .filter((word) => !/[/…]/.test(word));
      const reasons = stdout.split('\n').flatMap((line) => / {2}line \d.*/.exec(line) ?? []);
      expect(reasons).toHaveLength(2);
      expect(words(shown)).toEqual(
        expect.arrayContaining(words(`noesis doctor --fix aaaaaaaa ${reasons.join(' ')}`)),
      );
      expect(shown).toContain('\n  codex resume ');
    }
  });

  test('with --all has a line for each verdict, and explain knows its words', async () => {
    const home = tempDir();
    for (const [program, bytes] of [
      ['claude', originalOf('claude').bytes],
      ['pi', originalOf('pi').bytes],
      ['qwen', damagedOf('qwen').find(({ name }) => name === 'torn-tail')?.bytes ?? Buffer.of()],
    ] as const) {
      const log = join(home, expectedOf(program).session);
      mkdirSync(dirname(log), { recursive: true });
      writeSettled(log, bytes);
    }
    const { stdout } = await doctor(home, '--all');
    expect(stdout).toMatch(/^resumes +38\/38 .*claude --resume aaaaaaaa/m);
    expect(stdout).toMatch(/^no folder .*Stored session working directory does not exist/m);
    expect(stdout).toMatch(/^danger .*the next resume writes/m);
    expect(stdout).toMatch(
      /^3 sessions: 1 resumes, 1 without its folder, 1 danger; 1 log is damaged; 2 can be repaired for a folder that exists, with --cwd DIR$/m,
    );
    const refused = (await doctor(home, join(home, expectedOf('pi').session))).stdout;
    expect(refused).toContain('This repair needs a folder that exists: add --cwd DIR.');
    expect(refused).not.toContain('No repair loads more');
    for (const word of [
      'resumes',
      'lost',
      'no folder',
      'not opened',
      'API refuses',
      'danger',
      'verdict',
      'loads',
    ])
      expect((await runHere(['explain', word])).stdout).toContain('doctor');
  });

  test('a command for a session that doctor does not examine says so', async () => {
    const home = tempDir();
    const chats = join(home, '.gemini/tmp/work/chats');
    const log = join(chats, 'session-2026-01-01T00-00-abcdef01.json');
    cpSync(join(DOCTOR_SAMPLES, 'gemini/orphan'), chats, { recursive: true });
    const document = {
      sessionId: 'abcdef01-0000-4000-8000-000000000001',
      projectHash: 'x',
      startTime: '2026-01-01T00:00:00.000Z',
      lastUpdated: '2026-01-01T00:00:02.000Z',
      messages: [
        { id: 'a', timestamp: '2026-01-01T00:00:01.000Z', type: 'user', content: 'Count the birds' },
      ],
    };
    writeFileSync(log, JSON.stringify(document));
    const world = { home, cwd: home, columns: 400, env: { NO_COLOR: '1' } };
    for (const words of [
      ['show', log],
      ['search', 'birds', log],
    ])
      expect((await runHere(words, world)).stdout).toMatch(
        /cp .*e91c7539[\s\S]*gemini --resume abcdef01\S+\n +not checked: doctor examines only/,
      );
    const { stdout } = await runHere(['show', log, '-j'], world);
    expect(JSON.parse(stdout).resume_unchecked).toContain('JSON Lines');
  });

  test('counts no log of a subagent as a session', async () => {
    const { home } = homeWith('claude', 'torn-middle');
    const project = join(home, '.claude/projects/-x/11111111-1111-4111-8111-111111111111/subagents');
    mkdirSync(project, { recursive: true });
    const record = {
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      isSidechain: true,
      agentId: 'a1b2c3',
      sessionId: '11111111-1111-4111-8111-111111111111',
      version: '2.1.332',
      cwd: home,
      timestamp: '2026-09-01T09:00:00.000Z',
      message: { role: 'user', content: 'Count the birds' },
    };
    writeSettled(join(project, 'agent-a1b2c3.jsonl'), `${JSON.stringify(record)}\n`);
    const { stdout, stderr } = await doctor(home, '--all');
    expect(stdout).toContain('1 session: 1 lost');
    expect(stderr).toContain('not examined: 1 log that is part of another session');
  });

  test('a repaired copy comes after its original, and counts only after somebody has continued it', async () => {
    const { home, log } = homeWith('claude', 'torn-middle');
    const { written } = await report(home, log, '--fix');
    const world = { home, cwd: home, columns: 80, env: { NO_COLOR: '1' } };
    const listed = (await runHere(['list', '-j'], world)).stdout;
    expect(JSON.parse(listed).map((run: { episode: string }) => run.episode.slice(0, 4))).toEqual([
      'aaaa',
      'd0c7',
    ]);
    expect((await runHere(['show', 'latest'], world)).stdout).toMatch(/^Run +aaaaaaaa/);
    const stats = async () => {
      const { stdout, stderr } = await runHere(['stats', '--partial', '-j'], world);
      return [JSON.parse(stdout).episodes, stderr.includes('left out 1 repaired copy')];
    };
    expect(await stats()).toEqual([1, true]);
    const [record = ''] = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-1);
    appendFileSync(written?.log ?? '', `${record}\n`);
    expect(await stats()).toEqual([2, false]);
  });

  test('a session that was repaired before is not offered for a repair again', async () => {
    const { home, log } = homeWith('claude', 'torn-middle');
    expect((await doctor(home, '--all')).stdout).toMatch(
      /^1 session: 1 lost; 1 log is damaged; 1 can be repaired$/m,
    );
    await report(home, log, '--fix');
    const { stdout } = await doctor(home, '--all');
    expect(stdout).toContain('repaired as d0c7');
    expect(stdout).not.toContain('noesis doctor --fix');
    expect(stdout).toMatch(/^2 sessions: 2 lost; 1 was repaired before$/m);
  });

  test('examines no document of an older Gemini CLI, which is not in lines', async () => {
    const { home } = homeWith('claude', 'torn-middle');
    const log = join(home, '.gemini/tmp/work/chats/session-2026-01-01T00-00-abcdef01.json');
    cpSync(join(SAMPLES, 'gemini/document-failed-tools-0.21.3.json'), log, { recursive: true });
    const all = await doctor(home, '--all');
    expect(all.stdout).not.toContain('danger');
    expect(all.stderr).toContain('not examined: 1 session as a JSON document');
    for (const more of [[], ['--fix']]) {
      const { code, stderr } = await doctor(home, log, ...more);
      expect(code).toBe(2);
      expect(stderr.replace(/\s+/g, ' ')).toMatch(
        /is one JSON document, as an older version .* run noesis verify /,
      );
    }
  });

  test('copies no session that its program does not open', async () => {
    const head = originalOf('gemini').bytes.toString('utf8').split('\n').slice(0, 1).join('\n');
    const { home, log } = homeWith('gemini', Buffer.from(`${head}\n`));
    const before = contents(home);
    const { code, stderr } = await doctor(home, '--fix', log);
    expect(code).toBe(2);
    expect(stderr).toContain('no repair makes Gemini CLI load more');
    expect(contents(home)).toEqual(before);
  });

  test('says of sessions that it does not examine whether they are in a database or in many files', async () => {
    const { home } = homeWith('claude', 'torn-middle');
    const folder = join(home, '.local/share/opencode');
    cpSync(join(SAMPLES, 'opencode/db-1.18.33'), folder, { recursive: true });
    cpSync(join(SAMPLES, 'opencode/tree-1.1.65'), folder, { recursive: true });
    const { stderr } = await doctor(home, '--all');
    expect(stderr).toMatch(/\d+ sessions? in a database/);
    expect(stderr).toMatch(/\d+ sessions? in many files/);
  });

  test('names the sessions in a database, which it does not examine', async () => {
    const { home } = homeWith('claude', 'torn-middle');
    const folder = join(home, '.local/share/opencode');
    cpSync(join(SAMPLES, 'opencode/db-1.18.33'), folder, { recursive: true });
    const all = await doctor(home, '--all');
    expect(all.code).toBe(1);
    expect(all.stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(all.stderr).toMatch(/^not examined: \d+ sessions in a database$/m);
    expect((await runHere(['doctor'], { home, cwd: home })).stdout).toContain('Claude Code');
    const list = await runHere(['list', '-q', '--dialect', 'opencode'], { home, cwd: home });
    const [, id = ''] = /(ses_\w+)$/m.exec(list.stdout) ?? [];
    for (const target of [id, join(folder, 'opencode.db')]) {
      const { code, stderr } = await doctor(home, target);
      expect(code).toBe(2);
      expect(stderr.replace(/\s+/g, ' ')).toMatch(
        /doctor examines sessions in JSON Lines, and ses_\w+ is in a database help: run noesis verify /,
      );
      expect(stderr.replace(/\s+/g, ' ')).toContain(`noesis verify ${target} to check what is stored`);
      expect((await runHere(['verify', target], { home, cwd: home })).code).toBe(0);
    }
  });

  test('says that a newer version wrote the session', async () => {
    const text = originalOf('claude')
      .bytes.toString('utf8')
      .replaceAll('"version":"2.1.332"', '"version":"2.2.0"');
    const { home, log } = homeWith('claude', Buffer.from(text));
    expect(await report(home, log)).toMatchObject({ is_newer: true, version: '2.2.0', rules: '2.1.332' });
    expect((await doctor(home, log)).stdout).toContain('The rules of 2.2.0 are not known');
  });

  test('uses the rules of another version on request', async () => {
    const { home, log } = homeWith('claude', 'joined');
    expect((await report(home, log)).loads.parts).toBe(38);
    const old = await report(home, log, '--program-version', '2.1.29');
    expect(old.rules).toBe('2.1.29');
    expect(old.loads.parts).toBeLessThan(38);
  });

  test('refuses a log that no program continues', async () => {
    const log = join(tempDir(), 'events.jsonl');
    writeSettled(log, '{"type":"a","id":1}\n{"type":"a","id":2}\n');
    const { code, stderr } = await doctor(tempDir(), log);
    expect(code).toBe(2);
    expect(stderr).toContain('doctor does not know how');
  });
});

describe('--fix', () => {
  test.each([
    ['claude', 'torn-middle', 36, 'claude --resume d0c7'],
    ['codex', 'lost-first-line', 31, 'codex resume d0c7'],
    ['copilot', 'lost-first-line', 26, 'copilot --resume=d0c7'],
    ['pi', 'lost-answer', 25, 'pi --session d0c7'],
    ['gemini', 'torn-middle', 26, 'gemini --resume d0c7'],
    ['qwen', 'u2028', 31, 'qwen --resume d0c7'],
  ] as const)('of a session of %s writes a copy that loads more', async (program, name, parts, resume) => {
    const { home, log } = homeWith(program, name);
    const before = contents(home);
    const fixed = await report(home, log, '--fix', ...placeFor(program, home));
    expect(fixed.written?.resume).toContain(resume);
    expect(fixed.after?.loads.parts).toBe(parts);
    for (const [path, hash] of Object.entries(before)) expect(hashOf(join(home, path))).toBe(hash);
    const copy = fixed.written?.log ?? '';
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const found = await report(home, copy);
    expect([found.loads.parts, found.refused]).toEqual([parts, []]);
    expect(found.found).toMatchObject({ is_found: true, reason: null });
    // The account says what was changed, and of which log.
    const account = repairedCopySchema.parse(JSON.parse(readFileSync(fixed.written?.doctor ?? '', 'utf8')));
    expect(account.source.sha256).toBe(hashOf(log));
    expect(account.copy.sha256).toBe(hashOf(copy));
    expect(account.acts.length).toBeGreaterThan(0);
    const verified = await runHere(['verify', copy, '-j']);
    expect(verified.stdout).toContain('session/repaired-copy');
    // A second repair of the log writes nothing over the first, and names the copy and how to continue it.
    const again = await doctor(home, log, '--fix', ...placeFor(program, home));
    expect(again.code).toBe(2);
    expect(again.stderr).toContain(`the copy already exists: ${copy}\n`);
    const command = fixed.written?.resume ?? undefined;
    const last = again.stderr.trimEnd().split('\n').at(-1);
    if (command !== undefined) expect(last).toBe(`  ${command}`);
    const json = await doctor(home, log, '--fix', '-j', ...placeFor(program, home));
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { file: copy } });
    expect((JSON.parse(json.stderr) as { error: { command?: string } }).error.command).toBe(command);
  });

  test('says in which folder the copy is continued if that of the session does not exist', async () => {
    const { home, log } = homeWith('codex', 'joined');
    const to = tempDir();
    const places: readonly (readonly string[])[] = [[], ['-o', to]];
    for (const place of places) {
      const { stdout } = await doctor(home, log, '--fix', ...place);
      expect(stdout.replace(/\s+/g, ' ')).toMatch(
        /Continue with: .*codex resume d0c7\S+ \(in any folder, because the session's own does not exist: \/home\/usr\/work\)/,
      );
    }
    const moved = homeWith('codex', 'joined');
    const there = await report(moved.home, moved.log, '--fix', '--cwd', to);
    expect(there.written).toMatchObject({ missing_folder: null, is_folder_unknown: false });
  });

  test('keeps rejected bytes with their places', async () => {
    const { home, log } = homeWith('claude', 'torn-middle');
    const { written } = await report(home, log, '--fix');
    const account = repairedCopySchema.parse(JSON.parse(readFileSync(written?.doctor ?? '', 'utf8')));
    const rejected = readFileSync(written?.rejected ?? '');
    const original = readFileSync(log);
    expect(account.rejected).toHaveLength(1);
    for (const one of account.rejected)
      expect(rejected.subarray(one.rejected_start, one.rejected_end)).toEqual(
        original.subarray(one.byte_start, one.byte_end),
      );
  });

  test('loads an old session of pi, in which each entry follows the one before it', async () => {
    const home = tempDir();
    const log = join(home, '.pi/agent/sessions/--x--/2026-11-23T09-39-53-799Z_old.jsonl');
    mkdirSync(dirname(log), { recursive: true });
    const said = (role: string, text: string) => ({
      type: 'message',
      timestamp: '2026-11-23T09:39:54.000Z',
      message: { role, content: [{ type: 'text', text }] },
    });
    const compaction = (firstKeptEntryIndex: number) => ({
      type: 'compaction',
      timestamp: '2026-11-23T09:39:55.000Z',
      summary: 'They counted birds.',
      firstKeptEntryIndex,
    });
    const header = { type: 'session', id: 'old', timestamp: '2026-11-23T09:39:53.799Z', cwd: home };
    const turns = [said('user', 'Count the birds'), said('assistant', 'Two.')];
    const partsOf = async (...records: readonly object[]) => {
      const lines = [header, ...turns, ...records].map((record) => `${JSON.stringify(record)}\n`);
      writeSettled(log, lines.join(''));
      const { found, loads, branches, cuts } = await report(home, log);
      return [found.is_found, loads.parts, loads.of, branches.length, cuts.length];
    };
    expect(await partsOf()).toEqual([true, 2, 2, 0, 0]);
    expect(await partsOf(compaction(2), said('user', 'And now?'))).toEqual([true, 3, 3, 0, 0]);
    // The header is no entry, so nothing is kept.
    expect(await partsOf(compaction(0), said('user', 'And now?'))).toEqual([true, 2, 2, 0, 0]);
  });

  test('counts what is in a log of an old version of Codex, and says that Codex no longer reads it', async () => {
    const home = tempDir();
    const log = join(
      home,
      '.codex/sessions/2025/09/22/rollout-2025-09-22T08-35-43-fbe58d05-fd2d-4d4c-8f52-8989e25ba5e1.jsonl',
    );
    mkdirSync(dirname(log), { recursive: true });
    const item = (role: string, type: string, text: string) => ({
      type: 'message',
      role,
      content: [{ type, text }],
    });
    const records = [
      {
        id: 'fbe58d05-fd2d-4d4c-8f52-8989e25ba5e1',
        timestamp: '2025-09-22T08:35:43.804Z',
        instructions: null,
      },
      { record_type: 'state' },
      item('user', 'input_text', 'Count the birds'),
      item('assistant', 'output_text', 'Two.'),
    ];
    writeSettled(log, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const { code, stdout } = await doctor(home, log);
    expect(code).toBe(1);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /an old version wrote it, in a form that Codex no longer reads None of its 2 parts is loaded\./,
    );
    const { loads, session } = await report(home, log);
    expect([loads.parts, loads.of, session]).toEqual([0, 2, 'fbe58d05-fd2d-4d4c-8f52-8989e25ba5e1']);
  });

  test.each(['claude', 'codex', 'copilot', 'pi', 'qwen'] as const)(
    '--cwd makes the copy of a session of %s one of another folder',
    async (program) => {
      const { home, log } = homeWith(program, originalOf(program).bytes);
      const other = join(home, 'other folder');
      mkdirSync(other);
      const shown = await doctor(home, log, '--cwd', other);
      expect(shown.stdout).toMatch(new RegExp(`: noesis doctor --fix \\S+ --cwd '${other}'\n`));
      const { written } = await report(home, log, '--fix', '--cwd', other);
      expect(written?.resume).toMatch(new RegExp(`^cd '${other}' && `));
      const copy = await report(home, written?.log ?? '');
      expect(copy).toMatchObject({ cwd: other, found: { is_found: true } });
      expect(copy.loads.parts).toBe(copy.loads.of);
      if (program === 'claude')
        expect(basename(dirname(written?.log ?? ''))).toBe(other.replace(/[^A-Za-z0-9]/g, '-'));
    },
  );

  test('refuses --cwd with a folder that does not exist', async () => {
    const { home, log } = homeWith('claude', 'torn-middle');
    const before = contents(home);
    const { code, stderr } = await doctor(home, log, '--fix', '--cwd', '/no/folder');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--cwd: /no/folder is not a folder')]);
    expect(contents(home)).toEqual(before);
  });

  test('--cwd says if doctor does not move the sessions of a program', async () => {
    const { home, log } = homeWith('gemini', originalOf('gemini').bytes);
    expect((await doctor(home, log, '--cwd', home)).stderr).toContain('--cwd has no effect');
  });

  test('a repair of a session that keeps its folder waits for it, also with --cwd', async () => {
    const home = tempDir();
    const [gone, other] = [join(home, 'gone'), join(home, 'other')];
    mkdirSync(other);
    const [sessionId, timestamp] = ['abcdef03-0000-4000-8000-000000000001', '2026-11-26T14:00:00.000Z'];
    const response = { functionResponse: { id: 'one', name: 'read_file', response: { output: 'seven' } } };
    const call = { id: 'one', name: 'read_file', args: {}, result: [response], status: 'success', timestamp };
    const projectHash = createHash('sha256').update(gone).digest('hex');
    const records = [
      { sessionId, projectHash, startTime: timestamp, lastUpdated: timestamp, kind: 'main' },
      { id: 'p', timestamp, type: 'user', content: 'Count the birds' },
      { id: 'a', timestamp, type: 'gemini', content: 'I read.', toolCalls: [call] },
      { id: 'r', timestamp, type: 'user', content: [response] },
      { id: 'b', timestamp, type: 'gemini', content: 'Seven.' },
    ];
    const project = join(home, '.gemini/tmp/gone');
    const log = join(project, 'chats/session-2026-11-26T14-00-abcdef03.jsonl');
    mkdirSync(dirname(log), { recursive: true });
    writeFileSync(join(project, '.project_root'), gone);
    writeSettled(log, Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join('')));
    const before = contents(home);
    for (const more of [[], ['--cwd', other]]) {
      const { code, stderr } = await doctor(home, log, '--fix', ...more);
      expect([code, stderr]).toEqual([2, expect.stringContaining('nothing was written; create that folder')]);
      expect(await report(home, log, ...more)).toMatchObject({ needs_folder: true, can_move: false });
    }
    expect(contents(home)).toEqual(before);
    const all = (await doctor(home, '--all')).stdout.replace(/\s+/g, ' ');
    expect(all).toMatch(
      /no folder .* does not exist: \S+gone; the API refuses the request: 2 function responses for 1 call; can be repaired when that folder exists/,
    );
    mkdirSync(gone);
    expect((await report(home, log, '--fix')).written?.resume).toMatch(/^cd \S+gone && gemini --resume d0c7/);
  });

  test('names --cwd DIR in the command of a repair if the folder of the session is gone', async () => {
    const { home, log } = homeWith('qwen', 'torn-middle');
    for (const words of [[log], ['--all']])
      expect((await doctor(home, ...words)).stdout).toMatch(/noesis doctor --fix aaaaaaaa --cwd DIR/);
  });

  test('says how much of a session is loaded in a folder that exists, as show does', async () => {
    for (const program of ['pi', 'qwen'] as const) {
      const { home, log } = homeWith(program, 'lost-answer');
      const { loads } = await report(home, log);
      expect(loads.parts).toBeGreaterThan(0);
      const world = { home, cwd: home, columns: 400, env: { NO_COLOR: '1' } };
      expect((await runHere(['show', log, '--full'], world)).stdout).toContain(
        `loads ${loads.parts} of ${loads.of} parts`,
      );
      const all = (await doctor(home, '--all')).stdout;
      expect(all).toMatch(
        new RegExp(`^(?:no folder|API refuses|not opened) +${loads.parts}/${loads.of} `, 'm'),
      );
    }
  });

  test('prints the paths of what it wrote each on one line', async () => {
    const { home, log } = homeWith('codex', 'lost-first-line');
    const { stdout } = await doctor(home, log, '--fix');
    expect(stdout).toMatch(/^ {2}wrote {4}\S+rollout-\S+\.jsonl\n/m);
    expect(stdout).toMatch(/^ {2}account {2}\S+\.doctor\.json\n/m);
  });

  test.each([...NEED_A_FOLDER])(
    'a session of %s whose folder is gone is repaired only for a folder that exists',
    async (program) => {
      for (const name of ['torn-middle', 'torn-glued', 'lost-answer']) {
        const { home, log } = homeWith(program, name);
        const before = contents(home);
        for (const more of [[], ['-o', join(home, 'copy')], ['--in-place']]) {
          const refused = await doctor(home, log, '--fix', ...more);
          expect(refused.code).toBe(2);
          expect(refused.stderr).toContain('the folder of the session does not exist: ');
          expect(refused.stderr).toContain('add --cwd DIR to repair the session for another one');
        }
        expect(contents(home)).toEqual(before);
      }
    },
  );

  test.each([...NEED_A_FOLDER])(
    'a session of %s has one diagnosis and one plan, with a folder that exists and without',
    async (program) => {
      for (const { name, bytes } of damagedOf(program)) {
        const { home, log } = homeWith(program, bytes);
        const [without, having] = [await report(home, log), await report(home, log, '--cwd', home)];
        const isPlanned = having.repairs.some(({ rule }) => rule === 'moved' || rule === 'head');
        expect([name, without.can_move]).toEqual([name, isPlanned]);
        if (isPlanned) expect(without.needs_folder).toBe(true);
        const repairs = having.repairs.map((one) => ({ ...one, message: one.message.replace(home, 'DIR') }));
        expect({ ...without, needs_folder: false, can_move: false }).toEqual({ ...having, repairs });
      }
    },
  );

  test('a copy that doctor made is offered no repair, and is continued by the command of the repair', async () => {
    for (const [program, name] of [
      ['claude', 'torn-middle'],
      ['codex', 'lost-first-line'],
      ['copilot', 'lost-first-line'],
      ['pi', 'lost-answer'],
      ['gemini', 'torn-middle'],
      ['qwen', 'u2028'],
    ] as const) {
      const { home, log } = homeWith(program, name);
      const to = join(home, 'fixed');
      const { written } = await report(home, log, '--fix', '-o', to, ...placeFor(program, home));
      const copy = written?.log ?? '';
      const again = await report(home, copy);
      expect(again).toMatchObject({ after: null, newest: null, can_move: false });
      expect(again.copy_of).toBe(basename(log));
      const { stdout } = await doctor(home, copy);
      expect(stdout).not.toContain('--fix');
      if (written?.resume) expect(stdout).toContain(`Continue with: ${written.resume}\n`);
      expect((await doctor(home, to, '--all')).stdout).not.toContain('can be repaired');
      const refused = await doctor(home, copy, '--fix');
      // pi opens a log by its path, so that nothing is wrong with its copy there.
      if (program === 'pi') expect([refused.code, refused.stderr]).toEqual([0, '']);
      else expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('it needs no repair')]);
      // A copy that was continued is a session like any other.
      writeSettled(copy, Buffer.concat([readFileSync(copy), Buffer.from('{"torn')]));
      expect((await report(home, copy)).copy_of).toBeNull();
    }
  });

  test('a missing parent is named so that no other record is meant, as verify names it', async () => {
    const shop = '5e550000-0000-4000-8000-00000000a001.jsonl';
    const home = tempDir();
    const lines = readFileSync(join(SAMPLES, 'claude-code/projects/-home-usr-shop', shop), 'utf8').split(
      '\n',
    );
    const log = join(home, '.claude/projects/-home-usr-shop', shop);
    mkdirSync(dirname(log), { recursive: true });
    writeSettled(log, lines.toSpliced(11, 1).join('\n'));
    const missing = '5e550000-0000-4000-8000-000000000005';
    expect((await report(home, log)).cuts).toMatchObject([
      { line: 12, message: `its parent ${missing} is not in the log` },
    ]);
    const { stdout } = await runHere(['verify', log], { home });
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `warn[lineage/missing-parent]: the parent of the record, ${missing}, is not in this log`,
    );
  });

  test('the counts of --all are those of the commands in its rows', async () => {
    const home = tempDir();
    for (const [program, name] of [
      ['claude', 'torn-middle'],
      ['codex', 'torn-middle'],
      ['pi', 'joined'],
      ['qwen', 'torn-middle'],
    ] as const) {
      const log = join(home, expectedOf(program).session);
      mkdirSync(dirname(log), { recursive: true });
      writeSettled(log, damagedOf(program).find((one) => one.name === name)?.bytes ?? Buffer.of());
    }
    const shop = 'projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl';
    const newest = join(home, '.claude', shop);
    mkdirSync(dirname(newest), { recursive: true });
    writeSettled(newest, readFileSync(join(SAMPLES, 'claude-code', shop)));
    const { stdout } = await doctor(home, '--all');
    const rows = stdout.split('\n').filter((row) => row.includes('noesis doctor --fix '));
    const having = (option: string) => rows.filter((row) => row.includes(option)).length;
    expect([rows.length, having(' --cwd DIR'), having(' --newest')]).toEqual([4, 2, 1]);
    expect(stdout).toContain(
      '; 1 can be repaired; 2 can be repaired for a folder that exists, with --cwd DIR; 1 can continue from the newest turn, with --newest\n',
    );
    const narrow = await runHere(['doctor', '--all'], { home, columns: 80, env: { NO_COLOR: '1' } });
    const sum = /^\d+ sessions: [\s\S]*?--newest$/m.exec(narrow.stdout)?.[0] ?? '';
    expect(sum.split('\n').length).toBeGreaterThan(1);
    for (const line of sum.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('-o writes nothing into the folder of the program', async () => {
    const { home, log } = homeWith('copilot', 'lost-first-line');
    const before = contents(home);
    const to = join(tempDir(), 'copy');
    const fixed = await report(home, log, '--fix', '-o', to);
    expect(contents(home)).toEqual(before);
    expect(fixed.written?.log.startsWith(to)).toBe(true);
    expect(readFileSync(join(dirname(fixed.written?.log ?? ''), 'workspace.yaml'), 'utf8')).toContain(
      fixed.written?.session,
    );
  });

  test('--in-place keeps the original under another name first', async () => {
    const { home, log } = homeWith('pi', 'torn-middle');
    const sha256 = hashOf(log);
    const fixed = await report(home, log, '--fix', '--in-place', '--cwd', home);
    expect(fixed.written).toMatchObject({ log, backup: `${log}.before-doctor-${sha256}` });
    expect(hashOf(`${log}.before-doctor-${sha256}`)).toBe(sha256);
    expect(await report(home, log)).toMatchObject({ loads: { parts: 25 } });
  });

  test.each(['--help', '-x', '-'])('prints no command with the id %j in the name of a log', async (id) => {
    const { home, log } = homeWith('pi', 'lost-first-line');
    const renamed = join(dirname(log), `2026-11-26T12-10-12-736Z_${id}.jsonl`);
    renameSync(log, renamed);
    const fixed = await report(home, renamed, '--fix', '--in-place', '--cwd', home);
    const { resume, doctor: account = '' } = fixed.written ?? {};
    expect(resume).toBeNull();
    expect(JSON.parse(readFileSync(account, 'utf8'))).toMatchObject({ resume: null });
    expect((await doctor(home, renamed)).stdout).not.toContain('pi --session');
  });

  test('refuses a log that a program has open, or wrote just now, unless forced', async () => {
    const { home, log } = homeWith('claude', 'torn-middle');
    utimesSync(log, new Date(), new Date());
    const { code, stderr } = await doctor(home, log, '--fix');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /Claude Code may be running: (the log was written \d+ s ago|process \d+ has the log open)/,
    );
    expect(readdirSync(dirname(log))).toEqual([basename(log)]);
    expect((await report(home, log, '--fix', '--force')).written).not.toBeNull();
  });

  test('never changes a log whose contents something states, but copies it', async () => {
    const { home, log } = homeWith('claude', 'torn-middle');
    writeFileSync(join(dirname(log), 'attestation.json'), JSON.stringify({ sha256: hashOf(log) }));
    const { code, stderr } = await doctor(home, log, '--fix', '--in-place');
    expect([code, stderr.includes('states the contents of this log')]).toEqual([2, true]);
    expect((await report(home, log, '--fix')).written).not.toBeNull();
  });

  test('writes nothing if nothing more can be loaded', async () => {
    const { home, log } = homeWith('codex', 'torn-tail');
    const { code, stderr } = await doctor(home, log, '--fix');
    expect([code, stderr.includes('no repair makes Codex load more')]).toEqual([2, true]);
    expect(readdirSync(dirname(log))).toEqual([basename(log)]);
  });

  test('copies a session that the next start would delete, even if nothing is wrong with it', async () => {
    const home = tempDir();
    const chats = join(home, '.gemini/tmp/work/chats');
    const header = {
      sessionId: 'e91c7539-949d-415e-bba8-718cceedb112',
      projectHash: 'x',
      startTime: 'x',
      kind: 'main',
    };
    const said = { id: 'a', timestamp: 'x', type: 'user', content: [{ text: 'hello' }] };
    mkdirSync(chats, { recursive: true });
    writeSettled(
      join(chats, 'session-2026-11-26T12-17-e91c7539.jsonl'),
      `${JSON.stringify(header)}\n${JSON.stringify(said)}\n`,
    );
    writeSettled(join(chats, 'session-2026-11-26T12-18-e91c7539.jsonl'), `${JSON.stringify(header)}\n`);
    const fixed = await report(
      home,
      join(chats, 'session-2026-11-26T12-17-e91c7539.jsonl'),
      '--fix',
      '-o',
      join(home, 'safe'),
    );
    expect(fixed.written?.session).toMatch(/^d0c7/);
    expect(existsSync(fixed.written?.log ?? '')).toBe(true);
  });

  test('--keep-cut and --no-close-calls leave links and calls as they are', async () => {
    const cut = homeWith('claude', 'parent-phantom');
    expect((await report(cut.home, cut.log, '--keep-cut')).after).toBeNull();
    const open = homeWith('claude', 'lost-result');
    expect((await report(open.home, open.log)).after?.loads.parts).toBe(38);
    expect((await report(open.home, open.log, '--no-close-calls')).after).toBeNull();
  });

  test('invents no words: every text of a repaired log is in the original, or says that doctor wrote it', async () => {
    for (const [program, name] of [
      ['claude', 'lost-result'],
      ['pi', 'lost-result'],
      ['qwen', 'lost-result'],
      ['gemini', 'tail-lost'],
    ] as const) {
      const { home, log } = homeWith(program, name);
      const { written } = await report(home, log, '--fix', ...placeFor(program, home));
      const original = textsIn(readFileSync(log, 'utf8'));
      const added = [...textsIn(readFileSync(written?.log ?? '', 'utf8'))].filter(
        (text) => !original.has(text),
      );
      expect(
        added.every((text) => text === '[noesis doctor: the result of this call is not in the log]'),
      ).toBe(true);
    }
  });
});

describe('files next to the log', () => {
  test('a workspace file that leads elsewhere, or is no file, is not copied: the repair is refused', async () => {
    const { home, log } = homeWith('copilot', 'lost-first-line');
    const workspace = join(dirname(log), 'workspace.yaml');
    const foreign = join(tempDir(), 'foreign.txt');
    writeFileSync(foreign, 'a foreign text');
    const refusal = async (why: string) => {
      const { code, stderr } = await doctor(home, log, '--fix');
      expect([code, stderr.includes(`cannot read ${workspace}: ${why}`)], stderr).toEqual([3, true]);
      expect(readdirSync(dirname(dirname(log)))).toEqual([basename(dirname(log))]);
    };
    rmSync(workspace);
    symlinkSync(foreign, workspace);
    await refusal('a symlink out of the folder');
    rmSync(workspace);
    symlinkSync('nothing', workspace);
    await refusal('a symlink out of the folder');
    rmSync(workspace);
    mkdirSync(workspace);
    await refusal('');
    rmSync(workspace, { recursive: true });
    execFileSync('mkfifo', [workspace]);
    await refusal('neither a file nor a folder');
    rmSync(workspace);
    expect((await report(home, log, '--fix')).written).not.toBeNull();
  });

  test('another session is not read through a symlink out of the folder', async () => {
    const home = tempDir();
    const chats = join(home, '.gemini/tmp/work/chats');
    cpSync(join(DOCTOR_SAMPLES, 'gemini/orphan'), chats, { recursive: true });
    const log = join(chats, 'session-2026-11-26T12-17-e91c7539.jsonl');
    expect((await report(home, log)).danger).not.toEqual([]);
    const elsewhere = tempDir();
    for (const name of readdirSync(chats)) {
      const path = join(chats, name);
      if (path === log) continue;
      cpSync(path, join(elsewhere, name));
      rmSync(path);
      symlinkSync(join(elsewhere, name), path);
    }
    expect((await report(home, log)).danger).toEqual([]);
  });

  test('a statement is not read through a symlink out of the folder', async () => {
    const { home, log } = homeWith('claude', 'torn-middle');
    const foreign = join(tempDir(), 'foreign.json');
    writeFileSync(foreign, JSON.stringify({ sha256: hashOf(log) }));
    symlinkSync(foreign, join(dirname(log), 'attestation.json'));
    execFileSync('mkfifo', [join(dirname(log), 'pipe.json')]);
    expect((await report(home, log, '--fix', '--in-place')).written).not.toBeNull();
  });

  test.each(['rejected', 'doctor.json'])('a file %s that exists: nothing is written', async (kind) => {
    for (const inPlace of [[], ['--in-place']]) {
      const { home, log } = homeWith('claude', 'torn-middle');
      const to = tempDir();
      const { written } = await report(home, log, '--fix', '-o', to);
      const copy = join(dirname(log), basename(written?.log ?? ''));
      writeFileSync(`${inPlace.length > 0 ? log : copy}.${kind}`, 'something else');
      const before = contents(home);
      const { code, stderr } = await doctor(home, log, '--fix', ...inPlace);
      expect([code, stderr.includes(`.${kind} already exists`)], stderr).toEqual([2, true]);
      expect(contents(home)).toEqual(before);
    }
  });

  test.each([true, false])(
    'records that a program appends while the log is replaced are never lost (%s: before)',
    async (isBefore) => {
      const { log } = homeWith('claude', 'torn-middle');
      const bytes = readFileSync(log);
      const examined = await examine(log, claudeCode, {});
      const file = openSync(log, 'a');
      const work = writeRepair(examined, {
        ...{ inPlace: true, force: true, now: Date.now() },
        files: {
          rename: async (from, to) => {
            if (!isBefore) await rename(from, to);
            writeSync(file, 'a late record\n');
            if (isBefore) await rename(from, to);
          },
        },
      });
      await expect(work).rejects.toThrow('was changed while it was repaired');
      closeSync(file);
      const late = Buffer.concat([bytes, Buffer.from('a late record\n')]);
      const hash = createHash('sha256').update(late).digest('hex');
      expect(readFileSync(`${log}.before-doctor-${hash}`)).toEqual(late);
      await expect(work).rejects.toMatchObject({ hint: expect.stringContaining(hash) as string });
    },
  );

  test('a log that was changed after it was examined stays as it is, and nothing but the backup is left', async () => {
    const { log } = homeWith('claude', 'torn-middle');
    const [hash, examined] = [hashOf(log), await examine(log, claudeCode, {})];
    cpSync(log, `${log}.before-doctor-${hash}`);
    writeFileSync(log, 'a late record\n', { flag: 'a' });
    const now = readFileSync(log);
    const work = writeRepair(examined, { inPlace: true, force: true, now: Date.now() });
    await expect(work).rejects.toThrow('was changed while it was repaired');
    expect(readFileSync(log)).toEqual(now);
    expect(readdirSync(dirname(log))).toHaveLength(2);
  });

  test('a backup that is a symlink to the log does not count as a backup', async () => {
    const { home, log } = homeWith('claude', 'torn-middle');
    const [bytes, backup] = [readFileSync(log), `${log}.before-doctor-${hashOf(log)}`];
    symlinkSync(log, backup);
    const { code, stderr } = await doctor(home, log, '--fix', '--in-place');
    expect([code, stderr.includes(`${backup} is a symlink`)], stderr).toEqual([1, true]);
    expect(readFileSync(log)).toEqual(bytes);
    expect(readdirSync(dirname(log)).sort()).toEqual([basename(log), basename(backup)].sort());
  });
});

test('salvage says that its copy is still cut, and points to doctor', async () => {
  const { log } = homeWith('claude', 'torn-middle');
  const { stderr } = await runHere(['salvage', log, '-o', join(tempDir(), 'copy')]);
  expect(stderr).toContain('loads only 19 of 37 parts of the conversation: noesis doctor ');
  const joined = homeWith('claude', 'joined');
  const whole = await runHere(['salvage', joined.log, '-o', join(tempDir(), 'copy')]);
  expect(whole.stderr).not.toContain('doctor');
});

const SAID = new Set(['text', 'content', 'thinking', 'output', 'error']);

/** The texts that somebody said in a log. */
function textsIn(log: string): Set<string> {
  const found = new Set<string>();
  for (const line of log.split('\n')) {
    try {
      JSON.parse(line, (key, value: unknown) => {
        if (typeof value === 'string' && SAID.has(key)) found.add(value);
        return value;
      });
    } catch {
      // A damaged line says nothing.
    }
  }
  return found;
}

describe('an error of the API at the end', () => {
  const ID = 'abc00006-0000-4000-8000-0000004c4b40';
  /** A session of Claude Code that ends with this error. */
  const claude = (home: string, message: string, ...after: readonly object[]): string => {
    const record = (n: number, type: string, content: unknown, more: object = {}) => ({
      parentUuid: n === 1 ? null : `abc00000-0000-4000-8000-00000000000${n - 1}`,
      isSidechain: false,
      type,
      message: { id: `msg_${n}`, role: type, content, ...(type === 'assistant' && { model: 'm' }) },
      uuid: `abc00000-0000-4000-8000-00000000000${n}`,
      timestamp: `2026-09-01T09:00:0${n}.000Z`,
      cwd: home,
      sessionId: ID,
      version: '2.1.237',
      ...more,
    });
    const records = [
      record(1, 'user', 'Paint the fence'),
      record(2, 'assistant', [{ type: 'text', text: 'Which colour?' }]),
      record(3, 'user', 'Blue'),
      record(4, 'assistant', [{ type: 'text', text: message }], { isApiErrorMessage: true }),
      ...after.map((content, index) => record(5 + index, index % 2 === 0 ? 'user' : 'assistant', content)),
    ];
    const folder = join(home, '.claude/projects', home.replaceAll(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${ID}.jsonl`), records.map((one) => `${JSON.stringify(one)}\n`).join(''));
    return join(folder, `${ID}.jsonl`);
  };

  test.each([
    ['API Error: 400 prompt is too long: 208310 tokens > 200000 maximum', 'Compact the conversation first'],
    ["Your input exceeds this model's context length", 'Compact the conversation first'],
    ['API Error: 400 image exceeds 5 MB maximum', 'Go back to a prompt before the part'],
    ['API Error: 400 {"type":"invalid_request_error"}', 'Go back to a prompt before the part'],
    [
      'API Error: 400 messages.500.content: too many images, 429 > 100',
      'Go back to a prompt before the part',
    ],
    [
      '429 Request too large for gpt-5 on tokens per min (TPM): Limit 30000, Requested 45000',
      'Compact the conv',
    ],
  ])('that the same conversation gets again is named with what helps: %s', async (message, help) => {
    const home = tempDir();
    const log = claude(home, message);
    const { code, stdout } = await doctor(home, log);
    expect([code, stdout.startsWith('resumes')]).toEqual([0, true]);
    expect(stdout).toContain('The API refused the last request, and may refuse the next one too:\n  line 4 ');
    expect(stdout).toContain(help);
    expect(stdout).not.toContain('The API accepts the request.');
    const shown = message.replace(/^API Error: /, '');
    expect((await report(home, log)).last_refusal).toEqual({ line: 4, message: shown });
  });

  test('is named below the command that continues the session, also by show and search', async () => {
    const home = tempDir();
    const world = { home, cwd: home, columns: 400, env: { NO_COLOR: '1' } };
    const log = claude(home, 'API Error: 400 prompt is too long: 208310 tokens > 200000 maximum');
    const below =
      /claude --resume \S+\n +the API refused the last request, and may refuse the next one: [^\n]*prompt is too long[^\n]*\n(?: +\(?in [^\n]*\n)?(?: +see noesis doctor )/;
    for (const args of [
      ['show', log],
      ['search', 'fence', log],
    ])
      expect((await runHere(args, world)).stdout, args[0]).toMatch(below);
    const shown = JSON.parse((await runHere(['show', log, '-j'], world)).stdout);
    expect(shown.last_refusal).toEqual((await report(home, log)).last_refusal);
    const other = claude(home, 'API Error: 529 Overloaded');
    for (const args of [
      ['show', other],
      ['search', 'fence', other],
    ])
      expect((await runHere(args, world)).stdout, args[0]).not.toContain('refused the last request');
  });

  test.each([
    "Request rejected (429) · This request would exceed your account's rate limit. Please try again later.",
    '429 rate_limit_error: This request would exceed your rate limit of 30,000 input tokens per minute.',
    'API Error: 429 Too Many Requests',
    '429 You exceeded your current quota, please check your plan. The limit is 100 requests.',
    'API Error: 400 invalid_request_error: You have reached your specified API usage limits.',
    'API Error: 400 Your credit balance is too low to access the API.',
    'API Error: 529 {"type":"overloaded_error","message":"Overloaded, too many clients"}',
    'API Error: 503 too many connections exceed the limit of the server',
    'status code 500: too many open files',
    "You've hit your usage limit, which invalid requests exceed too: limit 5. Try again later.",
  ])('that waiting cures is not one of the conversation: %s', async (message) => {
    const home = tempDir();
    const log = claude(home, message);
    expect((await report(home, log)).last_refusal).toBeNull();
    expect((await doctor(home, log)).stdout).not.toContain('Go back to a prompt');
    const world = { home, cwd: home, columns: 400, env: { NO_COLOR: '1' } };
    for (const args of [
      ['show', log],
      ['search', 'fence', log],
    ])
      expect((await runHere(args, world)).stdout, args[0]).not.toContain('refused the last request');
  });

  test('of another kind, or before a later answer, says nothing of the next request', async () => {
    const home = tempDir();
    for (const log of [
      claude(home, 'API Error: 529 Overloaded'),
      claude(home, 'prompt is too long', [{ type: 'text', text: 'Red' }], [{ type: 'text', text: 'Done.' }]),
    ]) {
      expect((await doctor(home, log)).stdout).toContain('The API accepts the request.');
      expect((await report(home, log)).last_refusal).toBeNull();
    }
  });

  test('is found in logs of other programs', async () => {
    const found: string[] = [];
    for (const name of ['pi', 'qwen']) {
      const folder = join(SAMPLES, name);
      const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
        (one) => one.endsWith('.jsonl') && readFileSync(join(folder, one), 'utf8').includes('model refuses'),
      );
      for (const log of logs) {
        const { last_refusal: refusal } = await report(tempDir(), join(folder, log), '--dialect', name);
        if (refusal?.message === '400 the made-up model refuses this') found.push(name);
      }
    }
    expect(new Set(found)).toEqual(new Set(['pi', 'qwen']));
  });
});

test('a repair that leaves parts lost says that they are why doctor ends with 1', async () => {
  const { home, log } = homeWith('claude', 'torn-middle');
  const { code, stdout } = await doctor(home, log, '--fix');
  const said = stdout.replaceAll(/\s+/g, ' ');
  const isLost = said.includes('stay lost');
  expect([code, said.includes('stay lost, so doctor ends with exit code 1.')]).toEqual([
    isLost ? 1 : 0,
    isLost,
  ]);
  expect(isLost).toBe(true);
});
