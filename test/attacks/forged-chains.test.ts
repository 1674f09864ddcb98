import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/value.ts';
import { type Profile, profileSchema, profilesSchema } from '../../src/findings/chains/profile.ts';
import {
  CHAIN_CASES,
  CHAIN_SAMPLES,
  type ChainVerification,
  shortName,
  verifyChained,
} from '../findings/chains/chain-samples.ts';
import { MINE } from '../findings/chains/declared-chain.ts';
import { tempDir, tempFile } from '../support/temp.ts';

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
    ['without one, in another order', [3, 1, 0, 4]],
  ])('prove no more than each record: %s', async (_, order) => {
    const log = logOf(order.flatMap((at) => receipts[at] ?? []));
    const { level, notProven } = await verifyChained(log, { key, expectCount: order.length });
    expect(level).toBe('consistent');
    expect(notProven).toContain('removed, repeated or moved');
  });

  test('are not the same record twice', async () => {
    const log = logOf([0, 1, 1, 2].flatMap((at) => receipts[at] ?? []));
    expect(await found(log, { key })).toEqual([
      expect.stringContaining('error chain/broken-link: the record is a copy of line 2: it was added'),
    ]);
  });
});

/** The findings of a log except for those that every one of these logs has: code, severity and message. */
async function found(log: string, options: ChainVerification = {}): Promise<string[]> {
  const { findings } = await verifyChained(log, options);
  return findings
    .filter(
      ({ code }) => code !== 'chain/no-guard' && code !== 'chain/key-unpinned' && !code.startsWith('log/'),
    )
    .map(({ code, severity, message }) => `${severity} ${code}: ${message}`);
}
const textLog = (lines: readonly string[], name = 'log.jsonl'): string =>
  tempFile(`${lines.join('\n')}\n`, name);
const sampleLines = (path: string): string[] => linesOf(join(CHAIN_SAMPLES, path));

/** Records that a program chains: `link` puts the hash before into a record, and `hashed` is what the hash covers. */
function chained<Member extends JsonObject>(
  members: readonly Member[],
  link: (member: Member, previous: string) => JsonObject,
  hashed: (record: JsonObject) => unknown = (record) => record,
): JsonObject[] {
  let previous = 'start';
  return members.map((member) => {
    const record = link(member, previous);
    previous = sha256(sorted(hashed(record)));
    return { ...record, sum: previous };
  });
}

const FIVE = [1, 2, 3, 4, 5].map((id) => ({ id, text: `t${id}` }));

describe('a copy that readers see, next to the text that the hash covers,', () => {
  /** The sample with another second event, and all hashes computed again. */
  function withEvent(event: string | undefined, json: string): string {
    let previous: string | null = null;
    const lines = sampleLines('nono/intact/nono-no-end.jsonl').map((line, at) => {
      const { event: own, ...record } = parsed(line);
      const event_json = at === 1 ? json : String(record['event_json']);
      const leaf_hash = sha256(`nono.audit.event.alpha\n${event_json}`);
      const chain_hash = createHash('sha256')
        .update('nono.audit.chain.alpha\n')
        .update(previous === null ? Buffer.alloc(32) : Buffer.from(previous, 'hex'))
        .update(Buffer.from(leaf_hash, 'hex'))
        .digest('hex');
      const stored = JSON.stringify({ ...record, event_json, leaf_hash, prev_chain: previous, chain_hash });
      previous = chain_hash;
      const shown = at === 1 ? event : JSON.stringify(own);
      return shown === undefined ? stored : `{"event":${shown},${stored.slice(1)}`;
    });
    return textLog(lines);
  }

  test.each([
    ['is missing', undefined, '{"type":"x"}'],
    ['is null', 'null', '{"type":"x"}'],
    ['has another value', '{"type":"y"}', '{"type":"x"}'],
    ['hides a repeated key', '{"type":"x"}', '{"type":"y","type":"x"}'],
    ['is as deep as the stack', '{"type":"x"}', '['.repeat(100_000) + ']'.repeat(100_000)],
  ])('is an error if it %s', async (_, event, json) => {
    expect(await found(withEvent(event, json))).toEqual([expect.stringContaining('error chain/hash: event')]);
  });

  test('is ambiguous if a number in it is equal only for some programs', async () => {
    const [one, other] = ['{"type":"x","n":9007199254740993}', '{"type":"x","n":9007199254740992}'];
    expect(await found(withEvent(one, other))).toEqual([
      expect.stringContaining('info chain/ambiguous-number: programs print the number 900719925474099'),
    ]);
    expect(await found(withEvent(one, one))).toEqual([]);
  });

  test('may be the same text, which is not JSON', async () => {
    const profiles = { mine: { ...MINE, same: { text: 'copy' }, only: ['seq', 'prev', 'copy'] } };
    const log = (text: string) =>
      logOf(
        chained(
          [{ seq: 1 }, { seq: 2 }],
          ({ seq }, prev) => ({ seq, prev, copy: 'a step', text }),
          ({ text: _, ...record }) => record,
        ),
      );
    const { without: _, ...table } = profiles.mine;
    expect(await found(log('a step'), { profiles: { mine: { ...table, over: 'sorted' } } })).toEqual([]);
    expect(await found(log('other'), { profiles: { mine: { ...table, over: 'sorted' } } })).toHaveLength(2);
  });
});

