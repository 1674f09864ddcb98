import type { JsonObject } from '../../../../base/json/value.ts';
import { type LoggedEvent, ReportingCheck } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { listIn, objectIn, textIn } from '../../../kit/members.ts';
import { isPrompt, resultBlocks, textOfMessage } from '../records.ts';
import {
  AnswerHash,
  hashesIn,
  messageHash,
  resultSaid,
  type SentMessage,
  sentIn,
  withoutReminders,
} from '../requests.ts';
import { COLUMN } from '../rows.ts';

const CODE = 'session/request-hash';

/** An answer that the next request contains. */
interface Answer {
  readonly line: number;
  readonly id: string | undefined;
  readonly hash: AnswerHash;
}

/** A prompt that the next message of the user contains. */
interface Prompt {
  readonly line: number;
  readonly id: string | undefined;
  readonly text: string;
}

/**
 * Compares answers, prompts and results with the hashes of the requests that contained them. A message is first sent in
 * the request after it; later requests may shorten it. What was not sent yet is not covered.
 */
export class RequestCheck extends ReportingCheck {
  /** Whether the log has requests; before the first one, no record is parsed. */
  #isRecorded = false;
  readonly #sent = new Set<string>();
  readonly #blobs = new Set<string>();
  readonly #answers = new Map<string, Answer>();
  #prompts: Prompt[] = [];
  /** Results since the last message of the user, by the id of their call. */
  readonly #results = new Map<string, Prompt>();

  row(row: Row): void {
    const type = row.text(COLUMN.type);
    if (type === 'api-request' || type === 'api-request-blob') {
      this.#isRecorded = true;
      if (type === 'api-request') this.#request(row.event);
      else this.#blob(row);
      return;
    }
    if (row.value(COLUMN.aside) === true) return;
    if (type === 'assistant') {
      if (this.#isRecorded) this.#answer(row);
    } else if (type === 'user') this.#said(row);
  }

  #answer({ event, line, id }: LoggedEvent): void {
    const message = objectIn(event, 'message');
    const answer = textIn(message, 'id');
    if (answer === undefined || event['isApiErrorMessage'] === true) return;
    let open = this.#answers.get(answer);
    if (open === undefined) {
      open = { line, id, hash: new AnswerHash() };
      this.#answers.set(answer, open);
    }
    open.hash.add(listIn(message, 'content'));
  }

  #said(row: Row): void {
    // The first prompt comes before the first request.
    const { event, line, id } = row;
    for (const block of resultBlocks(event)) {
      const call = textIn(block, 'tool_use_id');
      if (call !== undefined) this.#results.set(call, { line, id, text: resultSaid(block) });
    }
    if (isPrompt(event))
      this.#prompts.push({ line, id, text: withoutReminders(textOfMessage(event)).trim() });
  }

  #blob(row: LoggedEvent): void {
    const { event } = row;
    const hash = textIn(event, 'hash');
    if (hash === undefined) return;
    if (messageHash(objectIn(event, 'message')) !== hash) {
      // Nothing can be compared with it. What it says is not part of the conversation.
      this.report.note(row, {
        code: CODE,
        severity: 'info',
        message:
          'the message of a request does not have its hash: prompts and results were not compared with it',
      });
      return;
    }
    this.#blobs.add(hash);
    this.#compare(sentIn(event));
  }

  /** Compares what was recorded with a message that was sent. */
  #compare({ prompt, results }: SentMessage): void {
    for (const [call, block] of results) {
      const recorded = this.#results.get(call);
      if (recorded === undefined) continue;
      this.#results.delete(call);
      if (recorded.text !== resultSaid(block))
        this.#differs(recorded.line, recorded.id, `the result of ${call} is not the one that was sent`);
    }
    if (prompt === '' || this.#prompts.length === 0) return;
    const prompts = this.#prompts;
    this.#prompts = [];
    const isSent = prompts.every(({ text }) => prompt.includes(text));
    // If only one prompt was sent, nothing but it and reminders is in the message.
    const [only] = prompts;
    const isWhole = prompts.length > 1 || only?.text === prompt;
    const wrong = isSent ? (isWhole ? undefined : only) : prompts.find(({ text }) => !prompt.includes(text));
    if (wrong) this.#differs(wrong.line, wrong.id, 'the prompt is not the one that was sent');
  }

  #request(request: JsonObject): void {
    const hashes = hashesIn(request);
    const isFirst = this.#sent.size === 0;
    // A request about something else, such as a title, has no message of the conversation.
    const continues = typeof request['base'] === 'string' || hashes.some((hash) => this.#sent.has(hash));
    if (!isFirst && !continues) return;
    const added = hashes.filter((hash) => !this.#sent.has(hash));
    for (const hash of added) this.#sent.add(hash);
    const answers = [...this.#answers.values()].map((answer) => ({
      ...answer,
      sha256: answer.hash.digest(),
    }));
    this.#answers.clear();
    const known = new Set(answers.map(({ sha256 }) => sha256));
    const unknown = added.some((hash) => !known.has(hash) && !this.#blobs.has(hash));
    for (const { line, id, sha256 } of answers)
      if (!this.#sent.has(sha256) && unknown)
        this.#differs(line, id, 'the answer does not have the hash with which it was sent');
    // A prompt without its message was not compared.
    this.#prompts = [];
  }

  #differs(line: number, id: string | undefined, message: string): void {
    this.report.onLine(line, id, {
      code: CODE,
      message: `${message}: it was changed later, or recorded otherwise`,
    });
  }
}
