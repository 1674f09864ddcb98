import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';

const OTHER = join(EXAMPLES, 'other-dialects');
const STREAM = join(OTHER, 'exarchos/checkout.events.jsonl');
const LEDGER = join(OTHER, 'fishbowl/ledger.jsonl');
const PLAN = join(OTHER, 'coordinator/.claude/bonfire/search-index');

const shown = async (...args: string[]): Promise<string> => (await runHere(args)).stdout;

describe('the view for people', () => {
  test('of a workflow, stored and projected', async () => {
    expect(await shown('project', STREAM)).toMatchSnapshot();
    expect(await shown('state', STREAM)).toMatchSnapshot();
  });

  test('of one run of a ledger', async () => {
    expect(await shown('project', `${LEDGER}#debate-0001`)).toMatchSnapshot();
  });

  test('of a plan, projected and stored', async () => {
    expect(await shown('project', PLAN)).toMatchSnapshot();
    expect(await shown('state', PLAN)).toMatchSnapshot();
  });
});

test('project of a session has the words of show: answers, and times with a unit', async () => {
  const { stdout } = await runHere([
    'project',
    join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl'),
  ]);
  expect(stdout).toMatch(/^ +LINE +STATUS +TOOK +CALL$/m);
  expect(stdout).toMatch(/ [\d.]+ m?s +\w/);
  expect(stdout).toMatch(/ answers \d+, input /);
});