describe('records that are in no chain', () => {
  test('are named', async () => {
    const records = sampleLines('arcaeon/intact/arcaeon.jsonl');
    const forged = '{"ts":"2026-01-01T00:00:00Z","tool":"forged"}';
    const said = (message: string) => expect.stringContaining(`warn chain/uncovered: ${message}`);
    expect(await found(textLog([forged, ...records]))).toContainEqual(said('the record is in no chain'));
    const two = await found(textLog([forged, forged, ...records]));
    expect(two).toContainEqual(said('2 records, of which this is the first, are in no chain'));
  });
});

describe('the text of a signature or a key', () => {
  const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const withOther = (line: string, member: string, other: (text: string) => string): string =>
    line.replace(new RegExp(`("${member}": ?")([^"]*)"`), (_, before, text) => `${before}${other(text)}"`);

  test.each([
    [
      'in capital letters',
      'kriya/intact/egress_ledger.jsonl',
      'signature',
      (text: string) => text.toUpperCase(),
    ],
    [
      'with other bits after its end',
      'gef/intact/hn.jsonl',
      'signature',
      (text: string) => text.slice(0, -1) + DIGITS[DIGITS.indexOf(text.at(-1) ?? '') ^ 1],
    ],
    [
      'in capital letters',
      'agt-receipt/intact/agt-receipt.jsonl',
      'signer_public_key',
      (text: string) => text.toUpperCase(),
    ],
  ])('%s, as %s %s, is not the same', async (_, path, member, other) => {
    const lines = sampleLines(path);
    const last = withOther(lines.at(-1) ?? '', member, other);
    expect(last).not.toBe(lines.at(-1));
    expect(await found(textLog(lines.with(-1, last)))).toContainEqual(
      expect.stringContaining('error chain/signature'),
    );
  });

  test('that is not in the encoding of the profile is not nothing', async () => {
    const over = [{ previous: 'text' as const }, { member: 'leaf', as: 'bytes' as const }];
    const profiles = { mine: { detect: ['leaf', 'sum'], link: 'prev', genesis: 'start', hash: 'sum', over } };
    const log = (leaf: string) => logOf([{ leaf, prev: 'start', sum: sha256('start') }]);
    expect(await found(log(''), { profiles })).toEqual([]);
    expect(await found(log('not hex'), { profiles })).toEqual([
      expect.stringContaining('error chain/ambiguous: leaf is not bytes in hex'),
    ]);
  });
});

