import { afterEach, expect, test } from 'vitest';
import { claudeCode } from '../../../src/dialects/sessions/claude-code/index.ts';
import { useAccelerator } from '../../../src/log/accelerator/use.ts';
import { brief, verifyEvents } from '../verify-events.ts';

const record = (uuid: string, parentUuid: string | null, type: 'assistant' | 'user', content: unknown) => ({
  type,
  uuid,
  parentUuid,
  sessionId: 's',
  timestamp: '2026-01-01T00:00:00Z',
  isSidechain: false,
  userType: 'external',
  cwd: '/',
  version: '2.0.0',
  message: { role: type, id: uuid, type: 'message', model: 'm', content },
});
const call = (id?: string, name = 'Read') => ({ type: 'tool_use', id, name, input: {} });
const result = (tool_use_id?: string) => ({ type: 'tool_result', tool_use_id, content: '' });
const text = { type: 'text', text: 'x' };

afterEach(() => useAccelerator('always'));

const found = async (...contents: readonly [type: 'assistant' | 'user', content: unknown][]) => {
  const events = contents.map(([type, content], at) =>
    record(`r${at}`, at === 0 ? null : `r${at - 1}`, type, content),
  );
  const report = await verifyEvents(claudeCode.verify, events);
  return brief({ ...report, findings: report.findings.filter(({ code }) => code.startsWith('tool/')) });
};

test.each(['always', 'never'] as const)(
  'calls and results of one or several blocks, with the accelerator %s',
  async (use) => {
    useAccelerator(use);
    expect(
      await found(['assistant', [text, call('a'), call('b')]], ['user', [result('b'), text, result('a')]]),
    ).toEqual([]);
    expect(await found(['assistant', [call('a')]], ['user', [result('a')]])).toEqual([]);
    expect(await found(['assistant', [text, call('a')]], ['user', [result('b')]])).toEqual([
      'warn tool/unanswered 1',
      'error tool/orphan-result 2',
    ]);
  },
);

test.each(['always', 'never'] as const)(
  'blocks that pair with nothing, with the accelerator %s',
  async (use) => {
    useAccelerator(use);
    expect(await found(['assistant', [call()]], ['user', [result()]])).toEqual([]);
    expect(await found(['assistant', [call('')]], ['user', [result('')]])).toEqual([]);
    expect(await found(['assistant', [text, call()]], ['user', [text, result('')]])).toEqual([]);
    expect(await found(['assistant', [result('a')]], ['user', [call('b')]])).toEqual([]);
    expect(await found(['assistant', { 0: call('a') }], ['user', { 0: result('b') }])).toEqual([]);
  },
);
