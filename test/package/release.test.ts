import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checksums, notesOf, requireReleasable } from '../../scripts/release-parts.mjs';
import { EXAMPLES } from '../support/cli.ts';
import { isShort } from '../support/length.ts';
import { ROOT } from '../support/pages.ts';
import { tempDir, writeTree } from '../support/temp.ts';
import { isInstalled } from '../support/tools.ts';

const hasBash = spawnSync('bash', ['-c', 'mapfile -t x < <(true)']).status === 0;

describe.skipIf(!hasBash)('the step of the action (where bash is installed)', () => {
  function step(
    inputs: Readonly<Record<string, string>>,
    { files = {}, tree = ROOT }: { files?: Readonly<Record<string, string>>; tree?: string } = {},
  ) {
    const cwd = writeTree(files);
    cpSync(EXAMPLES, join(cwd, 'traces'), { recursive: true });
    const [summary, output] = [join(cwd, 'summary.md'), join(cwd, 'output')];
    const env = {
      PATH: process.env['PATH'],
      RUNNER_TEMP: tempDir(),
      HOME: cwd,
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_OUTPUT: output,
      NOESIS_SARIF: 'noesis.sarif',
      ...inputs,
    };
    const { status, stdout } = spawnSync('bash', [join(tree, 'action/verify.sh')], {
      cwd,
      env,
      encoding: 'utf8',
    });
    const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
    return {
      cwd,
      temp: env.RUNNER_TEMP,
      status,
      stdout,
      summary: read(summary),
      output: read(output),
      sarif: read(join(cwd, 'noesis.sarif')),
    };
  }

  test('annotates, writes a summary and a report, and fails with what it found', () => {
    const good = step({ NOESIS_TARGETS: 'traces/.noesis\n' });
    expect(good).toMatchObject({ status: 0, output: 'verdict=ok\nreport=true\n' });
    expect(good.summary).toContain('| Verdict |');
    expect(good.sarif).toContain('"version": "2.1.0"');
    const bad = step({ NOESIS_TARGETS: 'traces/.noesis\ntraces/damaged/torn-tail' });
    expect(bad).toMatchObject({ status: 1, output: 'verdict=fail\nreport=true\n' });
    expect(bad.stdout).toMatch(/^::error file=traces\//m);
    expect(bad.sarif).toContain('"ruleId": "log/truncated"');
  });

  test('passes arguments on, and never runs an input as code', () => {
    const missing = step({ NOESIS_TARGETS: 'traces/no $(touch pwned) such' });
    expect(missing).toMatchObject({ status: 3, output: 'verdict=error\n', sarif: undefined });
    const ruled = step({
      NOESIS_TARGETS: 'traces/.noesis',
      NOESIS_ARGUMENTS: '--require-signature\n--max-warnings\n0',
      NOESIS_SARIF: '',
    });
    expect(ruled).toMatchObject({ status: 1, sarif: undefined, output: 'verdict=fail\n' });
    const spaced = step({ NOESIS_TARGETS: '  traces/.noesis \r\n', NOESIS_ARGUMENTS: ' --strict ' });
    expect(spaced).toMatchObject({ status: 0 });
  });

  test('fails if the report could not be written', () => {
    const unwritten = step({ NOESIS_TARGETS: 'traces/.noesis', NOESIS_SARIF: 'no/such/folder.sarif' });
    expect(unwritten).toMatchObject({ status: 2, output: 'verdict=error\n' });
  });

  test.each([
    [1, 0, 1, 'verdict=fail\nreport=true\n'],
    [0, 1, 1, 'verdict=fail\nreport=true\n'],
    [3, 1, 3, 'verdict=error\n'],
    [1, 2, 2, 'verdict=error\n'],
  ])('fails if the report does (%i) or the annotations do (%i)', (report, annotations, status, output) => {
    const tree = writeTree({
      'dist/bin/noesis.js': `const [, , format, , file] = process.argv.slice(2);
        if (format === 'sarif') { require('node:fs').writeFileSync(file, '{}'); process.exit(${report}); }
        if (format === 'github') process.exit(${annotations});`,
    });
    cpSync(join(ROOT, 'action'), join(tree, 'action'), { recursive: true });
    expect(step({ NOESIS_TARGETS: 'traces' }, { tree })).toMatchObject({ status, output });
  });

  /** A checkout that would have its own code run, and its own report uploaded. */
  const HOSTILE = {
    '.npmrc': 'script-shell=./evil.sh\nregistry=http://localhost:9/\nnode-options=--require ./evil.cjs\n',
    'evil.sh': '#!/bin/sh\ntouch pwned\n',
    'evil.cjs': "require('node:fs').writeFileSync('pwned', '');\n",
    'package.json': '{"name":"noesis","version":"9.9.9","bin":"evil.cjs"}',
    'node_modules/noesis/package.json': '{"name":"noesis","version":"9.9.9","bin":"evil.cjs"}',
    'node_modules/noesis/evil.cjs': "require('node:fs').writeFileSync('pwned', '');\n",
    'node_modules/zod/index.js': "require('node:fs').writeFileSync('pwned', '');\n",
    'noesis.sarif': '{"committed":true}',
  };

  test('runs its own code, not that of the checkout', () => {
    const targets = { NOESIS_TARGETS: 'traces/damaged/torn-tail' };
    const env = { NODE_OPTIONS: '--require ./evil.cjs', NODE_PATH: 'node_modules' };
    // The home folder of the step is the checkout.
    const { cwd, sarif, ...rest } = step(
      { ...targets, ...env },
      { files: { ...HOSTILE, '.cache/kept': '' } },
    );
    expect(existsSync(join(cwd, '.cache/noesis'))).toBe(false);
    expect(rest).toMatchObject({ status: 1, output: 'verdict=fail\nreport=true\n' });
    expect(sarif).toContain('"ruleId": "log/truncated"');
    expect(existsSync(join(cwd, 'pwned'))).toBe(false);
  });

  /** A checkout of the ref of the action, without the built files. */
  function plainTree(): string {
    const tree = tempDir();
    const names = [
      'action',
      'src',
      'bin',
      'commands',
      'wasm',
      'scripts',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
    ];
    const filter = (path: string) => !path.endsWith('.generated.ts');
    for (const name of names) cpSync(join(ROOT, name), join(tree, name), { recursive: true, filter });
    return tree;
  }

  /** An npm that installs the packages of this folder, and records its calls. */
  function fakeNpm(code: number): { bin: string; called: string } {
    const bin = tempDir();
    const called = join(bin, 'called');
    const install = `ln -s '${join(ROOT, 'node_modules')}' node_modules`;
    const note = `{ pwd; echo "$@"; env | grep -i '^npm_config' | sort; } > '${called}'`;
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${note}\n${install}\nexit ${code}\n`, { mode: 0o755 });
    return { bin, called };
  }

  test.skipIf(isShort)(
    'of a plain checkout of the action builds the program outside of both checkouts, with the locked packages',
    () => {
      const tree = plainTree();
      const { bin, called } = fakeNpm(0);
      const inputs = {
        NOESIS_TARGETS: 'traces/.noesis',
        PATH: [bin, process.env['PATH']].join(delimiter),
        npm_config_registry: 'http://localhost:9/',
      };
      const { cwd, temp, ...rest } = step(inputs, { files: HOSTILE, tree });
      expect(rest).toMatchObject({ status: 0, output: 'verdict=ok\nreport=true\n' });
      const [folder = '', args, ...settings] = readFileSync(called, 'utf8').trim().split('\n');
      expect(folder.startsWith(temp)).toBe(true);
      expect(args).toMatch(/^ci --ignore-scripts /);
      expect(settings).toEqual([
        `NPM_CONFIG_GLOBALCONFIG=${folder}/none`,
        `NPM_CONFIG_USERCONFIG=${folder}/none`,
      ]);
      expect(existsSync(join(tree, 'dist'))).toBe(false);
      expect(existsSync(join(cwd, 'pwned'))).toBe(false);
    },
    120_000,
  );

  test('a failure of npm is an error without a report, and a report that is committed is not uploaded', () => {
    const { bin } = fakeNpm(1);
    const PATH = [bin, process.env['PATH']].join(delimiter);
    const failed = step({ NOESIS_TARGETS: 'traces/.noesis', PATH }, { files: HOSTILE, tree: plainTree() });
    expect(failed).toMatchObject({ status: 70, output: 'verdict=error\n', sarif: undefined });
    expect(failed.stdout).toMatch(/^::error title=noesis verify::/m);
  });

  test('a program that cannot start is an error, although Node ends with 1', () => {
    const tree = plainTree();
    cpSync(join(ROOT, 'package.json'), join(tree, 'dist/bin/package.json'));
    writeFileSync(join(tree, 'dist/bin/noesis.js'), "import './missing.js';");
    const failed = step({ NOESIS_TARGETS: 'traces/.noesis' }, { files: HOSTILE, tree });
    expect(failed).toMatchObject({ status: 70, output: 'verdict=error\n', sarif: undefined });
  });

  test.skipIf(!isInstalled('git'))(
    'the release tags a tree with its program, which the action runs without npm',
    () => {
      const workflow = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
      const [, block = ''] =
        /name: Tag the tree of the action\n +run: \|\n((?: {10}.*\n)+)/.exec(workflow) ?? [];
      const origin = tempDir();
      const repository = plainTree();
      const sh = (script: string, cwd = repository) =>
        execFileSync('bash', ['-euc', script], {
          cwd,
          encoding: 'utf8',
          // Settings of the user, such as signed commits, do not apply.
          env: { ...process.env, GITHUB_REF_NAME: 'v0.1.0', GIT_CONFIG_GLOBAL: '/dev/null' },
        });
      sh('git init -q --bare', origin);
      sh(
        `echo dist/ > .gitignore; git init -q; git add .; git -c user.name=a -c user.email=a@b commit -qm one; git remote add origin '${origin}'`,
      );
      sh(
        `mkdir -p package release; cp -R '${ROOT}/dist' package/; tar -czf release/noesis-0.1.0.tgz package; rm -rf package`,
      );
      sh(block.replaceAll(/^ {10}/gm, ''));
      const tree = join(tempDir(), 'tree');
      sh(`git clone -q --branch action-v0.1.0 '${origin}' '${tree}'`);
      const { bin, called } = fakeNpm(1);
      const PATH = [bin, process.env['PATH']].join(delimiter);
      expect(step({ NOESIS_TARGETS: 'traces/.noesis', PATH }, { tree })).toMatchObject({ status: 0 });
      expect(existsSync(called)).toBe(false);
    },
  );

  test('has the inputs that the action gives it', () => {
    const action = readFileSync(join(ROOT, 'action.yml'), 'utf8');
    const script = readFileSync(join(ROOT, 'action/verify.sh'), 'utf8');
    const given = [...action.matchAll(/^ +(NOESIS_\w+):/gm)].map(([, name]) => name);
    expect(given).toEqual(['NOESIS_TARGETS', 'NOESIS_ARGUMENTS', 'NOESIS_SARIF']);
    for (const name of given) expect(script).toContain(`\${${name}:-`);
  });
});

describe('a release', () => {
  const CHANGELOG =
    '# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2026-03-02\n\n- A thing.\n\n## 1.1.0\n\n- Another.\n';

  test('has the notes of its version from the changelog', () => {
    expect(notesOf(CHANGELOG, '1.2.0')).toBe('- A thing.\n');
    expect(notesOf(CHANGELOG, '1.1.0')).toBe('- Another.\n');
    expect(notesOf(CHANGELOG, '1.2')).toBeUndefined();
    expect(notesOf(CHANGELOG, '2.0.0')).toBeUndefined();
  });

  test.each([
    [{ version: '1.2' }, 'no version'],
    [{ notes: undefined }, 'has no section ## 1.2.0'],
    [{ status: ' M src/library/index.ts' }, 'has changes'],
    [{ tags: 'v1.1.0' }, 'not tagged'],
  ])('is refused: %j', (wrong, words) => {
    const fine = { version: '1.2.0', notes: '- A thing.\n', status: '', tags: 'latest\nv1.2.0' };
    const said: string[] = [];
    requireReleasable(fine, (message: string) => said.push(message));
    expect(said).toEqual([]);
    requireReleasable({ ...fine, ...wrong }, (message: string) => said.push(message));
    expect(said).toEqual([expect.stringContaining(words)]);
  });

  test.skipIf(!isInstalled('sha256sum'))(
    'has sums that sha256sum checks (where it is installed)',
    async () => {
      const { createHash } = await import('node:crypto');
      const dir = tempDir();
      writeFileSync(join(dir, 'a'), 'text');
      const sums = checksums([['a', 'text']], (bytes: string) =>
        createHash('sha256').update(bytes).digest('hex'),
      );
      writeFileSync(join(dir, 'SHA256SUMS'), sums);
      expect(spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: dir }).status).toBe(0);
    },
  );
});

describe('what others could change under a name', () => {
  const files = [
    'action.yml',
    '.github/workflows/release.yml',
    'Containerfile',
    'docs/ci.md',
    'docs/fleet.md',
  ].map((name) => [name, readFileSync(join(ROOT, name), 'utf8')] as const);

  test.each(files)('%s names actions by their commits and images by their digests', (_, text) => {
    const names = [...text.matchAll(/^\s*-? ?(?:uses|image): *(\S+)|^FROM (\S+)/gm)].map(
      ([, one, two]) => one ?? two,
    );
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(name).toMatch(/@(?:[0-9a-f]{40}|sha256:[0-9a-f]{64}|<the)$/);
  });

  test('no page installs the package by its name from a registry', () => {
    for (const [name, text] of files)
      expect([
        name,
        /npx (?:-y |--yes )?noesis|npm (?:i|install)(?: --?\S+)* noesis(?:@|\s|$)/m.test(text),
      ]).toEqual([name, false]);
  });

  test('building cannot state who built it, and publishing runs nothing of the repository', () => {
    const workflow = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
    const [, build = '', publish = ''] =
      /^ {2}build:\n([\s\S]*)^ {2}publish:\n([\s\S]*)$/m.exec(workflow) ?? [];
    expect(workflow).toMatch(/^permissions: \{\}$/m);
    expect(build).toMatch(/permissions:\n +contents: read\n +steps/);
    expect(build).not.toContain('id-token');
    expect(publish).toContain('id-token: write');
    expect(publish).not.toMatch(/npm (?:ci|install|run)|node scripts/);
  });
});
