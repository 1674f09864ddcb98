import { EventEmitter } from 'node:events';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { followLog } from '../../src/log/follow.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { tempDir } from '../support/temp.ts';

const { watch } = vi.hoisted(() => ({ watch: vi.fn() }));
vi.mock('node:fs', async (original) => ({ ...(await original<typeof fs>()), watch }));

/** File systems that tell of no change: one that cannot be watched at all, and one whose watcher never says a word. */
const FILE_SYSTEMS: Readonly<Record<string, () => unknown>> = {
  'refuses to be watched': () => {
    throw Object.assign(new Error('no watching here'), { code: 'ENOSYS' });
  },
  'never reports a change': () => Object.assign(new EventEmitter(), { close: () => {} }),
  'stops telling with an error': () => {
    const watcher = Object.assign(new EventEmitter(), { close: () => {} });
    setTimeout(() => watcher.emit('error', new Error('too many watches')), 1);
    return watcher;
  },
};

describe.each(Object.entries(FILE_SYSTEMS))('a file system that %s', (_name, watcher) => {
  test('is checked repeatedly: nothing is lost, and nothing is reported twice', async () => {
    watch.mockImplementation(watcher);
    const path = join(tempDir(), 'later', 'events.jsonl');
    const write = (content: string) => () => fs.writeFileSync(path, content);
    const steps: [heard: unknown[], act?: () => void][] = [
      [['missing'], () => fs.mkdirSync(join(path, '..'))],
      [[], write('{"n":1}\n')],
      [['appeared', 1], () => fs.appendFileSync(path, '{"n":2}\n{"n"')],
      [[2], () => fs.appendFileSync(path, ':3}\n')],
      [[3], () => fs.truncateSync(path)],
      [['truncated'], () => fs.appendFileSync(path, '{"n":4}\n')],
      [
        [4],
        () => {
          fs.writeFileSync(`${path}.new`, '{"n":5}\n');
          fs.renameSync(`${path}.new`, path);
        },
      ],
      [['replaced', 5], () => fs.rmSync(path)],
      [['removed'], write('{"n":6}\n')],
      [['replaced', 6]],
    ];
    let heard: unknown[] = [];
    let step = 0;
    await followLog(
      path,
      AS_STORED,
      {
        record: ({ value }) => heard.push(value['n']),
        corrupt: ({ code }) => heard.push(code),
        incident: (incident) => void heard.push(incident),
        batch: () => {},
        caughtUp: () => {
          const [wanted = [], act] = steps[step] ?? [];
          if (heard.length < wanted.length) return true;
          expect(heard).toEqual(wanted);
          heard = [];
          step += 1;
          act?.();
          return step < steps.length;
        },
      },
      { signal: new AbortController().signal, pollMs: 5 },
    );
    expect(step).toBe(steps.length);
    expect(watch).toHaveBeenCalled();
  });
});
