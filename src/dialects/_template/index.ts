import { defineDialect, memberText } from '../kit/define.ts';
import { firstLine } from '../kit/excerpt.ts';
import { textIn } from '../kit/members.ts';

// To begin a format, copy this folder; docs/formats/add-a-format.md says what to change. A record of its logs:
// {"format":"template","id":"a","time":"2026-01-01T00:00:00Z","type":"say","agent":"ann","text":"hi","step":1}

/** Logs of the template: one event per line. Code that only one command needs is loaded by that command. */
export const template = defineDialect({
  name: 'template',
  title: 'Template log',
  detect: ({ records }) => records.some(({ format }) => format === 'template'),
  logFiles: (names) => names.filter((name) => name.endsWith('.template.jsonl')),
  members: { id: 'id', time: 'time', type: 'type', agent: 'agent', cause: 'parent' },
  reads: ['room'],
  filters: [{ name: 'room', value: memberText('room') }],
  columns: [
    { title: 'TYPE', width: 10, cell: (event) => textIn(event, 'type') ?? '' },
    { title: 'TEXT', width: 30, cell: (event) => textIn(event, 'text') ?? '' },
  ],
  summary: ({ head, tail }) => ({
    task: firstLine(textIn(head[0], 'text') ?? ''),
    status: tail.at(-1)?.['type'] === 'end' ? 'finished' : 'running',
  }),
  ending: () => ({ isOver: ({ value }) => value['type'] === 'end' }),
  verify: async (target, options) => (await import('./verify.ts')).verifyTemplate(target, options),
});
