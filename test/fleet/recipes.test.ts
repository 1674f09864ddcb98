import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { isShort } from '../support/length.ts';
import { binFolder, blocks } from '../support/pages.ts';
import { simulateEpisode, writeEpisode } from '../support/simulator/episode.ts';
import { tempDir } from '../support/temp.ts';

// The recipes of docs/fleet.md, run unchanged: each makes parts and merges them, and the merged report must be
// that of one run, byte for byte. What a scheduler or a service does is done here, as far as it can be: its variables, its
// expressions, its transport of files.

const bin = binFolder();
const data = tempDir();
const EPISODES = 20;
const SHARDS = 8;
let whole = '';

function shell(script: string, env: Readonly<Record<string, string>> = {}): Promise<number> {
  const PATH = [bin, process.env['PATH']].join(delimiter);
  return new Promise((resolve) => {
    execFile('sh', ['-e', '-c', script], { cwd: data, env: { PATH, HOME: data, ...env } }, (error) =>
      resolve(Number(error?.code ?? 0)),
    );
  });
}

const has = (command: string): boolean => spawnSync('sh', ['-c', command], { stdio: 'ignore' }).status === 0;
const block = (language: string, what: string): string => {
  const found = blocks('docs/fleet.md', language).find((one) => one.includes(what));
  if (found === undefined) throw new Error(`docs/fleet.md has no block with ${what}`);
  return found;
};

/** Merges the reports in `parts`, and compares them with one run. */
async function expectWhole(): Promise<void> {
  expect(readdirSync(join(data, 'parts'))).toHaveLength(SHARDS);
  expect(await shell(`noesis merge parts --expect ${SHARDS} -j > merged.json`)).toBe(1);
  expect(readFileSync(join(data, 'merged.json'), 'utf8')).toBe(whole);
}

const inParallel = <Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>) =>
  Promise.all(items.map(work));
const tasks = Array.from({ length: SHARDS }, (_, at) => at);

beforeAll(async () => {
  for (let seed = 1; seed <= EPISODES; seed += 1) {
    const dir = writeEpisode(
      join(data, 'episodes'),
      simulateEpisode({ seed, ending: seed % 5 ? 'ok' : 'running' }),
    );
    if (seed === 7) writeFileSync(join(dir, 'events.jsonl'), '{"torn":\n');
  }
  // The list is made as the page makes it.
  const list = block('sh', 'sort -z').split('\n')[0] ?? '';
  expect(await shell(list.replace('/data/episodes', join(data, 'episodes')))).toBe(0);
  await shell('noesis verify --targets targets -0 -j > whole.json');
  whole = readFileSync(join(data, 'whole.json'), 'utf8');
  expect(JSON.parse(whole)).toMatchObject({ verdict: 'fail', summary: { episodes: EPISODES } });
});

const fresh = () => shell('rm -rf parts merged.json && mkdir parts');

test('the shortest recipe works as the page has it', async () => {
  await fresh();
  const [, make = '', verify = '', merge = ''] = block('sh', '$TASK').split('\n');
  expect(await shell(make)).toBe(0);
  await inParallel(tasks, (at) => shell(verify, { TASK: String(at + 1) }));
  await expectWhole();
  expect(await shell(merge)).toBe(1);
});

test.skipIf(isShort)('the parts of the first example make the whole', async () => {
  await fresh();
  const line = block('sh', '--shard 3/8').split('\n').at(-2) ?? '';
  await inParallel(tasks, (at) =>
    shell(line.replace('3/8', `${at + 1}/8`).replace('3.ndjson', `${at + 1}.ndjson`)),
  );
  await expectWhole();
});

test.skipIf(isShort)('the scripts for Slurm work with the variables that it sets', async () => {
  await fresh();
  await inParallel(tasks, (at) =>
    shell(block('sh', '# verify.sh'), {
      SLURM_ARRAY_TASK_ID: String(at),
      SLURM_ARRAY_TASK_MIN: '0',
      SLURM_ARRAY_TASK_MAX: String(SHARDS - 1),
      SLURM_ARRAY_TASK_COUNT: String(SHARDS),
      SLURM_ARRAY_TASK_STEP: '1',
      SLURM_CPUS_PER_TASK: '1',
    }),
  );
  await expectWhole();
  expect(await shell(block('sh', '# merge.sh'))).toBe(1);
  expect(readFileSync(join(data, 'report.ndjson'), 'utf8').trimEnd().split('\n')).toHaveLength(EPISODES + 1);
});

