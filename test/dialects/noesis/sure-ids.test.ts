import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { parseExactJson } from '../../../src/base/json/parse.ts';
import { isObject, type JsonObject } from '../../../src/base/json/value.ts';
import { COLUMN, LAYOUT } from '../../../src/dialects/noesis/event/rows.ts';
import {
  CANDIDATE,
  candidateId,
  candidateNamespace,
  contentHash,
  DECISION,
  DIRECTIVE,
} from '../../../src/dialects/noesis/governance/ids.ts';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { useAccelerator } from '../../../src/log/accelerator/use.ts';
import type { Content } from '../../../src/log/content.ts';
import { LogForm } from '../../../src/log/log-form.ts';
import { LogParser } from '../../../src/log/parser.ts';
import { RowSource } from '../../../src/log/row.ts';
import { tempDir } from '../../support/temp.ts';

const root = tempDir();

afterEach(() => useAccelerator('always'));

const NAMESPACE = candidateNamespace('ep_01KJPWD6M0GKJVH2GKEFTDNN55');

/** The id that the parsed payload gives, however it is stored. */
function idOf(content: Content, payload: JsonObject): string | undefined {
  return content === CANDIDATE ? candidateId(payload, NAMESPACE) : contentHash(payload, content).id;
}

const NAMES = new Map([
  [DECISION, 'governance_id'],
  [DIRECTIVE, 'directive_id'],
  [CANDIDATE, 'action_candidate_id'],
]);

/** A number as somebody may store it; mostly as Python prints it. */
const number = fc.oneof(
  fc.integer().map(String),
  fc
    .tuple(fc.integer({ min: -20, max: 1e9 }), fc.integer({ min: 0, max: 9999999 }))
    .map(([a, b]) => `${a}.${b}`),
  fc.constantFrom(
    '0.0',
    '-0.0',
    '-0',
    '0.5',
    '1.50',
    '0.00012',
    '0.00001',
    '1e3',
    '1.5E-7',
    '999999999.999999',
  ),
  fc.constantFrom('1234567890.123456', '0.0000005', '123456789012345', '12345678901234.5', '2.675', '1e22'),
);

/** A text as somebody may store it. */
const text = fc
  .array(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc
          .string({ unit: 'grapheme', maxLength: 20 })
          .map((some) => JSON.stringify(some).slice(1, -1)),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom('\\n', '\\u0001', '\\u001f', '\\"', '\\\\', 'é', '😀', '\u007f', '\u2028'),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '\\u00e9',
          '\\/',
          '\\u000A',
          '\\u001F',
          '\\u0009',
          '\\u007f',
          '\\ud83d\\ude00',
        ),
      },
    ),
    { maxLength: 4 },
  )
  .map((parts) => `"${parts.join('')}"`);

/** The order of keys that Python has, and mostly the writer. */
const inOrder = (keys: string[]): string[] =>
  keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

const stored = (members: Readonly<Record<string, string>>): string =>
  `{${inOrder(Object.keys(members))
    .map((key) => `${JSON.stringify(key)}:${members[key]}`)
    .join(',')}}`;

const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    number,
    fc.constantFrom('null', 'true', 'false', '{}', '[]'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc
      .dictionary(fc.constantFrom('a', 'a!', 'aa', 'b', 'z', 'é', '😀', 'ﬀ', 'X'), tie('value'), {
        maxKeys: 4,
      })
      .map(stored),
  ),
}));

/** Payloads with members that are part of the content and others; some of them not as the runtime stores them. */
const payloads = fc.constantFrom(DECISION, DIRECTIVE, CANDIDATE).chain((content) => {
  const names = [...Object.keys(content.members), 'enforced', 'kind', 'x-note', 'x', 'zz', 'payload'];
  return fc.record({
    content: fc.constant(content),
    members: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 }),
    isReversed: fc.nat({ max: 9 }).map((one) => one === 0),
    isSpaced: fc.nat({ max: 9 }).map((one) => one === 0),
    edit: fc.option(fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }) })),
  });
});

/** The accelerator's answer about a payload, and the parsed payload; undefined if it is not a record. */
function judge(content: Content, line: Buffer): { isSure: boolean; payload: JsonObject } | undefined {
  const rows = RowSource.open(LogForm.stored(LAYOUT));
  let found: { isSure: boolean; payload: JsonObject } | undefined;
  const parser = new LogParser(rows, {
    row(row) {
      const payload = row.exact(COLUMN.payload);
      const isSure = row.hasContentId(COLUMN.payload, content, NAMESPACE);
      if (isObject(payload)) found = { isSure, payload };
    },
    corrupt: () => undefined,
  });
  parser.filled(line.copy(parser.room()));
  parser.end();
  rows.close();
  return found;
}

