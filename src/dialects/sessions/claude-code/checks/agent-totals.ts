import type { JsonObject } from '../../../../base/json/value.ts';
import { countText } from '../../../../base/text/count.ts';
import { ReportingCheck } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { asObject, messageText, numberIn, objectIn, objectsIn } from '../../../kit/members.ts';
import { COLUMN, SAID } from '../rows.ts';

/** The totals that the program keeps of a subagent, and what it calls them at the end of the result for the model. */
const TOTALS = [
  ['totalTokens', /\n?(?:total|subagent)_tokens: (\d+)/],
  ['totalToolUseCount', /\ntool_uses: (\d+)/],
  ['totalDurationMs', /\nduration_ms: (\d+)/],
] as const;

const USAGE = /<usage>([^<]*)<\/usage>\s*$/;

/** The parts of the totals: the tokens of the last request, and the calls by kind. */
const TOKENS = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'];
const CALLS = ['readCount', 'searchCount', 'bashCount', 'editFileCount', 'otherToolCount'];

function sumOf(object: JsonObject, names: readonly string[]): number | undefined {
  const counts = names.flatMap((name) => numberIn(object, name) ?? []);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}

/** Compares the totals of a subagent with their parts, and with those that the model got (claude-code.md §9). */
export class AgentTotalsCheck extends ReportingCheck {
  readonly types = SAID;

  row(row: Row): void {
    if (row.kind(COLUMN.outcome) !== 'object' || row.text(COLUMN.kind) !== 'tool_result') return;
    if (row.kind(COLUMN.second) !== undefined || row.kind(COLUMN.agentTokens) !== 'number') return;
    const kept = asObject(row.value(COLUMN.outcome));
    if (
      this.#isOther(row, kept, 'totalTokens', sumOf(objectIn(kept, 'usage'), TOKENS), 'its usage has') ||
      this.#isOther(
        row,
        kept,
        'totalToolUseCount',
        sumOf(objectIn(kept, 'toolStats'), CALLS),
        'its kinds have',
      )
    )
      return;
    const given = objectsIn(objectIn(row.event, 'message'), 'content')[0]?.['content'];
    const [, usage] = USAGE.exec(messageText(given).slice(-1000)) ?? [];
    if (usage === undefined) return;
    for (const [name, form] of TOTALS) {
      const [, count] = form.exec(`\n${usage}`) ?? [];
      if (
        count !== undefined &&
        this.#isOther(row, kept, name, Number(count), 'the result for the model says')
      )
        return;
    }
  }

  /** Reports a total that another number contradicts. */
  #isOther(row: Row, kept: JsonObject, name: string, other: number | undefined, what: string): boolean {
    const total = numberIn(kept, name);
    if (total === undefined || other === undefined || total === other) return false;
    this.report.at(row, {
      code: 'session/copy-differs',
      message: `\`${name}\` of the subagent is ${countText(total)}, but ${what} ${countText(other)}`,
      path: ['toolUseResult', name],
      expected: String(other),
      actual: String(total),
    });
    return true;
  }
}
