import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { followLog } from '../../src/log/follow.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { tempDir } from '../support/temp.ts';

/**
 * Follows a log and goes through steps: each waits until what it expects has been said, in order and nothing else,
 * and then does something to the file. What records say is the value of their `n`.
 */
async function follow(path: string, steps: readonly { said: unknown[]; act?: () => void }[]): Promise<void> {
  const stop = new AbortController();
  let heard: unknown[] = [];
  let step = 0;
  let idle = 0;
  await followLog(
    path,
    AS_STORED,
    {
      record: ({ value, line }) => heard.push([line, value['n']]),
      corrupt: ({ code, line }) => heard.push([line, code]),
      incident: (incident) => void heard.push(incident),
      batch: () => {},
      caughtUp() {
        const current = steps[step];
        if (current === undefined) return false;
        // A step that expects nothing looks a few times before it believes it.
        idle += 1;
        if (heard.length < current.said.length || (current.said.length === 0 && idle < 4)) return true;
        expect(heard).toEqual(current.said);
        heard = [];
        idle = 0;
        step += 1;
        current.act?.();
        return step < steps.length;
      },
    },
    { signal: stop.signal, pollMs: 5 },
  );
  expect(step).toBe(steps.length);
}

const logIn = (content: string): string => {
  const path = join(tempDir(), 'events.jsonl');
  writeFileSync(path, content);
  return path;
};

