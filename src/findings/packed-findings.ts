import type { Finding, Severity } from './finding.ts';
import { type PackedData, unpack } from './packed-list.ts';
import { compareFindings } from './report.ts';

/** How many findings of each severity there are. */
export type SeverityCounts = Readonly<Record<Severity, number>>;

/** Findings to go through in the order of a report, any number of times. */
export interface FindingList extends Iterable<Finding> {
  readonly length: number;
}

/** Packed findings as data that a thread can be sent. */
export interface PackedFindingsData {
  /** Each is in the order of a report; together they need not be. */
  readonly runs: readonly PackedData[];
  readonly counts: SeverityCounts;
}

/** More findings than are held one by one. Going through them holds a batch of each run at a time. */
export class PackedFindings implements FindingList {
  readonly data: PackedFindingsData;

  constructor(data: PackedFindingsData) {
    this.data = data;
  }

  get counts(): SeverityCounts {
    return this.data.counts;
  }

  get length(): number {
    const { error, warn, info } = this.counts;
    return error + warn + info;
  }

  *[Symbol.iterator](): Generator<Finding, void, void> {
    const runs = this.data.runs.map((run) => unpack<Finding>(run));
    const heads = runs.map((run) => run.next().value as Finding | undefined);
    while (true) {
      let first: Finding | undefined;
      let from = -1;
      heads.forEach((head, index) => {
        if (head === undefined || (first !== undefined && compareFindings(first, head) <= 0)) return;
        first = head;
        from = index;
      });
      if (first === undefined) return;
      yield first;
      heads[from] = runs[from]?.next().value as Finding | undefined;
    }
  }

  /** As in a report that holds them all: an array. */
  toJSON(): Finding[] {
    return [...this];
  }
}
