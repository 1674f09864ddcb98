import { describe, expect, it } from 'vitest';
import type { CallItem } from '../../src/dialects/kit/story.ts';
import { StoryText } from '../../src/show/render/story.ts';
import { plain } from '../../src/show/render/style.ts';

const texts = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`);

/** The lines below a call. */
function below(points: string[], output: string[], full: boolean): string[] {
  const call: CallItem = {
    kind: 'call',
    line: 1,
    tool: 'Bash',
    input: 'ls',
    status: 'ok',
    points: points.map((text) => ({ text })),
    output: output.join('\n'),
  };
  const layout = { width: 80, style: plain, zone: 'utc', full, thinking: false, lastLine: 2 } as const;
  const story = { status: 'done', turns: [{ turn: 1, line: 1, items: [call] }] };
  const lines = [...new StoryText(layout).texts(story)].join('').split('\n');
  return lines.filter((line) => line.includes('│')).map((line) => line.replace(/^ *│ /, ''));
}

describe('the lines below a call', () => {
  it.each([0, 1, 11, 12, 13, 14, 30])(
    'are folded after twelve, with %i points before the output',
    (count) => {
      for (const rows of [1, 2, 11, 12, 13, 14, 40]) {
        const [points, output] = [texts('point', count), texts('row', rows)];
        const all = [...points, ...output];
        const rest = all.length - 12;
        const folded = [...all.slice(0, 12), `${rest} more lines, on line 1 (--full)`];
        expect(below(points, output, false)).toEqual(rest > 1 ? folded : all);
        expect(below(points, output, true)).toEqual(all);
      }
    },
  );
});
