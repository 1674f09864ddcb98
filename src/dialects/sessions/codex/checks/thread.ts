import { named } from '../../../../base/json/write.ts';
import { type LogEnd, type LoggedEvent, ReportingCheck } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { textIn } from '../../../kit/members.ts';
import { reportFileName } from '../../kit/envelope.ts';
import { threadInName } from '../files.ts';
import { type Item, isTurnEnd, isTurnStart, itemOf, turnOf } from '../records.ts';
import { eventIn } from '../rows.ts';

/** Checks the id of the thread and its turns (codex.md §5, §6, §9). */
export class ThreadCheck extends ReportingCheck {
  readonly #inName = threadInName(this.report.file);
  #thread: string | undefined;
  #isCopyReported = false;
  #open: { readonly turn: string | undefined; readonly line: number } | undefined;

  row(row: Row): void {
    const item = itemOf(eventIn(row));
    if (item.type === 'session_meta' || item.type === 'head') this.#meta(row, textIn(item.payload, 'id'));
    this.#turn(row, item);
  }

  end({ whole }: LogEnd): void {
    if (!whole) return;
    if (this.#open !== undefined)
      this.report.onLine(this.#open.line, this.#open.turn, {
        code: 'turn/open',
        message: 'the turn that begins here has no end',
      });
    reportFileName(this.report, 'thread', { inName: this.#inName, inLog: this.#thread });
  }

  #meta(logged: LoggedEvent, id: string | undefined): void {
    this.#thread ??= id;
    if (id === undefined || id === this.#thread || this.#isCopyReported) return;
    this.#isCopyReported = true;
    this.report.at(logged, {
      code: 'session/copied-history',
      message: `from here on, the history of the thread ${named(id)} was copied`,
      path: ['payload', 'id'],
    });
  }

  #turn(logged: LoggedEvent, item: Item): void {
    const turn = turnOf(item);
    if (isTurnStart(item)) {
      const before = this.#open;
      if (before !== undefined)
        this.report.ifWhole.onLine(before.line, before.turn, {
          code: 'turn/unfinished',
          message: `the turn that begins here has no end, but another one begins on line ${logged.line}`,
        });
      this.#open = { turn, line: logged.line };
    } else if (isTurnEnd(item) && (turn === undefined || turn === this.#open?.turn)) this.#open = undefined;
  }
}