describe('a member whose name looks like a path', () => {
  const nested: Profile = {
    detect: ['id', 'meta.prev', 'sum=^[0-9a-f]{64}$'],
    link: 'meta.prev',
    genesis: 'start',
    hash: 'sum',
    over: 'sorted',
    only: ['id', 'meta', 'text'],
  };
  const records = chained(FIVE, (one, prev) => ({ ...one, meta: { prev } }));

  test('cannot replace a link', async () => {
    const profiles = { mine: nested };
    expect(await found(logOf(records), { profiles })).toEqual([]);
    const removed = records.toSpliced(2, 1);
    const forged = removed.with(2, { ...removed[2], 'meta.prev': removed[1]?.['sum'] ?? null });
    expect(await found(logOf(forged), { profiles })).toContainEqual(
      expect.stringContaining('error chain/ambiguous: the record has a member named meta.prev'),
    );
  });

  test('cannot replace what readers see of a record', async () => {
    const map = { type: 'meta.prev', text: 'text.title' };
    const profiles = { mine: { ...nested, map } };
    const titled = chained(FIVE, ({ id }, prev) => ({ id, meta: { prev }, text: { title: 'a' } }));
    const forged = titled.with(1, { ...titled[1], 'text.title': 'forged' });
    expect(await found(logOf(titled), { profiles })).toEqual([]);
    expect(await found(logOf(forged), { profiles })).toContainEqual(
      expect.stringContaining('error chain/ambiguous'),
    );
  });
});

describe('hashes and signatures of a part of each record', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }) as string);
  const base: Profile = {
    detect: ['id', 'prev', 'sum'],
    link: 'prev',
    genesis: 'start',
    hash: 'sum',
    over: 'sorted',
  };
  const signature = { member: 'sig', algorithm: 'Ed25519', over: 'sorted' } as const;
  const signed = (records: readonly JsonObject[], only: readonly string[]) =>
    records.map((record) => {
      const part = Object.fromEntries(only.map((name) => [name, record[name]]));
      return { ...record, sig: sign(null, Buffer.from(sorted(part)), privateKey).toString('hex') };
    });

  test('do not prove the order if they do not cover the links', async () => {
    const profiles = { mine: { ...base, only: ['id', 'text'] } };
    const records = chained(
      FIVE,
      (one, prev) => ({ ...one, prev }),
      ({ prev: _, ...hashed }) => hashed,
    );
    const removed = records.toSpliced(2, 1);
    const forged = removed.with(2, { ...removed[2], prev: removed[1]?.['sum'] ?? null });
    const { notProven } = await verifyChained(logOf(forged), { profiles, expectCount: 4 });
    expect(notProven).toContain('removed, repeated or moved');
    expect(await found(logOf(forged), { profiles })).toEqual([
      expect.stringContaining('warn chain/uncovered: no hash or checked signature covers prev'),
    ]);
  });

  test.each([
    ['a part of the record', ['text'], 'sealed'],
    ['a part of the record and the link', ['text', 'prev'], 'sealed'],
    ['everything but the link', ['id', 'text'], 'sealed'],
    ['everything', ['id', 'prev', 'text'], 'signed'],
    ['the hash of everything', ['sum'], 'signed'],
  ])('that sign %s reach that level', async (_, only, level) => {
    const profiles = { mine: { ...base, without: ['sum', 'sig'], signature: { ...signature, only } } };
    const records = signed(
      chained(FIVE, (one, prev) => ({ ...one, prev })),
      only,
    );
    const report = await verifyChained(logOf(records), { profiles, key, expectCount: 5 });
    expect([report.level, report.verdict]).toEqual([level, 'ok']);
    expect(report.findings.map(({ message }) => message).join()).toContain(
      level === 'sealed' ? 'no signature covers' : '',
    );
  });

  test('name the group if they do not cover it', async () => {
    const profiles = { mine: { ...base, group: 'who', without: ['sum', 'who'] } };
    const records = chained(FIVE, (one, prev) => ({ ...one, prev })).map((one) => ({ ...one, who: 'a' }));
    expect(await found(logOf(records), { profiles })).toEqual([
      expect.stringContaining('info chain/uncovered: no hash or checked signature covers who'),
    ]);
  });
});

describe('a public key', () => {
  test('is no secret of an HMAC, which anyone could compute', async () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const lines = sampleLines('agt-file-sink/intact/agt-file-sink.jsonl');
    const jwk = publicKey.export({ format: 'jwk' });
    for (const file of [
      publicKey.export({ type: 'spki', format: 'pem' }),
      JSON.stringify(jwk),
      JSON.stringify({ keys: [jwk] }),
    ]) {
      const key = Buffer.from(String(file));
      const forged = lines.map((line) => {
        const mac = createHmac('sha256', key)
          .update(String(parsed(line)['content_hash']))
          .digest('hex');
        return line.replace(/("signature": ?")[^"]*/, (_, before) => before + mac);
      });
      expect(await found(textLog(forged), { key })).toContainEqual(
        expect.stringContaining('error chain/signature'),
      );
    }
  });
});

