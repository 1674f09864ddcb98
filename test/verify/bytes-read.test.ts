import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../../src/findings/policy.ts';
import { BytesRead } from '../../src/verify/bytes-read.ts';
import { verifyEach } from '../../src/verify/pool.ts';
import { SAMPLES } from '../support/cli.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { tempDir, writeTree } from '../support/temp.ts';
import { jobsOf } from '../support/verify-all.ts';

const SESSIONS = {
  'claude-code': '{"type":"user","uuid":"a","sessionId":"s","timestamp":"2026-03-02T09:00:00Z"}\n',
  codex: '{"timestamp":"2026-03-02T09:00:00Z","type":"session_meta","payload":{"id":"s"}}\n',
  copilot: '{"type":"session.start","id":"a","data":{},"timestamp":"2026-03-02T09:00:00Z"}\n',
  pi: '{"type":"session","id":"s","timestamp":"2026-03-02T09:00:00Z","cwd":"/"}\n',
  generic: '{"what":1}\n',
};

const logs: Readonly<Record<string, string>> = {
  noesis: episodeIn(tempDir(), GOOD).log,
  exarchos: join(SAMPLES, 'exarchos/demo-feature.events.jsonl'),
  fishbowl: join(SAMPLES, 'fishbowl/ledger-10-runs.scrubbed.jsonl'),
  coordinator: join(SAMPLES, 'coordinator/nested-two-sessions.jsonl'),
  ...Object.fromEntries(
    Object.entries(SESSIONS).map(([name, text]) => [
      name,
      join(writeTree({ 'log.jsonl': text }), 'log.jsonl'),
    ]),
  ),
};

test.each(Object.entries(logs))('a log of %s is counted as it is read, once', async (dialect, log) => {
  const read = new BytesRead();
  await verifyEach(
    jobsOf([{ target: { name: 'one', dir: undefined, log } }]),
    {
      policy: DEFAULT_POLICY,
      keys: { byKid: new Map(), byVariable: new Map() },
      dialect,
      bytesRead: read.memory,
    },
    { jobs: 1, workerUrl: undefined, signal: new AbortController().signal, onProgress: () => {} },
    () => {},
  );
  expect(read.total).toBe(statSync(log).size);
});