const lineOf = (payload: string): string => `{"id":"e1","payload":${payload},"phase":"governance"}\n`;

describe('ids that are hashes of stored bytes', () => {
  it('are certain only if the parsed payload agrees, after any edit, and usually then', () => {
    useAccelerator('always');
    let [sure, right] = [0, 0];
    fc.assert(
      fc.property(payloads, ({ content, members, isReversed, isSpaced, edit }) => {
        const name = NAMES.get(content) ?? '';
        const { [name]: _, ...rest } = members;
        const first = parseExactJson(stored(rest));
        const id = isObject(first) ? idOf(content, first) : undefined;
        const whole = stored({ ...rest, [name]: JSON.stringify(id ?? 'none') });
        const entries = Object.entries({ ...rest, [name]: JSON.stringify(id ?? 'none') });
        const payload = isReversed
          ? `{${entries
              .reverse()
              .map(([key, item]) => `${JSON.stringify(key)}:${item}`)
              .join(',')}}`
          : isSpaced
            ? whole.replace(':', ': ')
            : whole;
        const line = Buffer.from(lineOf(payload));
        const end = line.length - 1;
        if (edit !== null) line[edit.at % end] = edit.byte === 0x0a ? 0x20 : edit.byte;
        const found = judge(content, line);
        if (found === undefined) return;
        const made = idOf(content, found.payload);
        if (found.isSure) expect(made, line.toString()).toBe(found.payload[name]);
        if (found.isSure) sure += 1;
        if (made !== undefined && made === found.payload[name]) right += 1;
      }),
      { numRuns: 1500 },
    );
    expect(sure).toBeGreaterThan(right * 0.25);
    expect(sure).toBeGreaterThan(50);
  });

  it('are computed from the parsed payload if the content is very long', () => {
    useAccelerator('always');
    for (const [length, isSure] of [
      [1_000, true],
      [9_000, true],
      [12_000, false],
      [200_000, false],
    ] as const) {
      const message = JSON.stringify('m'.repeat(length));
      const { id } = contentHash({ message: 'm'.repeat(length) }, DECISION);
      const found = judge(DECISION, Buffer.from(lineOf(stored({ message, governance_id: `"${id}"` }))));
      expect(found?.isSure, String(length)).toBe(isSure);
    }
  });

  it('are uncertain if the id is not a text, or is another one', () => {
    useAccelerator('always');
    const { id = '' } = contentHash({ message: '' }, DECISION);
    for (const other of [
      'null',
      '5',
      `"${id.slice(0, -1)}"`,
      `"${id.toUpperCase()}"`,
      `"dir-${id.slice(4)}"`,
    ])
      expect(judge(DECISION, Buffer.from(lineOf(`{"governance_id":${other},"message":""}`)))?.isSure).toBe(
        false,
      );
    expect(judge(DECISION, Buffer.from(lineOf(`{"governance_id":"${id}","message":""}`)))?.isSure).toBe(true);
  });

  const decided = (members: JsonObject, id = contentHash(members, DECISION).id ?? ''): string =>
    JSON.stringify({ ...members, governance_id: id });
  const allow: JsonObject = { decision: 'allow', message: '', policy_id: 'p', score: 0.5 };
  const id = contentHash(allow, DECISION).id ?? '';
  const uncertain = decided(allow).replace('0.5', '0.50');

  it.each([
    ['the same decision twice', [decided(allow), decided(allow)], 0],
    ['another decision behind it', [decided(allow), decided({ ...allow, decision: 'veto' }, id)], 1],
    ['another decision before it', [decided({ ...allow, decision: 'veto' }, id), decided(allow)], 1],
    ['the same with a number that is written otherwise', [decided(allow), uncertain, decided(allow)], 0],
    ['the same before it, with an uncertain text', [decided({ ...allow, message: 1e22 }), decided(allow)], 0],
  ])(
    'give the findings of two decisions with one id that the parsed payloads give: %s',
    async (_, decisions, duplicates) => {
      const folder = join(root, 'ep_01KJPWD6M0GKJVH2GKEFTDNN55');
      mkdirSync(folder, { recursive: true });
      const lines = decisions.map(
        (payload, index) =>
          `{"agent_id":"a","episode_id":"ep_01KJPWD6M0GKJVH2GKEFTDNN55","evidence_ids":[],"id":"e${index}","payload":${payload},"phase":"governance","timestamp":"2026-03-01T10:00:0${index}Z"}\n`,
      );
      writeFileSync(join(folder, 'events.jsonl'), lines.join(''));
      useAccelerator('never');
      const plain = await verifyEpisode(folder);
      useAccelerator('always');
      expect(await verifyEpisode(folder)).toEqual(plain);
      expect(plain.findings.filter(({ code }) => code === 'governance/duplicate-id')).toHaveLength(
        duplicates,
      );
    },
  );
});
