import { isObject, type JsonObject, jsonEqual } from '../../../base/json/value.ts';
import { named, textOf } from '../../../base/json/write.ts';
import { type LogEnd, ReportingCheck } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import type { Row } from '../../../log/row.ts';
import { numberIn, objectIn, textIn } from '../../kit/members.ts';
import { isHead, lostHead, typeOf } from './records.ts';

/** A message or part that names another one, which may come later. */
interface Link {
  readonly to: string;
  readonly draft: FindingDraft;
}

/** Half of the numbers in the first twelve digits of an id, which begin again at 0 after 795 days. */
const HALF = 2 ** 47;

const numberOfId = (id: string): number => Number.parseInt(/^[a-z]+_([\da-f]{12})/.exec(id)?.[1] ?? '', 16);

/** Checks the ids of messages and parts, and what they name. */
export class MessageCheck extends ReportingCheck {
  readonly #messages = new Set<string>();
  /** The first part of each id. */
  readonly #parts = new Map<string, JsonObject>();
  readonly #links: Link[] = [];
  #session: string | undefined;
  #began: number | undefined;
  #last: { readonly id: string; readonly created: number } | undefined;
  #hasWrapped = false;

  row(row: Row): void {
    const { event } = row;
    if (isHead(event)) this.#head(row);
    else if (typeOf(event)?.startsWith('message/')) this.#message(row);
    else if (typeOf(event) === 'parts') this.#orphans(row);
    else if (typeOf(event) === 'damaged') this.#damaged(row);
    else if (typeOf(event) === 'lost') this.#lost(row);
  }

  end({ whole }: LogEnd): void {
    if (!whole) return;
    const said = new Set<string>();
    for (const { to, draft } of this.#links) {
      const key = `${draft.code} ${to}`;
      if (this.#messages.has(to) || said.has(key)) continue;
      said.add(key);
      this.report.report(draft);
    }
  }

  #head(row: Row): void {
    const info = objectIn(row.event, 'info');
    this.#session ??= textIn(info, 'id');
    this.#began ??= numberIn(objectIn(info, 'time'), 'created');
    const to = textIn(info['revert'], 'messageID');
    if (to === undefined) return;
    const message = `the session is reverted to the message ${named(to)}, which it does not have`;
    this.#link(row, to, 'lineage/unknown-target', message, ['info', 'revert', 'messageID']);
  }

