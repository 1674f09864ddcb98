import { isObject, type JsonObject } from '../../../../base/json/value.ts';
import { named } from '../../../../base/json/write.ts';
import { ReportingCheck } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { listIn, numberIn, objectIn, textIn, textsOf } from '../../../kit/members.ts';
import { LONGEST_COMPARED } from '../../kit/compared-outputs.ts';
import { changesDone, differenceOfPatch } from '../patches.ts';
import { itemOf, type Outcome, outcomeOf, outcomeOfText, parsedText, withoutFrame } from '../records.ts';
import { COLUMN } from '../rows.ts';

/** What a record says of an answer or a thought. */
interface Words {
  readonly line: number;
  readonly text: string;
}

/** How a call ended, as the program recorded it when it had run. */
interface Ended {
  readonly line: number;
  /** What the result that the model got says otherwise; undefined if nothing. */
  readonly differenceIn: (given: Outcome) => string | undefined;
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

/** What a call asked for: a patch, or a command and the folder for it. */
interface Asked {
  readonly line: number;
  readonly text: string;
  readonly folder: string | undefined;
}

function askedIn(row: Row): Asked | undefined {
  const { line } = row;
  const patch = row.text(COLUMN.name) === 'apply_patch' ? row.text(COLUMN.input) : undefined;
  if (patch !== undefined) return { line, text: patch, folder: undefined };
  const given = parsedText(row.text(COLUMN.given));
  if (!isObject(given)) return undefined;
  const words = wordsIn(given, 'command').join(' ');
  const text = textIn(given, 'cmd') ?? textIn(given, 'command') ?? (words === '' ? undefined : words);
  return text === undefined ? undefined : { line, text, folder: textIn(given, 'workdir') };
}

/** A command that ran, as the program recorded it. */
interface Run {
  readonly words: readonly string[];
  readonly folder: string | undefined;
  readonly status: string | undefined;
  /** NaN: unknown. */
  readonly exitCode: number;
  readonly output: string | undefined;
}

/** The command in an item. Mostly a shell, its option and a script, which have columns: the record has its output too. */
function runInItem(row: Row): Run {
  const script = row.kind(COLUMN.afterScript) === undefined ? row.text(COLUMN.script) : undefined;
  const words = () => wordsIn(objectIn(objectIn(row.event, 'payload'), 'item'), 'command');
  return {
    words: script === undefined ? words() : [script],
    folder: row.text(COLUMN.folder),
    status: row.text(COLUMN.status),
    exitCode: row.number(COLUMN.exitCode),
    output: row.text(COLUMN.output),
  };
}

function runInEvent(end: JsonObject): Run {
  return {
    words: wordsIn(end, 'command'),
    folder: textIn(end, 'cwd'),
    status: textIn(end, 'status'),
    exitCode: numberIn(end, 'exit_code') ?? Number.NaN,
    output: textIn(end, 'aggregated_output'),
  };
}

/** How the record of a command differs from its call, or from itself. */
function differenceOfRun(
  { words, folder, status, exitCode }: Run,
  asked: Asked | undefined,
): readonly [member: string, what: string] | undefined {
  if (status !== undefined && !Number.isNaN(exitCode) && (status === 'completed') !== (exitCode === 0))
    return ['status', `the status of the command is ${named(status)}, but its exit code is ${exitCode}`];
  if (asked === undefined) return undefined;
  if (words.length > 0 && !isRunOf(words, asked.text))
    return ['command', 'the command that ran is not that of its call'];
  return folder === undefined || asked.folder === undefined || isSameFolder(folder, asked.folder)
    ? undefined
    : ['cwd', 'the folder in which the command ran is not that of its call'];
}

/** Only whole paths are compared. Newer versions record them as an address. */
function isSameFolder(folder: string, asked: string): boolean {
  const path = folder.startsWith('file://') ? decodeURI(folder.slice('file://'.length)) : folder;
  return !/^\/(?!.*(?:\/\/|\/\.|\/$))/.test(asked) || path === asked;
}

/** What the result of a command says otherwise. One that says no exit code is of a command that still ran. */
const ofCommand =
  (ended: number, output: string | undefined): Ended['differenceIn'] =>
  ({ exitCode, text }) => {
    if (exitCode === undefined) return undefined;
    if (!Number.isNaN(ended) && ended !== exitCode) return `the command ended with ${ended}, not ${exitCode}`;
    return output === undefined || isPassedOn(output, withoutFrame(text))
      ? undefined
      : 'the output for the model is not the one of the command';
  };

/** What the result of a patch says otherwise. If it was refused, the result is only the reason. */
const ofPatch =
  (isDone: boolean, printed: string): Ended['differenceIn'] =>
  ({ exitCode, text }) => {
    if (exitCode !== undefined && (exitCode === 0) !== isDone)
      return isDone
        ? 'the patch was applied, but the result for the model says that it failed'
        : 'the patch failed, but the result for the model says that it was applied';
    return isPassedOn(printed, withoutFrame(text))
      ? undefined
      : 'the result for the model is not what the program recorded of the patch';
  };

/** Whether the command that ran is that of the call: its words, or the script that a shell was given. */
const isRunOf = (ran: readonly string[], asked: string): boolean =>
  ran.join(' ') === asked || ran.at(-1) === asked || ran.some((word) => word.includes(asked));

/** Whether the model got an output. The record of a command may lack its first lines. */
const isPassedOn = (output: string, given: string): boolean =>
  output.length > LONGEST_COMPARED || given.length > LONGEST_COMPARED || given.includes(output.trim());

/**
 * The program writes an answer, a thought, a command, a patch and its result twice: once as the model said or got it, and once as it
 * was shown or run. The two have one id, and are compared (codex.md §9).
 */
export class CopyCheck extends ReportingCheck {
  /** What was shown, by its id, until the model's own words come. */
  readonly #shown = new Map<string, Words>();
  /** The commands and patches of calls, until they have run. */
  readonly #asked = new Map<string, Asked>();
  /** How calls ended, until the model gets their results. */
  readonly #ended = new Map<string, Ended>();
  #hasCopies = false;

