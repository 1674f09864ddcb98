import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type StateView, timeField, viewCell, viewFields } from '../../src/dialects/kit/state-view.ts';
import { eventHead, eventNeighbours } from '../../src/show/render/event-view.ts';
import { plain, styleOf } from '../../src/show/render/style.ts';
import { renderView, type ViewOptions } from '../../src/show/render/view.ts';
import { displayWidth } from '../../src/show/render/width.ts';
import { times } from '../support/length.ts';

const WIDE: ViewOptions = { style: plain, width: 80, cutWidth: Infinity, zone: 'utc' };

const view: StateView = [
  {
    fields: [
      ...viewFields([
        ['Run', 'debate-1', 'name'],
        ['Nothing', null],
        ['Winners', ['a', 'b'], 'good'],
      ]),
      ...timeField('Started', '2026-03-05T10:35:16.042Z'),
    ],
  },
  {
    title: 'Tasks',
    table: {
      columns: ['ID', 'STATUS', 'BRANCH', 'TITLE'],
      rows: [
        [viewCell('t1'), viewCell('complete', 'good'), viewCell(null), viewCell('Totals with tax')],
        [viewCell('t20'), viewCell('failed', 'bad'), viewCell(null), viewCell('漢字 and \u001b[31mred')],
      ],
    },
  },
  { title: 'Notes', lines: [{ text: 'first' }, { text: 'second', tone: 'muted' }] },
];

const SGR = /\u001b\[\d+m/g;

describe('a view of a state', () => {
  test('shows values next to labels, rows under titles, and lines', () => {
    expect(renderView(view, WIDE)).toMatchInlineSnapshot(`
      "Run       debate-1
      Winners   a, b
      Started   2026-03-05 10:35:16 UTC

      Tasks
        ID   STATUS    TITLE
        t1   complete  Totals with tax
        t20  failed    漢字 and \\x1b[31mred

      Notes
        first
        second
      "
    `);
  });

  test('is the same with colours, except for the colours', async () => {
    const coloured = renderView(view, { ...WIDE, style: await styleOf(1) });
    expect(coloured).toContain('\u001b[32mcomplete');
    expect(coloured.replace(SGR, '').replace(/ +$/gm, '')).toBe(renderView(view, WIDE));
  });

  test('for any text, no line is wider than the terminal and none breaks out', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(text, text, text, fc.integer({ min: 24, max: 120 }), (a, b, c, width) => {
        const hostile: StateView = [
          { title: 'T', fields: viewFields([['Label', a]]), lines: [viewCell(b)] },
          { table: { columns: ['A', 'B'], rows: [[viewCell(b), viewCell(c)]] } },
        ];
        const lines = renderView(hostile, { ...WIDE, width, cutWidth: width }).split('\n');
        for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }),
      { numRuns: times(200, 40) },
    );
  });
});

test('rows may be shorter than others, and longer than the titles', () => {
  const table = { columns: ['A'], rows: [[viewCell('1')], [viewCell('2'), viewCell('more')]] };
  expect(renderView([{ table }], WIDE)).toBe('  A\n  1\n  2  more\n');
});

test('a failed or open event is shown as such', () => {
  const span = {
    line: 3,
    name: 'call',
    id: 'e',
    phase: undefined,
    status: 'error',
    durationMs: 1500,
  } as never;
  const told = {
    event: {},
    span,
    type: 'call',
    agent: undefined,
    time: undefined,
    offset: undefined,
    cause: undefined,
    effects: [],
    moreEffects: 0,
  };
  expect(renderView(eventHead(told), WIDE)).toBe(
    'Line      3\nId        e\nType      call\nStatus    error\nTook      1.50 s\n',
  );
  const link = { span: { line: 1, name: 'plan', status: 'veto' } as never, text: 'first' };
  const around = { ...told, cause: link, missingCause: undefined, effects: [link], moreEffects: 2 };
  expect(renderView(eventNeighbours(around), WIDE)).toContain('and 2 more');
  expect(renderView(eventNeighbours({ ...told, missingCause: 'gone' }), WIDE)).toContain(
    'gone (not in this log)',
  );
});

test('the last column of a table is below the others where it has no room', () => {
  const table = {
    columns: ['RUNS', 'TOKENS', 'TOOL'],
    rows: [
      [{ text: '1' }, { text: '1,234,567' }, { text: 'a-tool-with-a-long-name' }],
      [{ text: '2' }, { text: '8' }, { text: '' }],
    ],
  };
  const shown = (cutWidth: number) => renderView([{ table }], { ...WIDE, cutWidth });
  expect(shown(60)).toBe('  RUNS  TOKENS     TOOL\n  1     1,234,567  a-tool-with-a-long-name\n  2     8\n');
  expect(shown(28)).toBe(
    '  RUNS  TOKENS\n    TOOL\n  1     1,234,567\n    a-tool-with-a-long-name\n  2     8\n',
  );
});
