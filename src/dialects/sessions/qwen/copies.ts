import { type JsonObject, jsonEqual } from '../../../base/json/value.ts';
import { named } from '../../../base/json/write.ts';
import { type EventRemark, ReportingCheck } from '../../../findings/check.ts';
import type { Row } from '../../../log/row.ts';
import { objectIn, objectsIn, textIn } from '../../kit/members.ts';
import { statusRemark } from '../kit/status-copy.ts';

const partsOf = (event: JsonObject, name: string): JsonObject[] =>
  objectsIn(objectIn(event, 'message'), 'parts').flatMap((part) =>
    part[name] === undefined ? [] : [objectIn(part, name)],
  );

/** Remarks about a result that has two statuses: that of the program, and that for the model. */
export function resultCopies(event: JsonObject): EventRemark[] {
  const [result, another] = partsOf(event, 'functionResponse');
  if (result === undefined || another !== undefined) return [];
  const status = textIn(objectIn(event, 'toolCallResult'), 'status');
  return statusRemark(status, objectIn(result, 'response'), ['toolCallResult', 'status']);
}

interface Call {
  readonly line: number;
  readonly call: JsonObject;
}

/**
 * Compares what `ui_telemetry` says about a call with the call. The program writes it before or after the result of the call
 * (qwen.md §4).
 */
export class TelemetryCheck extends ReportingCheck {
  readonly #calls = new Map<string, Call>();

  row(row: Row): void {
    const { event, line } = row;
    for (const call of partsOf(event, 'functionCall')) {
      const id = textIn(call, 'id');
      if (id !== undefined) this.#calls.set(id, { line, call });
    }
    if (event['subtype'] !== 'ui_telemetry') return;
    const said = objectIn(objectIn(event, 'systemPayload'), 'uiEvent');
    const id = textIn(said, 'call_id');
    const call = id === undefined ? undefined : this.#calls.get(id);
    // The user may change an input before the call is made.
    if (id === undefined || call === undefined || said['decision'] === 'modify') return;
    this.#calls.delete(id);
    this.#compare(row, said, call, id);
  }

  #compare(row: Row, said: JsonObject, { line, call }: Call, id: string): void {
    const pairs = [
      ['function_name', 'name'],
      ['function_args', 'args'],
    ] as const;
    for (const [member, of] of pairs) {
      const [copy, own] = [said[member], call[of]];
      if (copy === undefined || own === undefined || jsonEqual(copy, own)) continue;
      this.report.at(row, {
        code: 'session/copy-differs',
        message: `\`${member}\` is not the \`${of}\` of its call (line ${line}, ${named(id)})`,
        path: ['systemPayload', 'uiEvent', member],
      });
      return;
    }
  }
}
