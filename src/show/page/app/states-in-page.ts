import { parseExactJson, parseJson } from '../../../base/json/parse.ts';
import { isObject } from '../../../base/json/value.ts';
import { writeJson } from '../../../base/json/write.ts';
import type { Copied } from '../../../dialects/kit/copied.ts';
import type { StateView } from '../../../dialects/kit/state-view.ts';
import type { DialectStates } from '../../../dialects/kit/states.ts';
import type { UpcastStep } from '../../../dialects/kit/upcast-schema.ts';
import { differences } from '../../../findings/projection/difference.ts';
import { EvidenceMap } from '../../../findings/projection/evidence.ts';
import type { EventFold } from '../../../findings/projection/projector.ts';
import type { ValueChange } from '../page-data.ts';

/** A dialect's code in a page. Passes JSON texts, so numbers stay as stored. */
export interface StatesInPage {
  /** Resets the state to the one before the first event. */
  begin(run: string | undefined, upcasts?: readonly UpcastStep[], copied?: Copied): void;
  add(storedLine: string, line: number): void;
  /** The state after the events that were added. */
  snapshot(): string;
  view(state: string): StateView;
  changes(before: string, after: string): ValueChange[];
}

declare global {
  var noesisStates: StatesInPage | undefined;
}

/** Makes a dialect's states available to the page. */
export function offerStates(states: DialectStates): void {
  let fold: EventFold = states.fold();
  globalThis.noesisStates = {
    begin(run, upcasts, copied) {
      fold = states.fold(run, upcasts, copied);
    },
    add(storedLine, line) {
      const event = states.plainNumbers ? parseJson(storedLine) : parseExactJson(storedLine);
      if (isObject(event)) fold.addEvent(event, line);
    },
    snapshot: () => writeJson(fold.result().value),
    view: (state) => states.view(parseExactJson(state)),
    changes: (before, after) =>
      differences(parseExactJson(after), parseExactJson(before), [], new EvidenceMap()).map(
        ({ path, projected, stored }) => ({
          path,
          ...(stored !== undefined && { before: writeJson(stored) }),
          ...(projected !== undefined && { after: writeJson(projected) }),
        }),
      ),
  };
}
