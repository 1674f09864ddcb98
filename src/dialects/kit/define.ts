import { StateError } from '../../base/errors.ts';
import { LogForm } from '../../log/log-form.ts';
import { field, type LogRecord } from '../../log/record.ts';
import { membersLayout } from '../../log/row-layout.ts';
import type { Dialect } from '../dialect.ts';
import { textIn } from './members.ts';
import type { RecordView } from './record-view.ts';

/** The members of a record in which a format has its id, time, type, agent and cause. */
interface Members {
  readonly id?: string;
  readonly time?: string;
  readonly type?: string;
  readonly agent?: string;
  readonly cause?: string;
}

type Derived = 'form' | 'eventTime' | 'stateFile' | 'projector';

/** The declaration of a dialect. `defineDialect` derives the members that are left out. */
export interface Declaration extends Omit<Dialect, Derived | 'view'>, Partial<Pick<Dialect, Derived>> {
  readonly members: Members;
  /**
   * Further members that the view and the filters read. They become columns, so records need not be parsed.
   */
  readonly reads?: readonly string[];
  /** Whole records of a line that has several or a torn one are read too: a program goes on writing behind a torn record. */
  readonly takesGlued?: true;
  /** Replaces parts of the view that are more than the text of a member. */
  readonly view?: Partial<RecordView>;
}

/** Reads the text of a member, without parsing the record if the layout has the member. */
export function memberText(name: string): (record: LogRecord) => string | undefined {
  const column = field(name);
  return (record) => record.string(column);
}

const NOTHING = () => undefined;

/** Makes a dialect from a declaration. By default a log has one record per line and no stored state. */
export function defineDialect({ members, reads = [], takesGlued, view, ...declared }: Declaration): Dialect {
  const { id, time = '', type, agent, cause } = members;
  const textOf = (name: string | undefined) => (name === undefined ? NOTHING : memberText(name));
  return {
    eventTime: (event) => textIn(event, time),
    stateFile: NOTHING,
    projector: async () => {
      throw new StateError('projection-unsupported', `a ${declared.title} has no state to rebuild`);
    },
    form: LogForm.stored(membersLayout(...[...Object.values(members), ...reads].map(field))).takingGlued(
      takesGlued === true,
    ),
    ...declared,
    view: {
      id: textOf(id),
      time: textOf(time),
      type: textOf(type),
      agent: textOf(agent),
      ...(cause !== undefined && { cause: memberText(cause) }),
      ...view,
    },
  };
}
