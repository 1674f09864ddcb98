import { type JsonValue, jsonEqual } from '../../../../base/json/value.ts';
import { named } from '../../../../base/json/write.ts';
import { countText } from '../../../../base/text/count.ts';
import { ReportingCheck } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { numberIn, objectIn, objectsIn, textIn } from '../../../kit/members.ts';
import { dataOf, exitCodeInText } from '../records.ts';
import { COLUMN } from '../rows.ts';

/** The counts of a request that the totals of the session have too. */
const COUNTS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;

type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;

/** A call as the model asked for it. */
interface Asked {
  readonly line: number;
  readonly tool: string | undefined;
  readonly input: JsonValue | undefined;
}

const countsIn = (usage: JsonValue | undefined): Counts => ({
  inputTokens: numberIn(usage, 'inputTokens') ?? 0,
  outputTokens: numberIn(usage, 'outputTokens') ?? 0,
  cacheReadTokens: numberIn(usage, 'cacheReadTokens') ?? 0,
  cacheWriteTokens: numberIn(usage, 'cacheWriteTokens') ?? 0,
});

/**
 * Compares what the program writes twice: a call in the answer that asks for it and where it starts, the exit code of its command
 * in the text and as a number, and the tokens of requests with the totals of the session (copilot.md §6, §8).
 */
export class CopyCheck extends ReportingCheck {
  /** The calls of the last answer with an id that have not started. */
  readonly #asked = new Map<string, Asked[]>();
  /** The tokens of each request, by model. */
  readonly #requests = new Map<string, Counts[]>();

  row(row: Row): void {
    switch (row.text(COLUMN.type)) {
      case 'assistant.message':
        return this.#requested(row);
      case 'tool.execution_start':
        return this.#started(row);
      case 'tool.execution_complete':
        return this.#ended(row);
      case 'session.usage_record':
        return this.#used(row);
      case 'session.shutdown':
        return this.#totals(row);
    }
  }

  #requested(row: Row): void {
    if (row.kind(COLUMN.requests) !== 'array') return;
    for (const request of objectsIn(dataOf(row.event), 'toolRequests')) {
      const id = textIn(request, 'toolCallId');
      if (id === undefined) continue;
      const asked = { line: row.line, tool: textIn(request, 'name'), input: request['arguments'] };
      const before = this.#asked.get(id) ?? [];
      // One answer may ask for several calls with one id.
      if (before[0]?.line === row.line) before.push(asked);
      else this.#asked.set(id, [asked]);
    }
  }

  #started(row: Row): void {
    const data = dataOf(row.event);
    const id = textIn(data, 'toolCallId') ?? '';
    const waiting = this.#asked.get(id) ?? [];
    const name = textIn(data, 'toolName');
    const same = waiting.findIndex(
      ({ tool, input }) => tool === name && jsonEqual(input ?? null, data['arguments'] ?? null),
    );
    const [asked] = waiting.splice(Math.max(same, 0), 1);
    if (asked === undefined) return;
    const by = `(line ${asked.line}, ${named(id)})`;
    if (asked.tool !== undefined && name !== undefined && asked.tool !== name)
      this.#differs(
        row,
        'toolName',
        `the call starts ${named(name)}, but the answer asks for ${named(asked.tool)} ${by}`,
      );
    else if (
      asked.input !== undefined &&
      data['arguments'] !== undefined &&
      !jsonEqual(asked.input, data['arguments'])
    )
      this.#differs(row, 'arguments', `the call starts with another input than the answer asks for ${by}`);
  }

  #ended(row: Row): void {
    const data = dataOf(row.event);
    const exitCode = numberIn(objectIn(data, 'shellExecution'), 'exitCode');
    const inText = exitCode === undefined ? undefined : exitCodeInText(data);
    if (inText === undefined || inText === exitCode) return;
    this.#differs(row, 'shellExecution', `the command ended with ${exitCode}, but its output says ${inText}`);
  }

  #used(row: Row): void {
    const usage = objectIn(dataOf(row.event), 'usage');
    const model = textIn(usage, 'model') ?? '';
    const requests = this.#requests.get(model);
    if (requests) requests.push(countsIn(usage));
    else this.#requests.set(model, [countsIn(usage)]);
  }

  /** The totals are of as many requests as they say, which are the newest ones: after a rewind the program counts anew. */
  #totals(row: Row): void {
    for (const [model, metrics] of Object.entries(objectIn(dataOf(row.event), 'modelMetrics'))) {
      const requests = this.#requests.get(model) ?? [];
      const count = numberIn(objectIn(metrics, 'requests'), 'count') ?? Infinity;
      // Older versions write no record of a request.
      if (count > requests.length) continue;
      const counted = requests.slice(requests.length - count);
      const totals = countsIn(objectIn(metrics, 'usage'));
      for (const name of COUNTS) {
        const sum = counted.reduce((all, one) => all + one[name], 0);
        if (sum === totals[name]) continue;
        this.report.ifWhole.at(row, {
          code: 'usage/session-total',
          message: `\`${name}\` of ${named(model)} is ${countText(totals[name])}, but its ${countText(count)} requests have ${countText(sum)}`,
          path: ['data', 'modelMetrics', model, 'usage', name],
          expected: String(sum),
          actual: String(totals[name]),
        });
        return;
      }
    }
  }

  #differs(row: Row, member: string, message: string): void {
    this.report.at(row, { code: 'session/copy-differs', message, path: ['data', member] });
  }
}
