import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/value.ts';
import { CHAIN_CASES, CHAIN_SAMPLES, shortName, verifyChained } from '../findings/chains/chain-samples.ts';
import { tempFile } from '../support/temp.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trim().split('\n');
const parsed = (line: string): JsonObject => JSON.parse(line) as JsonObject;
const logOf = (records: readonly JsonValue[], name = 'log.jsonl'): string =>
  tempFile(records.map((record) => `${JSON.stringify(record)}\n`).join(''), name);

/** JSON with sorted keys; `gap` is what follows commas and colons. */
function sorted(value: unknown, gap = ''): string {
  if (Array.isArray(value)) return `[${value.map((item) => sorted(item, gap)).join(`,${gap}`)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${gap}${sorted(inner, gap)}`);
  return `{${members.join(`,${gap}`)}}`;
}

/** Adds to each record the members of a chain that needs no key. */
function withSecondChain(records: readonly JsonObject[]): JsonObject[] {
  let previous = 'genesis';
  return records.map((record) => {
    const own = { ...record, ts: record['ts'] ?? record['timestamp'] ?? record['ts_ms'] ?? 1 };
    previous = sha256(previous + sorted(own, ' ')).slice(0, 32);
    return { ...own, chain: previous };
  });
}

/** The first text in a record that an attacker would change. */
function edited(record: JsonObject): JsonObject {
  const text = JSON.stringify(record).replace(/:"(?:deny|allow|ok|success|[a-z]{3,12})"/, ':"forged"');
  expect(text).not.toBe(JSON.stringify(record));
  return parsed(text);
}

describe('the members of a second chain, whose hashes need no key,', () => {
  const signed = CHAIN_CASES.filter(({ ok, key, log }) => ok && key !== undefined && log.endsWith('.jsonl'));
  test('are tried with signed logs of several programs', () => expect(signed.length).toBeGreaterThan(3));

  test.each(signed.map((one) => [shortName(one.log), one] as const))(
    'do not silence the signatures of %s',
    async (_, { log, key }) => {
      const records = linesOf(log).map(parsed);
      const forged = records.map((record, at) => (at === 1 ? edited(record) : record));
      const path = logOf(withSecondChain(forged));
      expect((await verifyChained(path, { key })).verdict).toBe('fail');
    },
  );
});

describe('a signature of a part of each record', () => {
  test('is no signature of what only an open chain covers', async () => {
    const log = join(CHAIN_SAMPLES, 'pipelock-receipt/intact/valid-chain.jsonl');
    const signer = parsed(linesOf(log)[0] ?? '')['detail'] as JsonObject;
    const key = Buffer.from(String(signer['signer_key']));
    let previous = 'genesis';
    const forged = linesOf(log).map((line) => {
      const record: JsonObject = {
        ...parsed(line),
        ts: '2020-01-01T00:00:00Z',
        summary: 'nothing happened',
        prev_hash: previous,
      };
      const {
        v,
        seq,
        ts,
        session_id,
        trace_id = '',
        type,
        transport,
        summary,
        detail,
        raw_ref = '',
      } = record;
      const parts = [
        v,
        seq,
        ts,
        session_id,
        trace_id,
        type,
        transport,
        summary,
        JSON.stringify(detail),
        raw_ref,
      ];
      previous = sha256([...parts, previous].join('\0'));
      return { ...record, hash: previous };
    });
    const { level, verdict, findings } = await verifyChained(logOf(forged), { key, expectCount: 5 });
    expect([level, verdict]).toEqual(['sealed', 'ok']);
    const said = findings.find(({ message }) => message.startsWith('no signature covers'));
    expect(said?.message).toContain('ts');
    expect(said?.message).toContain('summary');
  });
});

describe('records that are signed, and not linked,', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }) as string);
  const receipts = [0, 1, 2, 3, 4].map((at): JsonObject => {
    const payload = { decision: at === 2 ? 'deny' : 'allow', request_id: `r${at}`, agent_id: 'a' };
    const issued_at = `2026-01-01T00:00:0${at}Z`;
    const record = { v: 2, type: 'decision_receipt', kid: 'k1', issued_at, payload };
    return { ...record, signature: sign(null, Buffer.from(sorted(record)), privateKey).toString('hex') };
  });

  test.each([
    ['as they were written', [0, 1, 2, 3, 4]],
    ['without one, with another twice, in another order', [3, 1, 1, 0, 4]],
  ])('prove no more than each record: %s', async (_, order) => {
    const log = logOf(order.flatMap((at) => receipts[at] ?? []));
    const { level, notProven } = await verifyChained(log, { key, expectCount: 5 });
    expect(level).toBe('consistent');
    expect(notProven).toContain('removed, repeated or moved');
  });
});
