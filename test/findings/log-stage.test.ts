import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Findings } from '../../src/findings/findings.ts';
import { checkLog } from '../../src/findings/log-stage.ts';
import { DEFAULT_POLICY } from '../../src/findings/policy.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { tempDir } from '../support/temp.ts';

it('waits for a slow hash, and for its result before the checks end', async () => {
  const path = join(tempDir(), 'events.jsonl');
  const line = `{"text":"${'x'.repeat(1000)}"}\n`;
  writeFileSync(path, line.repeat(3000));
  const said: string[] = [];
  const waits = [Promise.resolve().then(() => void said.push('waited')), undefined];
  await checkLog(
    {
      path,
      file: 'events.jsonl',
      form: AS_STORED,
      checks: [{ end: () => void said.push('end') }],
      bytes: () => void said.push('bytes'),
      pressure: () => waits.shift(),
      settle: async () => void said.push('settled'),
    },
    new Findings(DEFAULT_POLICY),
  );
  expect(said.slice(0, 3)).toEqual(['bytes', 'waited', 'bytes']);
  expect(said.slice(-2)).toEqual(['settled', 'end']);
});