describe('a head file next to a log', () => {
  const bundle = (name: string) => join(CHAIN_SAMPLES, 'gef/intact/bundle', name);
  function beside(manifest: (text: string) => string): string {
    const folder = tempDir();
    mkdirSync(folder, { recursive: true });
    copyFileSync(bundle('ledger.gef'), join(folder, 'ledger.gef'));
    writeFileSync(join(folder, 'manifest.json'), manifest(readFileSync(bundle('manifest.json'), 'utf8')));
    return join(folder, 'ledger.gef');
  }

  test.each([
    ['that is torn', (text: string) => text.slice(0, 50), 'is not valid JSON'],
    ['with a repeated key', (text: string) => text.replace('{', '{"entry_count":1,'), 'has a repeated key'],
  ])('%s is named, and guards nothing', async (_, manifest, message) => {
    const log = beside(manifest);
    expect(await found(log)).toEqual([expect.stringContaining(`warn chain/head: manifest.json ${message}`)]);
    expect((await verifyChained(log)).level).toBe('consistent');
  });

  test('that is a folder is named, and guards nothing', async () => {
    const log = beside((text) => text);
    rmSync(join(dirname(log), 'manifest.json'));
    mkdirSync(join(dirname(log), 'manifest.json'));
    expect(await found(log)).toEqual([
      expect.stringContaining('warn chain/head: manifest.json is not a file'),
    ]);
  });

  test('must count with a number', async () => {
    const log = beside((text) => text.replace(/"entry_count": *\d+/, '"entry_count":"two"'));
    expect(await found(log)).toEqual([
      expect.stringContaining('error chain/count: manifest.json counts records, but not with a number'),
    ]);
  });

  test('that is not signed does not prove the number of signed records', async () => {
    const [first = ''] = linesOf(bundle('ledger.gef'));
    const key = Buffer.from(String(parsed(first)['signer_public_key']));
    const log = beside((text) => text);
    const { notProven } = await verifyChained(log, { key });
    expect(notProven).toContain('the number of records is not signed');
    expect((await verifyChained(log, { key, expectCount: 2 })).notProven).toContain('not anchored');
  });
});

describe('the members of a second chain that does not hold', () => {
  test('do not hide what no hash covers', async () => {
    const lines = sampleLines('hermes/intact/hermes.jsonl').map((line) => ({
      ...parsed(line),
      note: 'x',
      chain: 'a'.repeat(32),
    }));
    expect(await found(logOf(lines))).toContainEqual(expect.stringMatching(/chain\/uncovered: .* note/));
  });
});

/** Milliseconds of processor time: a pattern that is compiled in full takes minutes. */
const HANGS = 20_000;

describe('a hostile profile', () => {
  test.each(['^[a-z]{1,900}$', '^(a?){400}$', '^([a-f]?[d-h]?[g-p]?[o-t]?){100}$', '^(a|b)*a(a|b){9}$'])(
    'cannot compile the pattern %s for seconds',
    (pattern) => {
      const began = process.cpuUsage();
      expect(profileSchema.safeParse({ ...MINE, detect: [`seq=${pattern}`] }).success).toBe(false);
      expect(process.cpuUsage(began).user / 1000).toBeLessThan(HANGS);
    },
  );

  test('cannot have thousands of patterns', () => {
    const tables = Array.from({ length: 100 }, (_, at) => [
      `p${at}`,
      { ...MINE, detect: Array.from({ length: 100 }, (__, number) => `seq=^[a-z]{1,${at}}x{${number}}$`) },
    ]);
    const began = process.cpuUsage();
    expect(profilesSchema.safeParse(Object.fromEntries(tables)).success).toBe(false);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(HANGS);
  });
});

test('a value of a member that is true or false can identify a chain', async () => {
  const profiles = { mine: { ...MINE, detect: ['final=true', 'sum'] } };
  const { sequence: _, ...table } = profiles.mine;
  const records = chained(FIVE, (one, prev) => ({ ...one, prev, final: true }));
  const { chains } = await verifyChained(logOf(records), { profiles: { mine: table } });
  expect(chains).toMatchObject([{ name: 'mine', records: 5 }]);
});