  #link(
    row: Row,
    to: string,
    code: 'lineage/unknown-target' | 'lineage/missing-parent',
    message: string,
    path: (string | number)[],
  ) {
    this.#links.push({ to, draft: this.report.draft(row, { code, severity: 'warn', message, path }) });
  }

  #message(row: Row): void {
    const info = objectIn(row.event, 'info');
    const id = textIn(info, 'id');
    const isRepeated = id !== undefined && this.#messages.has(id);
    if (id !== undefined) this.#messages.add(id);
    this.#session ??= textIn(info, 'sessionID');
    if (isRepeated) return;
    const parent = textIn(info, 'parentID');
    if (parent !== undefined)
      this.#link(
        row,
        parent,
        'lineage/missing-parent',
        `the answer is to the message ${named(parent)}, which is not in this session`,
        ['info', 'parentID'],
      );
    const created = numberIn(objectIn(info, 'time'), 'created');
    if (id !== undefined && created !== undefined) this.#order(row, id, created);
    for (const [index, part] of this.#partsIn(row)) {
      this.#part(row, part, index);
      this.#owner(row, part, index, id);
    }
  }

  *#partsIn({ event }: Row): Generator<[index: number, part: JsonObject]> {
    const { parts } = event;
    if (!Array.isArray(parts)) return;
    for (const [index, part] of parts.entries()) if (isObject(part)) yield [index, part];
  }

  /** Reports ids that fall although the times rise, and messages that are older than the session. */
  #order(row: Row, id: string, created: number): void {
    const before = this.#last;
    this.#last = { id, created };
    if (this.#began !== undefined && created < this.#began)
      this.report.once(
        'copied',
        row,
        { code: 'lineage/copied', severity: 'info', path: ['info', 'time', 'created'] },
        (count) =>
          `${count} ${count === 1 ? 'message is' : 'messages are'} older than the session: it is a fork, and their tokens are those of its origin`,
      );
    if (before === undefined || this.#hasWrapped || created < before.created) return;
    // A fall by less than half is a clock that was set back, or another writer.
    if (!(numberOfId(before.id) - numberOfId(id) > HALF)) return;
    this.#hasWrapped = true;
    this.report.at(row, {
      code: 'session/id-wrap',
      message: `the ids of messages begin again at 0 here: ${named(id)} is newer than ${named(before.id)}, but sorts before it`,
      path: ['info', 'id'],
    });
  }

  #part(row: Row, part: JsonObject, index: number): void {
    const id = textIn(part, 'id');
    const session = textIn(part, 'sessionID');
    if (session !== undefined && this.#session !== undefined && session !== this.#session)
      this.report.once(
        'mixed part',
        row,
        {
          code: 'session/mixed',
          severity: 'warn',
          path: ['parts', index, 'sessionID'],
          expected: this.#session,
          actual: session,
        },
        (count) =>
          count === 1 ? 'a part belongs to another session' : `${count} parts belong to another session`,
      );
    const to = part['type'] === 'compaction' ? textIn(part, 'tail_start_id') : undefined;
    if (to !== undefined)
      this.#link(
        row,
        to,
        'lineage/unknown-target',
        `the compaction keeps the messages from ${named(to)} on, which is not in this session`,
        ['parts', index, 'tail_start_id'],
      );
    if (id === undefined) return;
    const first = this.#parts.get(id);
    if (first === undefined) this.#parts.set(id, part);
    else {
      const isSame = jsonEqual(first, part);
      this.report.at(row, {
        code: 'event/duplicate-id',
        severity: isSame ? 'warn' : 'error',
        message: `${isSame ? 'the same' : 'another'} part has the id ${named(id)}, in ${named(textIn(first, 'messageID') ?? '?')}`,
        path: ['parts', index, 'id'],
      });
    }
  }

  /** A part names the message that it is in. */
  #owner(row: Row, part: JsonObject, index: number, id: string | undefined): void {
    const owner = textIn(part, 'messageID');
    if (owner === undefined || owner === id) return;
    this.report.at(row, {
      code: 'lineage/orphan-part',
      message: `the part ${named(textIn(part, 'id') ?? '?')} belongs to the message ${named(owner)}, but is in another one`,
      path: ['parts', index, 'messageID'],
      ...(id !== undefined && { expected: id }),
      actual: owner,
    });
  }

  /** Parts without their message: a record for each message. */
  #orphans(row: Row): void {
    const parts = [...this.#partsIn(row)];
    for (const [index, part] of parts) this.#part(row, part, index);
    const owner = textIn(parts[0]?.[1], 'messageID') ?? '?';
    this.report.at(row, {
      code: 'lineage/orphan-part',
      message: `${parts.length === 1 ? 'a part belongs' : `${parts.length} parts belong`} to the message ${named(owner)}, which does not exist`,
      path: ['parts', 0, 'messageID'],
      actual: owner,
    });
  }

  /** Messages without their session. */
  #lost(row: Row): void {
    const id = lostHead(row.event) ?? '?';
    this.#session ??= id;
    this.report.at(row, {
      code: 'session/orphan-file',
      message: `the messages of the session ${named(id)} exist, but the session itself does not: it was not removed completely`,
      path: ['lost', 'id'],
    });
  }

  /** A text that a database or a file has in place of JSON. */
  #damaged(row: Row): void {
    const {
      id = '',
      file = '',
      text = '',
      offset,
      unread,
    } = Object.fromEntries(Object.entries(objectIn(row.event, 'damaged')));
    const name = textOf(file || id);
    if (typeof unread === 'string') {
      this.report.at(row, {
        code: 'artifact/unreadable',
        message: `${named(name)} cannot be read (${unread})`,
        path: ['damaged', 'unread'],
      });
      return;
    }
    const words = textOf(text);
    const [code, why] =
      words === ''
        ? (['log/empty', 'is empty'] as const)
        : words.replaceAll('\0', '') === ''
          ? (['log/nul-bytes', 'consists of zero bytes'] as const)
          : file !== '' && offset === words.length
            ? (['log/truncated', 'ends in the middle'] as const)
            : (['log/invalid-json', 'is not valid JSON'] as const);
    this.report.at(row, {
      code,
      severity: 'error',
      message: `${named(name)} ${why}`,
      path: ['damaged', 'text'],
    });
  }
}
