import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CallItem, FOLDED, type Story } from '../../src/dialects/kit/story.ts';
import { dialectNamed } from '../../src/dialects/registry.ts';
import { storyOfLog } from '../../src/read/describe/story-of-log.ts';
import { StoryText } from '../../src/show/render/story.ts';
import { storyMarkdown } from '../../src/show/render/story-markdown.ts';
import { plain } from '../../src/show/render/style.ts';
import { SAMPLES } from '../support/cli.ts';
import { tempFile } from '../support/temp.ts';
import { expectedSessions } from './sessions.ts';

/** A story as the terminal and a Markdown page show it by default. */
function shown(story: Story): string {
  const layout = {
    width: 80,
    style: plain,
    zone: 'utc',
    full: false,
    thinking: false,
    lastLine: 99,
  } as const;
  const texts = [...new StoryText(layout).texts(story)].join('');
  return `${texts}\n${storyMarkdown('x', story, { full: false, thinking: false })}`;
}

async function stories(path: string, name: string): Promise<readonly [whole: Story, folded: Story]> {
  const dialect = dialectNamed(name);
  if (dialect === undefined) throw new Error(`no dialect ${name}`);
  const [whole, folded] = await Promise.all([
    storyOfLog(path, dialect),
    storyOfLog(path, dialect, { isFolded: true }),
  ]);
  return [whole.story, folded.story];
}

const callsOf = ({ turns }: Story): CallItem[] =>
  turns.flatMap(({ items }) => items.filter((item) => item.kind === 'call'));

describe('a folded story shows what the whole one shows folded', () => {
  test.each(['claude-code', 'codex', 'copilot'])('for sessions of %s', async (name) => {
    for (const [path] of expectedSessions(name)) {
      const [whole, folded] = await stories(join(SAMPLES, name, path), name);
      expect(shown(folded), path).toBe(shown(whole));
    }
  });

  const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 9, 0, second)).toISOString();
  const message = (second: number, type: string, content: unknown) =>
    `${JSON.stringify({ type, uuid: `u${second}`, timestamp: at(second), sessionId: 's', version: '2.1.0', message: { role: type, model: 'm', content } })}\n`;
  const session = (outputs: readonly string[], isOneRecord: boolean): string => {
    const calls = outputs.map((_, index) => ({
      type: 'tool_use',
      id: `t${index}`,
      name: 'Bash',
      input: { command: `ls ${index}` },
    }));
    const results = outputs.map((content, index) => ({
      type: 'tool_result',
      tool_use_id: `t${index}`,
      content,
    }));
    const records = (type: string, blocks: readonly unknown[], from: number) =>
      isOneRecord
        ? message(from, type, blocks)
        : blocks.map((block, index) => message(from + index, type, [block])).join('');
    return tempFile(
      message(0, 'user', 'list them') + records('assistant', calls, 1) + records('user', results, 100),
      's.jsonl',
    );
  };
  const lines = (count: number, end = '') =>
    Array.from({ length: count }, (_, index) => `line ${index} ü`).join('\n') + end;
  const OUTPUTS = [0, 1, FOLDED - 1, FOLDED, FOLDED + 1, FOLDED + 2, 200].flatMap((count) => [
    lines(count),
    lines(count, '\n\n'),
    lines(count).replaceAll('\n', '\r\n'),
  ]);

  test('for outputs of all lengths, of which it keeps only the first lines', async () => {
    const [whole, folded] = await stories(session(OUTPUTS, false), 'claude-code');
    expect(shown(folded)).toBe(shown(whole));
    const outputs = callsOf(folded).map(({ output = '' }) => output.trimEnd().split('\n').length);
    // Only the last output waits for the next record.
    expect(Math.max(...outputs.slice(0, -1))).toBe(FOLDED + 1);
  });

  test('and keeps the results of a record with several, which say what each call started', async () => {
    const [whole, folded] = await stories(session(OUTPUTS, true), 'claude-code');
    expect(shown(folded)).toBe(shown(whole));
    expect(callsOf(folded).map(({ output }) => output)).toEqual(callsOf(whole).map(({ output }) => output));
  });
});
