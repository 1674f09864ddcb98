import { tempFile } from '../support/temp.ts';

/** The shape of a session: its turns, the calls of each, and the lines of each output. */
export interface Shape {
  readonly turns: number;
  readonly calls: number;
  readonly lines: number;
  /** A compaction follows these turns, from 1. */
  readonly compactedAfter?: readonly number[];
}

const TOOLS = ['Bash', 'Read', 'Grep'] as const;

/** The command of a call. Its second line is folded. */
export const commandOf = (turn: number, call: number): string =>
  `run ${turn} ${call}\n# folded ${turn} ${call}`;

/** The last line of the output of a call. */
export const needle = (turn: number, call: number): string => `needle<${turn}>&${call}.`;

/** The tool of a call. */
export const toolOf = (call: number): string => TOOLS[call % TOOLS.length] ?? 'Bash';

/** The tokens that the request before a call contained. */
export const contextOf = (turn: number, call: number): number => turn * 1000 + call * 10 + 5;

/** Writes the log of a Claude Code session: a minute per turn, and a second per call. */
export function longSession({ turns, calls, lines, compactedAfter = [] }: Shape): string {
  const records: string[] = [];
  let [count, time] = [0, Date.parse('2026-03-02T09:00:00Z')];
  const add = (record: object) => {
    const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const head = {
      parentUuid: count === 0 ? null : uuid(count),
      isSidechain: false,
      cwd: '/home/usr/shop',
      sessionId: 'aaaaaaaa-0000-4000-8000-000000000001',
      version: '2.1.0',
      timestamp: new Date(time).toISOString(),
    };
    count += 1;
    records.push(`${JSON.stringify({ ...head, ...record, uuid: uuid(count) })}\n`);
  };
  const answer = (id: string, content: object, tokens: number) =>
    add({
      type: 'assistant',
      requestId: `req_${id}`,
      message: {
        id: `msg_${id}`,
        role: 'assistant',
        model: 'claude-opus-4-5',
        content: [content],
        stop_reason: 'type' in content && content.type === 'tool_use' ? 'tool_use' : 'end_turn',
        usage: { input_tokens: tokens, output_tokens: 10 },
      },
    });
  for (let turn = 1; turn <= turns; turn += 1) {
    const began = time;
    add({ type: 'user', message: { role: 'user', content: `Task ${turn}` } });
    for (let call = 0; call < calls; call += 1) {
      const id = `toolu_${turn}_${call}`;
      const name = toolOf(call);
      const input =
        name === 'Bash' ? { command: commandOf(turn, call) } : { pattern: `p${turn}`, file_path: 'a' };
      answer(id, { type: 'tool_use', id, name, input }, contextOf(turn, call));
      time += 1000;
      const output = Array.from({ length: lines }, (_, line) => `${line}\tof ${turn} ${call}`);
      const content = [...output, needle(turn, call)].join('\n');
      add({
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
      });
    }
    answer(`end_${turn}`, { type: 'text', text: `Done ${turn}` }, contextOf(turn, calls));
    if (compactedAfter.includes(turn))
      add({ type: 'system', subtype: 'compact_boundary', content: 'compacted', isMeta: false });
    time = began + 60_000;
  }
  return tempFile(records.join(''), 'session.jsonl');
}
