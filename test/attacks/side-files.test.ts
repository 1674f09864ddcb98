import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

// A log must not disappear behind a name: a file is passed over in silence only if something reads it.

const STREAM = readFileSync(join(SAMPLES, 'exarchos/demo-feature.events.jsonl'), 'utf8');
const LEDGER = readFileSync(join(SAMPLES, 'fishbowl/ledger-10-runs.scrubbed.jsonl'), 'utf8')
  .split('\n')
  .slice(0, 4)
  .join('\n');
const TURN = '{"t":"turn","ts":"2026-01-01T00:00:00Z","sid":"s"}\n';
const MARKER_NAME = /^\.(?:manifest|completions)\.jsonl$/;
const MARKER = '{"sessionId":"s","cwd":"/"}\n';

/** The exit code of a strict verification, with all that it printed. */
async function verified(files: Readonly<Record<string, string>>, ...args: string[]) {
  const cwd = writeTree(files);
  const { code, stdout, stderr } = await runHere(['verify', '.', '--strict', '-f', 'ndjson', ...args], {
    cwd,
  });
  return { code, said: stdout + stderr };
}

/** Whether `list` has a row for a file, or names it. */
async function isListed(files: Readonly<Record<string, string>>, name: string): Promise<boolean> {
  const { stdout, stderr } = await runHere(['list', '.', '-j'], { cwd: writeTree(files) });
  const rows = stdout === '' ? [] : JSON.parse(stdout);
  return (
    stderr.includes(name) ||
    rows.length === Object.keys(files).filter((one) => !MARKER_NAME.test(one) || one === name).length
  );
}

describe('a log is verified or named', () => {
  test.each<[title: string, name: string, files: Readonly<Record<string, string>>]>([
    [
      'a stream that begins with a line like those of transcripts, next to an empty marker',
      'b.events.jsonl',
      { '.manifest.jsonl': '', 'b.events.jsonl': `{"t":1,"sid":1}\n${STREAM}` },
    ],
    [
      'a stream that begins with a line of a transcript',
      'b.events.jsonl',
      { '.completions.jsonl': '', 'b.events.jsonl': TURN + STREAM, 'demo-feature.events.jsonl': STREAM },
    ],
    [
      'a stream behind thirty lines of a transcript',
      'b.events.jsonl',
      {
        '.manifest.jsonl': MARKER,
        'b.events.jsonl': TURN.repeat(30) + STREAM,
        'demo-feature.events.jsonl': STREAM,
      },
    ],
    [
      'a ledger with the name of a marker',
      '.manifest.jsonl',
      { '.manifest.jsonl': `${LEDGER}\n{"x`, 'demo-feature.events.jsonl': STREAM },
    ],
    [
      'a ledger behind lines of a marker',
      '.completions.jsonl',
      { '.completions.jsonl': MARKER.repeat(40) + LEDGER, 'demo-feature.events.jsonl': STREAM },
    ],
    ['JSON Lines of another kind in a marker', '.manifest.jsonl', { '.manifest.jsonl': '{"a":1}\n' }],
    ['a marker that is damaged', '.manifest.jsonl', { '.manifest.jsonl': `{"x\n${MARKER}` }],
    [
      'a file of Noēsis next to a log of another program',
      'learn.jsonl',
      { 'events.jsonl': LEDGER, 'learn.jsonl': STREAM.slice(0, 700) },
    ],
    [
      'a sidecar of exarchos next to a log of another program',
      'a.hook-events.jsonl',
      { 'a.events.jsonl': LEDGER, 'a.hook-events.jsonl': '{"a":1}\n{"b":' },
    ],
    ['a log with the name of a signature', 'a.jsonl.sig', { 'a.jsonl.sig': LEDGER }],
    ['a log with the name of a lock', 'events.jsonl.lock', { 'events.jsonl.lock': '{"a":1}\n{"a":2}\n' }],
    ['a log with the name of a digest', 'events.jsonl.sha256', { 'events.jsonl.sha256': STREAM }],
  ])('%s', async (_, name, files) => {
    const { code, said } = await verified(files);
    expect(code).not.toBe(0);
    expect(said).toContain(name);
    expect(await isListed(files, name)).toBe(true);
  });

  test('a file next to a log that only the dialect of the log reads, if the user named another', async () => {
    const files = { 'events.jsonl': LEDGER, 'prompts.jsonl': '{"a":1}\n{"b":' };
    expect((await verified(files, '--dialect', 'fishbowl')).said).toContain('prompts.jsonl');
  });
});

test.each<[title: string, files: Readonly<Record<string, string>>]>([
  [
    'transcripts next to their markers',
    {
      'sessions/.manifest.jsonl': MARKER,
      'sessions/.completions.jsonl': '',
      'sessions/s.events.jsonl': TURN,
    },
  ],
  [
    'a transcript that is being written',
    { '.manifest.jsonl': MARKER, 's.events.jsonl': TURN.repeat(30) + TURN.slice(0, 20) },
  ],
  [
    'a signature, a lock and a digest',
    { 'a.jsonl.sig': '{"signature":"x"}\n', 'a.jsonl.lock': '17\n', 'a.jsonl.md5': 'x' },
  ],
])('are no logs: %s', async (_, files) => {
  const names = Object.keys(files).map((name) => name.slice(name.lastIndexOf('/') + 1));
  const { code, said } = await verified({ 'demo-feature.events.jsonl': STREAM, ...files });
  expect([code, names.filter((name) => said.includes(name))]).toEqual([0, []]);
});
