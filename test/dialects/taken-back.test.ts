import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { damagedOf } from '../support/doctor-samples.ts';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

// A rewind of Claude Code leaves a branch: the next prompt has an earlier record as its parent.

const SESSION = 'abc00090-0000-4000-8000-0000000000ab';

interface Rec {
  readonly [name: string]: unknown;
}

const uuidOf = (place: number): string => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;

/** Writes a session: each record follows the one before, unless it names another parent. */
class Transcript {
  readonly #records: Rec[] = [];
  #last: string | null = null;

  #add(record: Rec, parentUuid = this.#last): string {
    const uuid = uuidOf(this.#records.length + 1);
    const at = new Date(Date.UTC(2026, 8, 1, 9) + 60_000 * this.#records.length).toISOString();
    const envelope = { parentUuid, isSidechain: false, sessionId: SESSION, version: '2.1.332', cwd: '/x' };
    this.#records.push({ ...envelope, uuid, timestamp: at, ...record });
    this.#last = uuid;
    return uuid;
  }

  /** A prompt and its answer of 10 tokens. Returns the id of the answer. */
  turn(text: string, parent?: string | null): string {
    this.#add({ type: 'user', message: { role: 'user', content: text } }, parent);
    const id = `msg_${this.#records.length}`;
    const usage = { input_tokens: 6, output_tokens: 4 };
    const content = [{ type: 'text', text: `done: ${text}` }];
    const message = { id, role: 'assistant', model: 'claude-x', stop_reason: 'end_turn', content, usage };
    return this.#add({ type: 'assistant', requestId: id, message });
  }

  /** A compaction, which may keep the messages from `head` to the last one. Returns the id of the summary. */
  compact(headUuid?: string): string {
    const before = this.#last;
    const boundary = { type: 'system', subtype: 'compact_boundary', content: 'compacted' };
    const anchorUuid = uuidOf(this.#records.length + 2);
    const preservedSegment = { headUuid, anchorUuid, tailUuid: before };
    const kept = headUuid === undefined ? {} : { compactMetadata: { trigger: 'manual', preservedSegment } };
    this.#add({ ...boundary, ...kept, logicalParentUuid: before, parentUuid: null });
    return this.#add({
      type: 'user',
      isCompactSummary: true,
      message: { role: 'user', content: 'This session is being continued.' },
    });
  }

  aside(text: string): void {
    const last = this.#last;
    this.#add({ type: 'user', isSidechain: true, message: { role: 'user', content: text } }, null);
    this.#last = last;
  }

  continuesFrom(leafUuid: string): void {
    this.#records.push({ type: 'last-prompt', leafUuid, sessionId: SESSION });
  }

  write(): string {
    const text = this.#records.map((record) => `${JSON.stringify(record)}\n`).join('');
    return join(writeTree({ [`${SESSION}.jsonl`]: text }), `${SESSION}.jsonl`);
  }
}

const out = async (...args: string[]): Promise<string> => (await runHere(args)).stdout;

interface Turn {
  readonly turn: number;
  readonly rolled_back?: true;
}

/** The numbers of the turns that were taken back, according to each command. */
async function takenBack(log: string): Promise<number[]> {
  const numbers = (turns: readonly Turn[]) => turns.flatMap((one) => (one.rolled_back ? [one.turn] : []));
  const read = numbers(JSON.parse(await out('read', log, '-j')).turns);
  const { steps } = JSON.parse(await out('show', log, '-j'));
  const rows = (await out('timeline', log, '-j')).trimEnd().split('\n');
  expect(numbers(steps.map((step: Rec) => ({ ...step, turn: Number(step['id']) })))).toEqual(read);
  expect(numbers(rows.map((row) => JSON.parse(row)))).toEqual(read);
  return read;
}

