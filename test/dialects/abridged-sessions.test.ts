import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import { type Abridge, type LogSummary, textAfter } from '../../src/dialects/kit/log-summary.ts';
import { dialectNamed } from '../../src/dialects/registry.ts';
import type { NumberedEvent } from '../../src/log/read.ts';
import { SAMPLES } from '../support/cli.ts';
import { expectedSessions } from './sessions.ts';

/** A line as a list sees it: its beginning, and the record where it is one. */
interface Line {
  readonly bytes: string;
  readonly event: JsonObject | undefined;
}

function linesIn(path: string): Line[] {
  return readFileSync(path, 'latin1')
    .split('\n')
    .map((bytes) => {
      try {
        const event = JSON.parse(Buffer.from(bytes, 'latin1').toString()) as JsonObject;
        return { bytes, event };
      } catch {
        return { bytes: '', event: undefined };
      }
    });
}

/** The list entry of some lines, with records abridged after some complete ones, and the number of abridged ones. */
function listed(dialect: string, lines: readonly Line[], complete: number): [LogSummary | undefined, number] {
  let count = 0;
  function* forwards(abridge: Abridge): Generator<NumberedEvent> {
    for (const [index, { bytes, event }] of lines.entries()) {
      const has = (text: string) => bytes.includes(text);
      const after: Parameters<Abridge>[3] = (mark, which) =>
        textAfter(Buffer.from(bytes, 'latin1'), mark, which);
      const short = index < complete ? undefined : abridge(bytes.slice(0, 1024), index + 1, has, after);
      if (short !== undefined) count += 1;
      if (event !== undefined) yield { line: index + 1, event: short ?? event };
    }
  }
  const ends = {
    bytes: 0,
    first: () => undefined,
    head: [],
    tail: [],
    state: () => undefined,
    backwards: () => [],
    forwards,
  };
  // An abridged record may lack its time; `list` reads the first and the last one from the log.
  const { started_at: _, ended_at: _last, ...told } = dialectNamed(dialect)?.summary?.(ends) ?? {};
  return [told, count];
}

test.each(['claude-code', 'codex', 'copilot'])(
  'a list shows of a session of %s the same whether records are abridged or not, wherever it ends',
  (dialect) => {
    let abridged = 0;
    for (const [path] of expectedSessions(dialect)) {
      const lines = linesIn(join(SAMPLES, dialect, path));
      for (let length = 1; length <= lines.length; length += 1) {
        const [short, count] = listed(dialect, lines.slice(0, length), 0);
        const [whole] = listed(dialect, lines.slice(0, length), length);
        expect(short, `${path}, the first ${length} lines`).toEqual(whole);
        abridged += count;
      }
    }
    expect(abridged).toBeGreaterThan(100);
  },
  60_000,
);

test.each(['claude-code', 'codex', 'copilot'])(
  'a list shows of a session of %s the same if a record is written again at its end',
  (dialect) => {
    for (const [path] of expectedSessions(dialect)) {
      const lines = linesIn(join(SAMPLES, dialect, path));
      for (const [index, line] of lines.entries()) {
        const all = [...lines, line];
        const [whole] = listed(dialect, all, all.length);
        // The first records are complete, because they show the dialect.
        for (const complete of [0, 20])
          expect(listed(dialect, all, complete)[0], `${path}, line ${index + 1} again`).toEqual(whole);
      }
    }
  },
  60_000,
);
