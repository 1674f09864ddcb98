import { bytesText, countText } from '../../../base/text/count.ts';
import { type EventReporter, ReportingCheck } from '../../../findings/check.ts';
import type { Row } from '../../../log/row.ts';
import type { SealedLog } from './sealed-log.ts';

/** Reports events that were appended after the seal: the log is longer than its entry in the manifest. */
export class AfterSealCheck extends ReportingCheck {
  readonly #sealed: SealedLog;
  #first: { readonly line: number; readonly eventId?: string } | undefined;

  constructor(report: EventReporter, sealed: SealedLog) {
    super(report);
    this.#sealed = sealed;
  }

  row(row: Row): void {
    if (this.#first !== undefined || row.record.byteStart < this.#sealed.sealedSize) return;
    const { line, id } = row;
    this.#first = { line, ...(id !== undefined && { eventId: id }) };
  }

  end(): void {
    const { sealedSize, size, isExtended } = this.#sealed;
    if (size <= sealedSize) return;
    const first = isExtended ? this.#first : undefined;
    const message = !isExtended
      ? `the log is ${bytesText(size - sealedSize)} longer than the manifest says, and its sealed part has changed`
      : first
        ? `appended after the seal: the sealed log ends at byte ${countText(sealedSize)}`
        : `${bytesText(size - sealedSize)} appended after the seal: the sealed log ends at byte ${countText(sealedSize)}`;
    const place = { file: this.report.file, ...first, byteStart: sealedSize, byteEnd: size };
    this.report.report({ code: 'order/after-seal', message, ...place });
  }
}