describe('following a log', () => {
  test('passes on existing events, then appended ones', async () => {
    const path = logIn('{"n":1}\n{"n":2}\n');
    await follow(path, [
      {
        said: [
          [1, 1],
          [2, 2],
        ],
        act: () => appendFileSync(path, '{"n":3}\n\n{"n":4}\n'),
      },
      {
        said: [
          [3, 3],
          [5, 4],
        ],
      },
    ]);
  });

  test('keeps a line back until its newline arrives', async () => {
    const path = logIn('{"n":1}\n{"n"');
    await follow(path, [
      { said: [[1, 1]] },
      { said: [], act: () => appendFileSync(path, ':2}') },
      { said: [], act: () => appendFileSync(path, '\n') },
      { said: [[2, 2]] },
    ]);
  });

  test('reports a complete corrupt line with its number', async () => {
    const path = logIn('{"n":1}\n');
    await follow(path, [
      { said: [[1, 1]], act: () => appendFileSync(path, 'x\n{"n":3}\n') },
      {
        said: [
          [2, 'log/invalid-json'],
          [3, 3],
        ],
      },
    ]);
  });

  test('starts again when the log is cut', async () => {
    const path = logIn('{"n":1}\n{"n":2}\n');
    await follow(path, [
      {
        said: [
          [1, 1],
          [2, 2],
        ],
        act: () => truncateSync(path),
      },
      { said: ['truncated'], act: () => appendFileSync(path, '{"n":3}\n') },
      { said: [[1, 3]] },
    ]);
  });

  test('starts again when the log is cut and grows longer before the next check', async () => {
    const path = logIn('{"n":1}\n');
    await follow(path, [
      { said: [[1, 1]], act: () => writeFileSync(path, '{"n":21}\n{"n":22}\n') },
      { said: ['rewritten', [1, 21], [2, 22]], act: () => appendFileSync(path, '{"n":23}\n') },
      // As long as before, and another.
      { said: [[3, 23]], act: () => writeFileSync(path, '{"n":31}\n{"n":32}\n{"n":33}\n') },
      { said: ['rewritten', [1, 31], [2, 32], [3, 33]] },
    ]);
  });

  test('judges a line that may continue in the next when nothing follows', async () => {
    const path = logIn('{"n":1}\n{"torn\n');
    await follow(path, [
      {
        said: [
          [1, 1],
          [2, 'log/invalid-json'],
        ],
      },
    ]);
  });

  test('forgets a held-back line when the log is cut', async () => {
    const path = logIn('{"n":1}\n{"torn":');
    await follow(path, [
      { said: [[1, 1]], act: () => truncateSync(path, 8) },
      { said: [], act: () => appendFileSync(path, '{"n":2}\n') },
      { said: [[2, 2]] },
    ]);
  });

  test('reports what a writer undoes, and passes on no event twice', async () => {
    const path = logIn('{"n":1}\n{"n":2}\n{"n":3}\n');
    await follow(path, [
      {
        said: [
          [1, 1],
          [2, 2],
          [3, 3],
        ],
        act: () => truncateSync(path, 16),
      },
      { said: ['taken-back'], act: () => appendFileSync(path, '{"n":4}\n{"torn') },
      // Undone and gone on with before anybody looks.
      {
        said: [[3, 4]],
        act: () => {
          truncateSync(path, 24);
          appendFileSync(path, '{"n":5,"longer":"than what was torn"}\n');
        },
      },
      { said: [[4, 5]] },
    ]);
  });

  test('reports a removal at once, and a file that ended inside a record', async () => {
    const path = logIn('{"n":1}\n{"to');
    await follow(path, [
      { said: [[1, 1]], act: () => rmSync(path) },
      { said: ['removed'], act: () => writeFileSync(path, '{"n":2}\n') },
      { said: ['torn', 'replaced', [1, 2]] },
    ]);
  });

  test('continues if its folder is removed and created again', async () => {
    const folder = join(tempDir(), 'episode');
    mkdirSync(folder);
    const path = join(folder, 'events.jsonl');
    writeFileSync(path, '{"n":1}\n');
    await follow(path, [
      { said: [[1, 1]], act: () => rmSync(folder, { recursive: true }) },
      {
        said: ['removed'],
        act: () => {
          mkdirSync(folder);
          writeFileSync(path, '{"n":2}\n');
        },
      },
      { said: ['replaced', [1, 2]], act: () => appendFileSync(path, '{"n":3}\n') },
      { said: [[2, 3]] },
    ]);
  });

  test('passes on each event once, however its bytes arrive', async () => {
    const content = Buffer.from('{"n":1,"t":"é→😀"}\n{"n":2}\n');
    for (let cut = 1; cut < content.length; cut += 1) {
      const path = logIn('');
      writeFileSync(path, content.subarray(0, cut));
      const early = content.subarray(0, cut).toString('latin1').split('\n').length - 1;
      const all = [
        [1, 1],
        [2, 2],
      ];
      await follow(path, [
        { said: all.slice(0, early), act: () => appendFileSync(path, content.subarray(cut)) },
        { said: all.slice(early) },
      ]);
    }
  });

  test('keeps up with a burst of 100,000 events, also without change notifications', async () => {
    const path = logIn('{"n":0}\n');
    const stop = new AbortController();
    let seen = 0;
    let sum = 0;
    let written = 1;
    const more = () => {
      const lines = Array.from({ length: 1000 }, () => `{"n":${written++}}\n`);
      appendFileSync(path, lines.join(''));
    };
    await followLog(
      path,
      AS_STORED,
      {
        record: ({ value: { n } }) => {
          seen += 1;
          sum += Number(n);
        },
        corrupt: ({ code }) => {
          throw new Error(code);
        },
        incident: (incident) => {
          throw new Error(incident);
        },
        batch: () => {
          if (written <= 100_000) more();
        },
        caughtUp: () => seen < 100_001,
      },
      { signal: stop.signal, pollMs: 1 },
    );
    expect([seen, sum]).toEqual([100_001, (100_000 * 100_001) / 2]);
  });

  test('switches to the file that takes its name, after the end of the old one', async () => {
    const path = logIn('{"n":1}\n');
    await follow(path, [
      {
        said: [[1, 1]],
        act: () => {
          writeFileSync(`${path}.new`, '{"n":10}\n');
          appendFileSync(path, '{"n":2}\n');
          renameSync(`${path}.new`, path);
        },
      },
      { said: [[2, 2], 'replaced', [1, 10]] },
    ]);
  });

  test('passes on nothing twice if a copy replaces the log and continues it', async () => {
    const path = logIn('{"n":1}\n{"n":2');
    await follow(path, [
      {
        said: [[1, 1]],
        act: () => {
          writeFileSync(`${path}.new`, '{"n":1}\n{"n":2}\n{"n":3}\n');
          renameSync(`${path}.new`, path);
        },
      },
      {
        said: ['copied', [2, 2], [3, 3]],
        act: () => {
          writeFileSync(`${path}.new`, '{"n":1}\n{"n":2}\n{"n":4}\n');
          renameSync(`${path}.new`, path);
        },
      },
      { said: ['taken-back', [3, 4]] },
    ]);
  });

  test('continues with the old file until another has its name', async () => {
    const path = logIn('{"n":1}\n');
    await follow(path, [
      { said: [[1, 1]], act: () => renameSync(path, `${path}.old`) },
      { said: ['removed'], act: () => appendFileSync(`${path}.old`, '{"n":2}\n') },
      { said: [[2, 2]], act: () => writeFileSync(path, '{"n":3}\n') },
      { said: ['replaced', [1, 3]] },
    ]);
  });

  test('waits for a log that does not exist yet', async () => {
    const path = join(tempDir(), 'events.jsonl');
    await follow(path, [
      { said: ['missing'] },
      { said: [], act: () => writeFileSync(path, '{"n":1}\n') },
      { said: ['appeared', [1, 1]] },
    ]);
  });

  test('waits even for its folder', async () => {
    const folder = join(tempDir(), 'episode');
    const path = join(folder, 'events.jsonl');
    await follow(path, [
      {
        said: ['missing'],
        act: () => {
          mkdirSync(folder);
          writeFileSync(path, '{"n":1}\n');
        },
      },
      { said: ['appeared', [1, 1]] },
    ]);
  });

  test('ends when the follower returns false', async () => {
    const path = logIn('{"n":1}\n');
    const stop = new AbortController();
    let looks = 0;
    await followLog(
      path,
      AS_STORED,
      {
        record: () => {},
        corrupt: () => {},
        incident: () => {},
        batch: () => {},
        caughtUp() {
          looks += 1;
          if (looks === 2) stop.abort();
          return true;
        },
      },
      { signal: stop.signal, pollMs: 1 },
    );
    expect(looks).toBe(2);
  });

  test('fails if the log cannot be read', async () => {
    const visitor = {
      record: () => {},
      corrupt: () => {},
      incident: () => {},
      batch: () => {},
      caughtUp: () => true,
    };
    const { signal } = new AbortController();
    await expect(followLog('/dev', AS_STORED, visitor, { signal })).rejects.toMatchObject({
      code: 'unreadable',
    });
  });
});