  row(row: Row): void {
    const kind = row.text(COLUMN.kind);
    if (kind === 'item_completed') this.#completed(row);
    else if (kind === 'exec_command_end') this.#commandEnds(row);
    else if (kind === 'patch_apply_end') this.#patchEnds(row);
    else if (kind === 'function_call' || kind === 'custom_tool_call') this.#called(row);
    else if (!this.#hasCopies) return;
    else if (kind === 'message' || kind === 'reasoning') this.#said(row);
    else if (kind === 'function_call_output' || kind === 'custom_tool_call_output') this.#answered(row);
  }

  /** An item as it was shown or run. */
  #completed(row: Row): void {
    this.#hasCopies = true;
    const [type, id, { line }] = [row.text(COLUMN.item), row.text(COLUMN.itemId), row];
    if (id === undefined) return;
    if (type === 'CommandExecution') return this.#ran(row, id, runInItem(row), ['payload', 'item']);
    if (type !== 'AgentMessage' && type !== 'Reasoning') return;
    const item = objectIn(objectIn(row.event, 'payload'), 'item');
    const text =
      type === 'AgentMessage'
        ? textsOf(listIn(item, 'content'), 'text')
        : wordsIn(item, 'summary_text').join('\n');
    this.#shown.set(id, { line, text });
  }

  #commandEnds(row: Row): void {
    this.#hasCopies = true;
    const id = row.text(COLUMN.call);
    if (id !== undefined) this.#ran(row, id, runInEvent(objectIn(row.event, 'payload')), ['payload']);
  }

  #ran(row: Row, id: string, run: Run, path: readonly string[]): void {
    const asked = this.#takeAsked(id);
    const [member, what] = differenceOfRun(run, asked) ?? [];
    // One edited member contradicts several others: only the nearest is named.
    if (member !== undefined && what !== undefined)
      this.#differs(row, id, member === 'status' ? undefined : asked, what, [...path, member]);
    else this.#ended.set(id, { line: row.line, differenceIn: ofCommand(run.exitCode, run.output) });
  }

  #patchEnds(row: Row): void {
    this.#hasCopies = true;
    const [id, end] = [row.text(COLUMN.call), objectIn(row.event, 'payload')];
    const { success: isDone, status } = end;
    if (id === undefined || typeof isDone !== 'boolean') return;
    const asked = this.#takeAsked(id);
    if (typeof status === 'string' && (status === 'completed') !== isDone) {
      const what = `\`success\` of the patch is ${isDone}, but its status is ${named(status)}`;
      return this.#differs(row, id, undefined, what, ['payload', 'success']);
    }
    const printed = textIn(end, isDone ? 'stdout' : 'stderr') ?? '';
    this.#ended.set(id, { line: row.line, differenceIn: ofPatch(isDone, printed) });
    const what = asked && differenceOfPatch(asked.text, changesDone(end));
    if (what !== undefined) this.#differs(row, id, asked, what, ['payload', 'changes']);
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
    const path = ['payload', isAnswer ? 'content' : 'summary'];
    this.#differs(row, id, shown, `${what} is not the one that was shown`, path);
  }

  /** Until a log has copies, only the last call can have one. */
  #called(row: Row): void {
    if (!this.#hasCopies) this.#asked.clear();
    const [id, asked] = [row.text(COLUMN.call), askedIn(row)];
    if (id !== undefined && asked !== undefined) this.#asked.set(id, asked);
  }

  #takeAsked(id: string): Asked | undefined {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    return asked;
  }

  /** The result of a call for the model. */
  #answered(row: Row): void {
    const id = row.text(COLUMN.call);
    const ended = id === undefined ? undefined : this.#ended.get(id);
    if (id === undefined || ended === undefined) return;
    this.#ended.delete(id);
    const said = row.text(COLUMN.result);
    const given = said === undefined ? outcomeOf(itemOf(row.event)) : outcomeOfText(said);
    const what = ended.differenceIn(given);
    if (what !== undefined) this.#differs(row, id, ended, what, ['payload', 'output']);
  }

  /** `other`: the record that says otherwise, if it is another one. */
  #differs(
    row: Row,
    id: string,
    other: { readonly line: number } | undefined,
    what: string,
    path: readonly string[],
  ): void {
    const where = other === undefined ? named(id) : `line ${other.line}, ${named(id)}`;
    const message = `${what} (${where})`;
    this.report.at(row, { code: 'session/copy-differs', message, path: [...path] });
  }
}
