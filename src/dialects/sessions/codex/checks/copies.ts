import { isObject } from '../../../../base/json/value.ts';
import { named } from '../../../../base/json/write.ts';
import { ReportingCheck } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { listIn, objectIn, textIn, textsOf } from '../../../kit/members.ts';
import { LONGEST_COMPARED } from '../../kit/compared-outputs.ts';
import { itemOf, outcomeOf, outcomeOfText, parsedText, withoutFrame } from '../records.ts';
import { COLUMN } from '../rows.ts';

/** What a record says of an answer, a thought or a command. */
interface Words {
  readonly line: number;
  readonly text: string;
}

/** How a command ended, as the program recorded it when it had run. */
interface Ended {
  readonly line: number;
  /** NaN: unknown. */
  readonly exitCode: number;
  readonly output: string | undefined;
}

/** The program leaves marks out of what it shows: `<memory>…</memory>`, `【4†source】`. */
const MARKED = /[<【]/;

/** Whether a text consists of characters of another one, in their order. */
function isPartOf(text: string, whole: string): boolean {
  let at = 0;
  for (const character of text) {
    at = whole.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** Whether the text that was shown is that of the model, perhaps without its marks. */
function isShownOf(shown: string, said: string): boolean {
  const [a, b] = [shown.trim(), said.trim()];
  return a === b || (MARKED.test(b) && isPartOf(a.replaceAll(/\s/g, ''), b));
}

const wordsIn = (object: unknown, key: string): string[] =>
  listIn(object, key).filter((word) => typeof word === 'string');

/** The command of a call, as its arguments have it. */
function commandIn(text: string | undefined): string | undefined {
  const given = parsedText(text);
  if (!isObject(given)) return undefined;
  const words = wordsIn(given, 'command').join(' ');
  return textIn(given, 'cmd') ?? textIn(given, 'command') ?? (words === '' ? undefined : words);
}

/** The words of the command that ran. Mostly a shell, its option and a script, which have columns: the record has its output too. */
function ranIn(row: Row): readonly string[] {
  const script = row.kind(COLUMN.afterScript) === undefined ? row.text(COLUMN.script) : undefined;
  return script === undefined
    ? wordsIn(objectIn(objectIn(row.event, 'payload'), 'item'), 'command')
    : [script];
}

/** Whether the command that ran is that of the call: its words, or the script that a shell was given. */
const isRunOf = (ran: readonly string[], asked: string): boolean =>
  ran.join(' ') === asked || ran.at(-1) === asked || ran.some((word) => word.includes(asked));

/** Whether an output is the one that the model got. */
const isPassedOn = (output: string, given: string): boolean =>
  output.length > LONGEST_COMPARED || given.length > LONGEST_COMPARED || output.trim() === given.trim();

/**
 * Newer versions write an answer, a thought, a command and its result twice: once as the model said or got it, and once as it was
 * shown or run. The two have one id, and are compared (codex.md §9).
 */
export class CopyCheck extends ReportingCheck {
  /** What was shown, by its id, until the model's own words come. */
  readonly #shown = new Map<string, Words>();
  /** The commands of calls, until they have run. */
  readonly #asked = new Map<string, Words>();
  /** How commands ended, until the model gets their results. */
  readonly #ended = new Map<string, Ended>();
  #hasItems = false;

  row(row: Row): void {
    const kind = row.text(COLUMN.kind);
    if (kind === 'item_completed') this.#completed(row);
    else if (!this.#hasItems) return;
    else if (kind === 'message' || kind === 'reasoning') this.#said(row);
    else if (kind === 'function_call') this.#called(row);
    else if (kind === 'function_call_output') this.#answered(row);
  }

  /** An item as it was shown or run. */
  #completed(row: Row): void {
    this.#hasItems = true;
    const [type, id, { line }] = [row.text(COLUMN.item), row.text(COLUMN.itemId), row];
    if (id === undefined) return;
    if (type === 'CommandExecution') return this.#ran(row, id);
    if (type !== 'AgentMessage' && type !== 'Reasoning') return;
    const item = objectIn(objectIn(row.event, 'payload'), 'item');
    const text =
      type === 'AgentMessage'
        ? textsOf(listIn(item, 'content'), 'text')
        : wordsIn(item, 'summary_text').join('\n');
    this.#shown.set(id, { line, text });
  }

  #ran(row: Row, id: string): void {
    const [exitCode, output] = [row.number(COLUMN.exitCode), row.text(COLUMN.output)];
    this.#ended.set(id, { line: row.line, exitCode, output });
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (asked === undefined) return;
    const ran = ranIn(row);
    if (ran.length === 0 || isRunOf(ran, asked.text)) return;
    this.#differs(row, id, asked, 'the command that ran is not that of its call', 'command');
  }

  /** An answer or a thought in the words of the model. */
  #said(row: Row): void {
    const { payload, kind } = itemOf(row.event);
    const id = textIn(payload, 'id');
    const shown = id === undefined ? undefined : this.#shown.get(id);
    if (id === undefined || shown === undefined) return;
    this.#shown.delete(id);
    const isAnswer = kind === 'message';
    const said = textsOf(listIn(payload, isAnswer ? 'content' : 'summary'), 'text');
    if (isShownOf(shown.text, said)) return;
    const what = isAnswer ? 'the answer' : 'the summary of the thought';
    this.#differs(row, id, shown, `${what} is not the one that was shown`, isAnswer ? 'content' : 'summary');
  }

  #called(row: Row): void {
    const [id, text] = [row.text(COLUMN.call), commandIn(row.text(COLUMN.given))];
    if (id !== undefined && text !== undefined) this.#asked.set(id, { line: row.line, text });
  }

  /** The result of a command for the model. One that says no exit code is of a command that still ran. */
  #answered(row: Row): void {
    const id = row.text(COLUMN.call);
    const ended = id === undefined ? undefined : this.#ended.get(id);
    if (id === undefined || ended === undefined) return;
    this.#ended.delete(id);
    const said = row.text(COLUMN.result);
    const { exitCode, text } = said === undefined ? outcomeOf(itemOf(row.event)) : outcomeOfText(said);
    if (exitCode === undefined) return;
    if (!Number.isNaN(ended.exitCode) && ended.exitCode !== exitCode)
      this.#differs(row, id, ended, `the command ended with ${ended.exitCode}, not ${exitCode}`, 'output');
    else if (ended.output !== undefined && !isPassedOn(ended.output, withoutFrame(text)))
      this.#differs(row, id, ended, 'the output for the model is not the one of the command', 'output');
  }

  #differs(row: Row, id: string, other: Pick<Words, 'line'>, what: string, member: string): void {
    const path = member === 'command' ? ['payload', 'item', member] : ['payload', member];
    const message = `${what} (line ${other.line}, ${named(id)})`;
    this.report.at(row, { code: 'session/copy-differs', message, path });
  }
}
