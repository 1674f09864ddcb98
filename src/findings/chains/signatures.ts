import { createHmac, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { named } from '../../base/json/write.ts';
import type { EventRemark, EventReporter, LoggedEvent } from '../check.ts';
import { AllOrSome } from './all-or-some.ts';
import type { CanonicalWriter } from './canonical.ts';
import { type ChainRecord, Digest } from './digest.ts';
import { decoded, givenPublicKey, isKeyFile, keyOfBytes } from './keys.ts';
import { type Condition, conditionOf, isNull, type MemberPath, pathOf, textOf, valueAt } from './paths.ts';
import type { Profile } from './profile.ts';

type SignatureTable = NonNullable<Profile['signature']>;

interface SignatureSettings {
  readonly key: (kid: string) => Uint8Array | undefined;
  readonly requireSignature: boolean;
}

/** Keys recur, but a hostile log may have any number of them. */
const MOST_KEYS = 1000;

const isVerified = (bytes: Uint8Array, key: KeyObject, signature: Uint8Array): boolean => {
  try {
    return verify(null, bytes, key, signature);
  } catch {
    return false;
  }
};

/** Checks the signatures of records. */
export class Signatures {
  /** Records with a valid signature, and those of them that were checked with a given key. */
  valid = 0;
  pinned = 0;
  readonly #table: SignatureTable;
  readonly #report: EventReporter;
  readonly #settings: SignatureSettings;
  readonly #place: (member: string) => string[];
  readonly #digest: Digest;
  readonly #equals: Condition;
  readonly #member: MemberPath;
  readonly #key: MemberPath | undefined;
  readonly #kid: MemberPath | undefined;
  readonly #all: AllOrSome;
  readonly #keys = new Map<string, KeyObject | undefined>();
  readonly #own = new Set<string>();
  #wrong = 0;
  #unchecked = 0;
  /** Records whose own key is not a key in the encoding of the profile. */
  #unreadKeys = 0;

  constructor(
    chain: { readonly name: string; pathOf(member: string): string[] },
    table: SignatureTable,
    report: EventReporter,
    settings: SignatureSettings,
    writer: CanonicalWriter,
  ) {
    this.#table = table;
    this.#report = report;
    this.#settings = settings;
    this.#place = (member) => chain.pathOf(member);
    const { algorithm: _, encoding: __, prefix: ___, ...signed } = table;
    this.#digest = new Digest(signed, writer);
    this.#equals = conditionOf(table.equals);
    this.#member = pathOf(table.member);
    this.#key = table.key === undefined ? undefined : pathOf(table.key);
    this.#kid = table.kid === undefined ? undefined : pathOf(table.kid);
    this.#all = new AllOrSome(report, (count) =>
      this.#unreadKeys === count
        ? `${table.key} is not an Ed25519 public key in ${table.key_encoding ?? 'hex'} in any of ${count} records, so no signature could be checked`
        : `none of the ${count} signatures is valid: another key, another version of ${chain.name}, or every record was changed`,
    );
  }

  /** Whether every signature so far is valid. */
  get areValid(): boolean {
    return this.valid > 0 && this.#wrong === 0;
  }

  /** Whether signatures could be checked, with whatever result. */
  get areChecked(): boolean {
    return this.valid + this.#wrong > 0 && this.#unchecked === 0;
  }

  /** Checks a record. `isKnown`: it already has a finding, which explains a wrong signature. False if it is wrong. */
  check(row: LoggedEvent, record: ChainRecord, previous: string | undefined, isKnown: boolean): boolean {
    const { index, root } = record;
    const place = valueAt(index, root, this.#member);
    const text = isNull(index, place) ? undefined : textOf(index, place);
    if (text === undefined) return this.#unsigned(row, isKnown);
    const fault = this.#faultOf(row, record, previous, text);
    if (fault === undefined) return true;
    this.#wrong += 1;
    if (!isKnown) this.#all.wrong(row, { code: 'chain/signature', ...fault });
    return false;
  }

  #unsigned(row: LoggedEvent, isKnown: boolean): boolean {
    const { member, optional } = this.#table;
    const remark: EventRemark = {
      code: 'chain/unsigned',
      message: `the record has no ${member}`,
      path: this.#place(member),
    };
    if (optional !== true || this.#settings.requireSignature) {
      if (!isKnown) this.#report.at(row, { ...remark, severity: 'error' });
      return false;
    }
    this.#report.note(row, { ...remark, severity: 'info', message: 'the record is not signed' });
    return true;
  }

  /** What is wrong with a signature. */
  #faultOf(
    row: LoggedEvent,
    record: ChainRecord,
    previous: string | undefined,
    text: string,
  ): Pick<EventRemark, 'message' | 'path'> | undefined {
    const { index, root } = record;
    const { algorithm, member, prefix = '', encoding, key: keyMember = '' } = this.#table;
    const at = (path: MemberPath | undefined) =>
      path === undefined ? undefined : textOf(index, valueAt(index, root, path));
    for (const [path, value] of this.#equals)
      if (at(path) !== value)
        return { message: `${path.text} is not ${named(value)}`, path: this.#place(path.text) };
    const own = at(this.#key);
    const kid = at(this.#kid);
    if (own !== undefined && this.#own.size < MOST_KEYS) this.#own.add(own);
    const given = (kid === undefined ? undefined : this.#settings.key(kid)) ?? this.#settings.key('');
    if (given === undefined && own === undefined) {
      this.#leaveOpen(row);
      return undefined;
    }
    const path = this.#place(member);
    const signature = text.startsWith(prefix) ? decoded(text.slice(prefix.length), encoding) : undefined;
    if (signature === undefined) return { message: `${member} is not a signature in this format`, path };
    const key = algorithm === 'Ed25519' ? this.#keyFor(given, own, kid) : undefined;
    if (algorithm === 'Ed25519' && given === undefined && key === undefined) {
      this.#unreadKeys += 1;
      return {
        message: `${keyMember} is not an Ed25519 public key in ${this.#table.key_encoding ?? 'hex'}`,
        path: this.#place(keyMember),
      };
    }
    if (algorithm === 'Ed25519' && given !== undefined) {
      if (key === undefined)
        return {
          message: `--key has no Ed25519 public key${kid === undefined ? '' : ` for ${named(kid)}`}`,
          path,
        };
      if (own !== undefined && this.#ownKey(own)?.equals(key) !== true)
        return {
          message: 'the record was signed with another key than the given one',
          path: this.#place(keyMember),
        };
    }
    if (algorithm !== 'Ed25519' && given !== undefined && isKeyFile(given))
      return {
        message: '--key has a key for Ed25519, which anyone may know, but the signature needs a secret',
        path,
      };
    const bytes = this.#digest.bytes(record, previous);
    if (this.#digest.doubt !== undefined) return { message: this.#digest.doubt, path };
    const isValid =
      algorithm === 'Ed25519'
        ? key !== undefined && isVerified(bytes, key, signature)
        : given !== undefined && isMac(bytes, given, signature);
    if (!isValid)
      return { message: 'the signature does not fit: the record or its signature was changed', path };
    this.#all.right();
    this.valid += 1;
    if (given !== undefined) this.pinned += 1;
    return undefined;
  }

  #leaveOpen(row: LoggedEvent): void {
    this.#unchecked += 1;
    this.#report.note(row, {
      code: 'chain/unverified-signature',
      message: 'the signature was not checked, because no key was given',
      hint: 'name the key with --key KID=FILE, or --key =FILE if there is only one',
      ...(this.#settings.requireSignature && { severity: 'error' as const }),
    });
  }

  #keyFor(
    given: Uint8Array | undefined,
    own: string | undefined,
    kid: string | undefined,
  ): KeyObject | undefined {
    if (given !== undefined) return this.#cached(`given ${kid ?? ''}`, () => givenPublicKey(given, kid));
    return own === undefined ? undefined : this.#ownKey(own);
  }

  #ownKey(text: string): KeyObject | undefined {
    return this.#cached(`own ${text}`, () => {
      const bytes = decoded(text, this.#table.key_encoding);
      return bytes && keyOfBytes(bytes);
    });
  }

  #cached(name: string, read: () => KeyObject | undefined): KeyObject | undefined {
    if (!this.#keys.has(name)) {
      if (this.#keys.size >= MOST_KEYS) this.#keys.clear();
      this.#keys.set(name, read());
    }
    return this.#keys.get(name);
  }

  /** Reports what is only known at the end of the log, on its last line. */
  end(line: number): void {
    this.#all.end();
    if (this.#own.size > 1)
      this.#report.onLine(line, undefined, {
        code: 'chain/key-changed',
        message: `${this.#own.size} keys signed this log, and no record says that the key was changed`,
      });
    if (this.valid > this.pinned)
      this.#report.onLine(line, undefined, {
        code: 'chain/key-unpinned',
        message:
          'the signatures were checked with the key in the log: anyone who rewrites the log can sign it with another key',
        hint: 'name the key that you expect with --key =FILE',
        ...(this.#settings.requireSignature && { severity: 'error' as const }),
      });
  }
}

function isMac(bytes: Uint8Array, secret: Uint8Array, signature: Uint8Array): boolean {
  const right = createHmac('sha256', secret).update(bytes).digest();
  return signature.length === right.length && timingSafeEqual(right, signature);
}
