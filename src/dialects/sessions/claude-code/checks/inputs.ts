import { isObject, type JsonObject } from '../../../../base/json/value.ts';
import { named } from '../../../../base/json/write.ts';
import { ReportingCheck } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { objectIn, textIn } from '../../../kit/members.ts';
import { callBlocks } from '../records.ts';
import { COLUMN, SAID } from '../rows.ts';
import { differenceOfDiff, withoutStyle } from './patch.ts';

/** Members of the kept result, and the members of the input that they repeat. */
const REPEATED = [
  ['filePath', 'file_path'],
  ['oldString', 'old_string'],
  ['newString', 'new_string'],
  ['content', 'content'],
  ['prompt', 'prompt'],
] as const;

/** The tools whose kept results repeat their inputs. */
const TOOLS: ReadonlySet<string | undefined> = new Set(['Edit', 'Write', 'Task', 'Agent']);

/** Whether the program may keep another form of a text: it makes a path absolute. */
const mayDiffer = (member: string, asked: string): boolean =>
  member === 'filePath' && !/^\/(?!.*(?:\/\/|\/\.))/.test(asked);

/** What the program adds to the head of a file in its memory. */
const ADDED_TO_MEMORY = /^ *(?:node_type: memory|originSessionId: .*)\n/gm;

/** A kept text without what the program added to that of the call. */
const withoutAdded = (text: string, kept: JsonObject): string =>
  /[/\\]memory[/\\]/.test(textIn(kept, 'filePath') ?? '') ? text.replaceAll(ADDED_TO_MEMORY, '') : text;

interface Call {
  readonly line: number;
  readonly input: JsonObject;
}

/**
 * Compares what the program keeps of a call with the call: the file and the texts of an edit, the prompt of a subagent. Compares the
 * texts of an edit with the diff that is kept too (claude-code.md §9).
 */
export class InputCheck extends ReportingCheck {
  readonly types = SAID;
  readonly #calls = new Map<string, Call>();

  row(row: Row): void {
    if (row.text(COLUMN.type) === 'assistant') this.#called(row);
    else if (row.text(COLUMN.kind) === 'tool_result' && row.kind(COLUMN.outcome) === 'object')
      this.#answered(row);
  }

  #called(row: Row): void {
    if (!TOOLS.has(row.text(COLUMN.tool)) && row.kind(COLUMN.second) === undefined) return;
    for (const block of callBlocks(row.event)) {
      const id = textIn(block, 'id');
      if (id !== undefined && TOOLS.has(textIn(block, 'name')))
        this.#calls.set(id, { line: row.line, input: objectIn(block, 'input') });
    }
  }

  #answered(row: Row): void {
    const id = row.text(COLUMN.answered);
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (id === undefined || call === undefined) return;
    this.#calls.delete(id);
    const kept = row.value(COLUMN.outcome);
    // The user may change an edit before it is made.
    if (row.kind(COLUMN.second) !== undefined || !isObject(kept) || kept['userModified'] === true) return;
    for (const [member, of] of REPEATED) {
      const [text, asked] = [textIn(kept, member), textIn(call.input, of)];
      if (text === undefined || asked === undefined || mayDiffer(member, asked)) continue;
      if (withoutStyle(withoutAdded(text, kept)) === withoutStyle(asked)) continue;
      this.report.at(row, {
        code: 'session/copy-differs',
        message: `\`${member}\` is not the \`${of}\` of its call (line ${call.line}, ${named(id)})`,
        path: ['toolUseResult', member],
      });
      return;
    }
    const what = differenceOfDiff(kept);
    if (what === undefined) return;
    const path = ['toolUseResult', 'structuredPatch'];
    this.report.at(row, { code: 'session/copy-differs', message: what, path });
  }
}
