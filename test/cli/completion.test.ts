import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/cli/report/report-formats.ts';
import { GOOD, rootWith, VETOED } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { binFolder } from '../support/pages.ts';
import { tempDir, writeTree } from '../support/temp.ts';
import { isInstalled } from '../support/tools.ts';

const { cwd, episodes } = rootWith(GOOD, VETOED);
const [{ id }, { id: vetoed }] = episodes;

/** The completions for the last of some words, and the directives to the shell. */
async function offered(...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runHere(['__complete', ...words], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t')[0] ?? '');
}

describe('completion offers', () => {
  test('commands, and their beginnings', async () => {
    const all = await offered('');
    expect(all).toEqual(expect.arrayContaining(['verify', 'events', 'list', 'completion', 'help']));
    expect(await offered('ev')).toEqual(['events']);
    // Read from the help, so that new ones are included.
    const help = (await runHere(['--help'])).stdout
      .replace(/[\s\S]*\nWhat happened:\n/, '')
      .replace(/\nExamples:[\s\S]*/, '');
    expect(all).toEqual([...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name));
  });

  test('the options of a command, and their choices', async () => {
    expect(await offered('verify', '--')).toEqual(expect.arrayContaining(['--format', '--strict', '--root']));
    expect(await offered('verify', '-f', '')).toEqual([...FORMATS]);
    expect(await offered('verify', '--format=s')).toEqual(['--format=sarif']);
    expect(await offered('--color', 'al')).toEqual(['always']);
    expect(await offered('schema', 'sta')).toEqual(['state', 'stats']);
  });

  test('ids under the root, files and folders', async () => {
    expect(await offered('events', '')).toEqual(['latest', vetoed, id, ':files']);
    expect(await offered('verify', id, 'ep_')).toEqual([vetoed, id, ':files']);
    expect(await offered('--root', cwd, 'show', id.slice(0, -2))).toEqual([id, ':files']);
    expect(await offered('verify', '-o', '')).toEqual([':files']);
    expect(await offered('list', '--root', '')).toEqual([':dirs']);
    expect(await offered('--root', '/nonexistent', 'show', 'ep_')).toEqual([':files']);
  });

  test('phases, types, ids and agents of the log that the command names', async () => {
    const { events } = episodes[0];
    const phases = [...new Set(events.map(({ phase }) => phase))].sort();
    expect(await offered('events', id, '-p', '')).toEqual(phases);
    expect(await offered('events', id, '-p', 'act,r')).toEqual(
      phases.filter((phase) => phase.startsWith('r')).map((phase) => `act,${phase}`),
    );
    expect(await offered('events', id, '--chain', '')).toContain(events[3]?.id);
    expect(await offered('events', id, '--agent', '')).toContain(events[1]?.agent_id);
    // A search has its text before the target.
    expect(await offered('search', 'text', id, '-p', 'ter')).toEqual(['terminate']);
    // Without a target, of the newest.
    expect(await offered('events', '--phase', 'ter')).toEqual(['terminate']);
    expect(await offered('list', '--status', '')).toEqual(['ok', 'vetoed']);
    expect(await offered('events', '--dialect', 'exarchos', '/nonexistent', '-t', 'workflow.st')).toContain(
      'workflow.started',
    );
  });

  test('dialects, before and after the command', async () => {
    expect(await offered('list', '--dialect', 'c')).toEqual([
      'coordinator',
      'claude-code',
      'codex',
      'copilot',
    ]);
    expect(await offered('list', '--dialect=codex')).toEqual(['--dialect=codex']);
  });

  test('codes, families of rules and topics', async () => {
    expect(await offered('explain', 'log/trunc')).toEqual(['log/truncated']);
    expect(await offered('verify', '--rule', 'log/trunc')).toEqual(['log/truncated=', ':nospace']);
    expect(await offered('verify', '--rule', 'log/truncated=w')).toEqual(['log/truncated=warn']);
    expect(await offered('help', 'tar')).toEqual(['targets']);
  });

  test('nothing if nothing is known', async () => {
    expect(await offered('nothing', '')).toEqual([]);
    expect(await offered('project', id, 'more')).toEqual([]);
    expect(await offered('verify', '--jobs', '')).toEqual([]);
    expect(await offered('state', id, '')).toEqual([]);
  });
});

test('never offers a word of a trace that a shell would run', async () => {
  const ids = ['$(touch pwned)', '`id`', 'a;b', 'a b', "a'b", 'a\nb', 'fine.id:1', '\u001b[2J'];
  const log = ids.map(
    (one) => `${JSON.stringify({ id: one, phase: one, timestamp: '2026-01-01T00:00:00Z' })}\n`,
  );
  const folder = writeTree({ 'ep_x/events.jsonl': log.join('') });
  const { stdout } = await runHere(['__complete', 'events', 'ep_x', '--chain', ''], { cwd: folder });
  expect(stdout).toBe('fine.id:1\n');
  const root = tempDir();
  for (const name of ['ep_$(touch pwned)', 'ep_fine']) {
    mkdirSync(join(root, '.noesis/episodes', name), { recursive: true });
    writeFileSync(join(root, '.noesis/episodes', name, 'events.jsonl'), log.join(''));
  }
  const listed = await runHere(['__complete', 'show', 'ep_'], { cwd: root });
  expect(listed.stdout).toMatch(/^ep_fine\t?.*\n:files\n$/);
});

test('takes words from the episode with the last id if there are many', async () => {
  const { cwd: many, episodes: found } = rootWith(GOOD, VETOED);
  const [, last] = [...found].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (let count = 0; count < 250; count += 1) mkdirSync(join(many, '.noesis/episodes', `ep_00${count}`));
  const { stdout } = await runHere(['__complete', 'events', '--chain', ''], { cwd: many });
  expect(stdout).toContain(last?.events[1]?.id);
  const { stdout: statuses } = await runHere(['__complete', 'list', '--status', ''], { cwd: many });
  expect(statuses).toContain('vetoed\n');
});

const bin = binFolder();

function inShell(shell: string, args: readonly string[]): string[] {
  const env = { PATH: [bin, process.env['PATH']].join(delimiter), HOME: bin, TERM: 'dumb' };
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const said = execFileSync(shell, args, { cwd, env, stdio, encoding: 'utf8', timeout: 60_000 });
  return [...new Set(said.split('\n').map((line) => line.split('\t')[0]?.trim() ?? ''))]
    .filter(Boolean)
    .sort();
}

async function script(shell: string, name: string): Promise<string> {
  const { code, stdout } = await runHere(['completion', shell]);
  expect(code).toBe(0);
  const path = join(tempDir(), name);
  writeFileSync(path, stdout);
  return path;
}

/** Calls what `complete -F` named, as bash does when Tab is pressed at the end of a line. */
const BASH_TAB = `source "$1"
COMP_LINE=$2 COMP_POINT=\${#2} COMP_WORDS=($2) COMP_CWORD=1 COMPREPLY=()
_noesis noesis "" ""
printf '%s\\n' "\${COMPREPLY[@]}"`;

/** Types a line and Tab in a new zsh; prints what it would insert. */
const ZSH_TAB = `zmodload zsh/zpty
cat > $2/setup <<EOF
PROMPT=; fpath=(\${1:h} \\$fpath); autoload -Uz compinit; compinit -u -D; autoload -Uz _noesis; compdef _noesis noesis
compadd() { if [[ \\\${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "\\$@"; return; fi; typeset -a h; builtin compadd -A h "\\$@"; for x in \\$h; do print -r -- "@@ \\$x"; done }
bindkey '^I' complete-word; comppostfuncs=(done_); done_() { print '@@END'; exit }
EOF
zpty z zsh -f -i
zpty -w z "source $2/setup"
zpty -n -w z "$3"$'\\t'
while zpty -r z out; do out=\${out%$'\\r\\n'}; [[ $out == *@@END* ]] && break; [[ $out == *'@@ '* ]] && print -r -- \${out##*@@ }; done
zpty -d z`;

const SHELLS = [
  {
    shell: 'bash',
    file: 'noesis.bash',
    tab: (path: string, line: string) =>
      inShell('bash', ['--norc', '--noprofile', '-c', BASH_TAB, '_', path, line]),
  },
  {
    shell: 'zsh',
    file: '_noesis',
    tab: (path: string, line: string) => inShell('zsh', ['-f', '-c', ZSH_TAB, '_', path, tempDir(), line]),
  },
  {
    shell: 'fish',
    file: 'noesis.fish',
    tab: (path: string, line: string) =>
      inShell('fish', ['--no-config', '-c', `source '${path}'; complete -C '${line}'`]),
  },
];

describe.each(SHELLS)('in $shell', ({ shell, file, tab }) => {
  test.skipIf(!isInstalled(shell))(
    `commands, options, ids, phases and codes (where ${shell} is installed)`,
    async () => {
      const path = await script(shell, file);
      expect(tab(path, 'noesis ver')).toEqual(['verify']);
      expect(tab(path, 'noesis verify -f ')).toEqual([...FORMATS].sort());
      expect(tab(path, 'noesis show ep_')).toEqual([id, vetoed].sort());
      expect(tab(path, `noesis events ${id} -p ter`)).toEqual(['terminate']);
      expect(tab(path, 'noesis explain log/trunc')).toEqual(['log/truncated']);
      // bash begins a new word after the colon or the equals sign.
      expect(tab(path, 'noesis verify --format=sa')).toEqual([shell === 'bash' ? 'sarif' : '--format=sarif']);
    },
  );
});
