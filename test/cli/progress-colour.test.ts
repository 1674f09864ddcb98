import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Context } from '../../src/cli/context.ts';
import { startProgress } from '../../src/cli/terminal/progress.ts';
import { within } from '../support/in-process.ts';

const CYAN = '\u001b[36m';

async function shown(env: Readonly<Record<string, string>>, color?: 'always' | 'never'): Promise<string> {
  const { stderr } = await within({ env, columns: 80 }, async (io) => {
    const context = new Context(io, color === undefined ? {} : { color });
    const progress = startProgress(context, { doing: 'reading', unit: 'bytes', total: 100 });
    await setTimeout(1500);
    progress.stop();
    return 0;
  });
  expect(stderr).toContain(' reading');
  return stderr;
}

// ora asks the environment of the process whether it may draw.
beforeEach(() => {
  vi.stubEnv('CI', undefined);
  vi.stubEnv('TERM', 'xterm');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('the spinner has a colour only if the user wants colours', async () => {
  const [usual, env, never, always, dumb] = await Promise.all([
    shown({}),
    shown({ NO_COLOR: '1' }),
    shown({ FORCE_COLOR: '1' }, 'never'),
    shown({ NO_COLOR: '1' }, 'always'),
    shown({ TERM: 'dumb' }),
  ]);
  for (const text of [usual, always]) expect(text).toContain(CYAN);
  for (const text of [env, never, dumb]) expect(text).not.toContain(CYAN);
});