describe('without a scheduler', () => {
  const line = (program: string) =>
    block('sh', 'xargs -P')
      .split('\n')
      .find((one) => one.includes(program)) ?? '';

  test('xargs ends with 123 if something was found, and the parts exist', async () => {
    await fresh();
    expect(await shell(line('xargs'))).toBe(123);
    await expectWhole();
  });

  test.skipIf(!has('parallel --version'))('GNU parallel, here instead of over ssh', async () => {
    await fresh();
    const local = line('parallel').replace('--sshlogin a,b,c --workdir /data', '--sshlogin :');
    expect(local).not.toContain('/data');
    // As many failed as found something.
    expect(await shell(local)).toBe(1);
    await expectWhole();
  });
});

const YAML_TO_JSON = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)';

/** The document of a block; parsed by Python's yaml, as no package that is needed otherwise reads YAML. */
function yaml(what: string): unknown {
  const { stdout } = spawnSync('python3', ['-c', YAML_TO_JSON], {
    input: block('yaml', what),
    encoding: 'utf8',
  });
  return JSON.parse(stdout);
}

const job = z.object({
  apiVersion: z.literal('batch/v1'),
  kind: z.literal('Job'),
  spec: z.object({
    completions: z.number(),
    completionMode: z.literal('Indexed'),
    template: z.object({
      spec: z.object({
        restartPolicy: z.literal('Never'),
        containers: z.tuple([
          z.object({
            command: z.tuple([z.literal('sh'), z.literal('-c'), z.string()]),
            volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
          }),
        ]),
        volumes: z.array(z.object({ name: z.string() })),
      }),
    }),
  }),
});

const steps = z.array(z.object({ run: z.string().optional(), uses: z.string().optional() }));
const workflow = z.object({
  jobs: z.object({
    verify: z.object({
      strategy: z.object({ matrix: z.object({ part: z.array(z.number()) }) }),
      steps,
    }),
    merge: z.object({ needs: z.literal('verify'), steps }),
  }),
});

/** The package is here already. */
const INSTALL = 'npm install --global --ignore-scripts ';

const commandsIn = (all: z.infer<typeof steps>): string[] =>
  all.flatMap(({ run }) => (run === undefined || run.startsWith(INSTALL) ? [] : [run]));

describe.skipIf(!has('python3 -c "import yaml"'))('recipes in YAML', () => {
  test.skipIf(isShort)(
    'the Kubernetes Job: one pod per index, and findings do not make a pod fail',
    async () => {
      await fresh();
      const { spec } = job.parse(yaml('kind: Job'));
      expect(spec.completions).toBe(SHARDS);
      const [{ command, volumeMounts }] = spec.template.spec.containers;
      expect(volumeMounts.map(({ name }) => name)).toEqual(
        spec.template.spec.volumes.map(({ name }) => name),
      );
      const mount = volumeMounts[0]?.mountPath ?? '';
      const script = command[2]
        .replace(/npm install \S+ \S+ \S+ && /, '')
        .replaceAll(`${mount}/`, `${data}/`);
      const codes = await inParallel(tasks, (at) => shell(script, { JOB_COMPLETION_INDEX: String(at) }));
      expect(codes).toEqual(tasks.map(() => 0));
      await expectWhole();
    },
  );

  test('the GitHub workflow verifies in a matrix, and merges in a further job', async () => {
    await fresh();
    const { jobs } = workflow.parse(yaml('strategy:'));
    const { part: parts } = jobs.verify.strategy.matrix;
    const script = commandsIn(jobs.verify.steps).join('\n');
    const expressions = (part: number) => script.replaceAll(/\$\{\{ *matrix\.part *\}\}/g, String(part));
    expect(expressions(1)).not.toContain('${{');
    // Each job has only its own checkout; the uploads are collected.
    const checkout = (part: number) =>
      `rm -rf job.${part}; mkdir job.${part}; cp -r episodes job.${part}/traces`;
    const codes = await inParallel(parts, (part) =>
      shell(`${checkout(part)}; cd job.${part}\n${expressions(part)}\ncp parts/* ../parts/`),
    );
    expect(codes).toEqual(parts.map(() => 0));
    const [merge = ''] = commandsIn(jobs.merge.steps);
    expect(merge).toContain(`--expect ${parts.length}`);
    expect(await shell(`${merge} > annotations`, { GITHUB_ACTIONS: 'true' })).toBe(1);
    expect(readFileSync(join(data, 'annotations'), 'utf8')).toMatch(/^::error file=.*events\.jsonl/m);
  });
});

afterAll(() => {
  for (const [program, what] of [
    ['parallel --version', 'GNU parallel'],
    ['python3 -c "import yaml"', "Python's yaml"],
  ] as const)
    if (!has(program)) console.log(`${what} is not here: its recipe was not run`);
});