describe('a turn that a rewind of Claude Code took back', () => {
  test('is marked by every command, and its tokens count', async () => {
    const log = new Transcript();
    const first = log.turn('one');
    log.turn('two');
    log.turn('three');
    log.turn('four', first);
    const path = log.write();
    expect(await takenBack(path)).toEqual([2, 3]);
    const marked = (await out('read', path)).split('\n').filter((line) => line.includes('(taken back)'));
    expect(marked).toEqual([expect.stringContaining('Turn 2 '), expect.stringContaining('Turn 3 ')]);
    expect(await out('read', path, '-f', 'markdown')).toContain('## Turn 2 (taken back)\n');
    expect(await out('timeline', path)).toContain('2. (taken back) two');
    expect(await out('show', path, '--full')).toContain('(taken back) three');
    const { tokens } = JSON.parse(await out('show', path, '-j'));
    expect([tokens.input, tokens.output]).toEqual([24, 16]);
    const { branches } = JSON.parse(await out('doctor', path, '-j'));
    expect(branches).toEqual([{ line: 3, parts: 4 }]);
  });

  test('may be the first one, and may be taken back together with a second try', async () => {
    const log = new Transcript();
    log.turn('one');
    log.turn('one, again', null);
    const second = log.turn('two');
    log.turn('three');
    log.turn('three, again', second);
    // A record without a parent in the middle continues the one before it: the log does not show a rewind.
    expect(await takenBack(log.write())).toEqual([4]);
  });

  test('is marked before a compaction too, and what the compaction replaced is not', async () => {
    const log = new Transcript();
    const first = log.turn('one');
    log.turn('two');
    log.turn('three', first);
    log.compact();
    const fourth = log.turn('four');
    log.turn('five');
    log.turn('six', fourth);
    expect(await takenBack(log.write())).toEqual([2, 5]);
  });

  test('is marked before, between and after compactions that keep messages, and no other turn is', async () => {
    const log = new Transcript();
    const first = log.turn('one');
    log.turn('two');
    log.turn('three', first);
    log.compact(log.turn('four'));
    const fifth = log.turn('five');
    log.turn('six');
    log.compact(log.turn('seven', fifth));
    const eighth = log.turn('eight');
    log.turn('nine');
    log.turn('ten', eighth);
    expect(await takenBack(log.write())).toEqual([2, 6, 9]);
  });

  test('may follow a message that a compaction kept', async () => {
    const log = new Transcript();
    log.turn('one');
    const second = log.turn('two');
    log.turn('three');
    log.compact(second);
    log.turn('four');
    log.turn('five', second);
    expect(await takenBack(log.write())).toEqual([3, 4]);
  });

  test('is on no branch that the program continues from, or that was written last', async () => {
    const log = new Transcript();
    const first = log.turn('one');
    const second = log.turn('two');
    log.turn('three', first);
    log.turn('four', first);
    log.continuesFrom(second);
    expect(await takenBack(log.write())).toEqual([3]);
  });

  test('is not found in a session whose only other records are those of a subagent', async () => {
    const log = new Transcript();
    log.turn('one');
    log.aside('a task');
    log.turn('two');
    expect(await takenBack(log.write())).toEqual([]);
  });
});

/** Whether an earlier prompt descends from the parent of a prompt. */
function hasRewind(records: readonly Rec[]): boolean {
  const parents = new Map(records.map(({ uuid, parentUuid }) => [uuid, parentUuid]));
  const ancestors = new Set<unknown>();
  const isPrompt = ({ type, isSidechain, message }: Rec) =>
    type === 'user' && isSidechain !== true && !JSON.stringify(message).includes('"tool_result"');
  return records.filter(isPrompt).some(({ uuid, parentUuid }) => {
    if (ancestors.has(parentUuid) && !ancestors.has(uuid)) return true;
    for (let at: unknown = parentUuid; typeof at === 'string' && !ancestors.has(at); at = parents.get(at))
      ancestors.add(at);
    return false;
  });
}

/** The records of a log, without lines that are damaged. */
function recordsOf(text: string): Rec[] {
  return text.split('\n').flatMap((line): Rec[] => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

const isOfClaude = (text: string): boolean =>
  text.includes('"parentUuid":') && text.includes('"isSidechain":');

describe('a log of Claude Code has a turn that was taken back only if there was a rewind', () => {
  const marked = async (texts: Readonly<Record<string, string>>): Promise<string[]> => {
    const dir = writeTree(texts);
    const names: string[] = [];
    for (const name of Object.keys(texts)) {
      const { turns } = JSON.parse((await out('read', join(dir, name), '-j')) || '{}');
      if (turns?.some((turn: Turn) => turn.rolled_back)) names.push(name);
    }
    return names;
  };
  const rewound = (texts: Readonly<Record<string, string>>): string[] =>
    Object.keys(texts).filter((name) => hasRewind(recordsOf(texts[name] ?? '')));

  test('in each sample', async () => {
    const paths = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' });
    const logs = paths
      .filter((path) => path.endsWith('.jsonl'))
      .map((path) => [path, readFileSync(join(SAMPLES, path), 'utf8')] as const)
      .filter(([, text]) => isOfClaude(text));
    expect(logs.length).toBeGreaterThan(20);
    const texts = Object.fromEntries(logs);
    expect(rewound(texts).length).toBeGreaterThan(0);
    expect(await marked(texts)).toEqual(rewound(texts));
  });

  test.each(['claude', 'claude-compact'] as const)('in each damaged sample: %s', async (program) => {
    const logs = damagedOf(program).map(({ name, bytes }) => [`${name}.jsonl`, bytes.toString()] as const);
    const texts = Object.fromEntries(logs);
    // Where a branch was written last and another one continues, both are kept.
    expect(rewound(texts)).toEqual(expect.arrayContaining(await marked(texts)));
  });
});
