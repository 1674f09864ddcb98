import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TranscriptReader } from '../../src/dialects/sessions/claude-code/reader.ts';
import { RolloutReader } from '../../src/dialects/sessions/codex/reader.ts';
import { EventsReader } from '../../src/dialects/sessions/copilot/reader.ts';
import type { SessionReader } from '../../src/dialects/sessions/kit/reader.ts';
import { recordsForwards } from '../../src/find/log-ends.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { SAMPLES } from '../support/cli.ts';
import { expectedSessions } from './sessions.ts';

test.each<[string, () => SessionReader, () => SessionReader]>([
  ['claude-code', () => new TranscriptReader(), () => new TranscriptReader(undefined, true)],
  ['codex', () => new RolloutReader(), () => new RolloutReader()],
  ['copilot', () => new EventsReader(), () => new EventsReader()],
])(
  'what a list shows of a session of %s is in its document and entries, wherever it ends',
  (dialect, whole, short) => {
    for (const [path] of expectedSessions(dialect)) {
      const [all, some] = [whole(), short()];
      const records = [...recordsForwards(join(SAMPLES, dialect, path), AS_STORED, () => undefined)];
      for (const [index, { event, line }] of records.entries()) {
        for (const reader of [all, some])
          if (event) reader.add(event, line);
          else reader.lost();
        if (index % 10 !== 0 && index < records.length - 10) continue;
        const document = all.document();
        const { turns, asks, session, hasCopies, ...outline } = some.outline();
        expect(document, path).toMatchObject(outline);
        if (document.copied) expect(hasCopies, path).toBe(true);
        expect([turns, session['cwd'], session['forked_from']]).toEqual([
          document.turns.length,
          document.session['cwd'],
          document.session['forked_from'],
        ]);
        expect(asks).toBe(document.calls.some(({ asked_at }) => asked_at !== undefined));
        expect(some.answers()).toEqual(all.entries().filter(({ tool }) => tool === undefined));
      }
    }
  },
  60_000,
);
