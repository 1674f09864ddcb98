import { expect, test } from 'vitest';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

const RECORDS = [
  { id: 'a', time: 1 },
  { id: 'b', time: 2 },
];

test.each([
  ['x.log', Buffer.from('PK\u0003\u0004 and so on'), 'a ZIP archive', 'unzip -p'],
  ['x.jsonl', Buffer.from([0x1f, 0x8b, 8, 0]), 'compressed with gzip', 'gzip -dc'],
  ['x.jsonl', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]), 'compressed with zstd', 'zstd -dc'],
  ['x.jsonl', Buffer.from('\ufeff{"id":1}\n', 'utf16le'), 'written in UTF-16', 'iconv -f UTF-16 -t UTF-8'],
  ['x.jsonl', Buffer.from('{"id":1}\n', 'utf16le'), 'written in UTF-16', 'iconv -f UTF-16LE -t UTF-8'],
  [
    'x.json',
    JSON.stringify({ version: 1, steps: RECORDS }, null, 2),
    'one JSON document',
    "jq -c '.steps[]'",
  ],
  ['x.json', JSON.stringify({ version: 1 }, null, 2), 'one JSON document', 'a JSON object a line'],
])('%s is named for what it is, with what helps: %#', async (name, content, what, help) => {
  const path = tempFile(content, name);
  for (const command of ['events', 'verify']) {
    const { code, stderr, stdout } = await runHere([command, path]);
    const said = `${stderr}${stdout}`.replace(/\s+/g, ' ');
    expect([code > 0, said]).toEqual([true, expect.stringContaining(what)]);
    expect(said).toContain(help);
  }
});
