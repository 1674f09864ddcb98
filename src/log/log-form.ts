import type { MayConvert, Upcaster } from './newest-form.ts';
import type { RowLayout } from './row-layout.ts';

/**
 * How the records of a log are read: the columns of their rows, and how events of older forms are converted. Every
 * reader of a log takes one. A dialect has its own, so a reader cannot have the columns without the conversion.
 */
export class LogForm implements MayConvert {
  /** The columns of the rows; undefined if no row has columns. */
  readonly layout: RowLayout | undefined;
  /** Whether whole records next to a torn or another one on their line are read, after the line is reported. */
  readonly takesGlued: boolean;
  readonly #newest: Upcaster | undefined;

  private constructor(layout: RowLayout | undefined, newest: Upcaster | undefined, takesGlued: boolean) {
    this.layout = layout;
    this.takesGlued = takesGlued;
    this.#newest = newest;
  }

  /** Records as they are in the file: for files without a dialect, and for readers that need the stored form. */
  static stored(layout?: RowLayout): LogForm {
    return new LogForm(layout, undefined, false);
  }

  get newest(): Upcaster | undefined {
    return this.#newest;
  }

  /** This form with other columns. */
  withLayout(layout: RowLayout | undefined): LogForm {
    return layout === undefined ? this : new LogForm(layout, this.#newest, this.takesGlued);
  }

  /** This form with a conversion of older events. */
  converting(newest: Upcaster): LogForm {
    return new LogForm(this.layout, newest, this.takesGlued);
  }

  /** This form, with the whole records of lines that have several or torn ones, or without them. */
  takingGlued(takesGlued = true): LogForm {
    return new LogForm(this.layout, this.#newest, takesGlued);
  }
}

/** Records as they are in the file, without columns. */
export const AS_STORED = LogForm.stored();
