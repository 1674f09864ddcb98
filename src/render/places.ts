import type { Finding } from '../findings/finding.ts';

/** The number of files, and of line ranges per file, that are listed. */
const NAMED = 6;

/** Collects line ranges, up to the number that is listed. */
class LineRanges {
  readonly #ranges: { from: number; to: number }[] = [];
  #full = false;

  add(line: number): void {
    if (this.#full) return;
    const last = this.#ranges.at(-1);
    if (last !== undefined && line >= last.from && line <= last.to + 1) last.to = Math.max(last.to, line);
    else if (this.#ranges.length <= NAMED) this.#ranges.push({ from: line, to: line });
    else this.#full = true;
  }

  /** `12-40`, `57`, and `…` if there are more. */
  texts(): string[] {
    const texts = this.#ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
    return texts.length > NAMED ? [...texts.slice(0, NAMED), '…'] : texts;
  }
}

/** Summarises the places of any number of findings. */
export class Places {
  readonly #files = new Map<string, LineRanges>();
  #more = false;

  add({ file, line }: Finding): void {
    let ranges = this.#files.get(file);
    if (ranges === undefined) {
      if (this.#files.size > NAMED) return;
      ranges = new LineRanges();
      this.#files.set(file, ranges);
    }
    if (line !== undefined) ranges.add(line);
  }

  /** Notes that there are more findings at unknown places. */
  addMore(): void {
    this.#more = true;
  }

  /** `lines 12-40, 57, …` for one file, else `a.jsonl 3-5; b.json; …`. */
  toString(): string {
    const text = this.#named();
    if (!this.#more || text.endsWith('…')) return text;
    return text === '' ? '…' : `${text}, …`;
  }

  #named(): string {
    const [only] = this.#files.values();
    const ranges = this.#files.size === 1 && only !== undefined ? only.texts() : [];
    if (ranges.length > 0) {
      return `${ranges.length === 1 && !ranges[0]?.includes('-') ? 'line' : 'lines'} ${ranges.join(', ')}`;
    }
    const texts = [...this.#files]
      .slice(0, NAMED)
      .map(([file, lines]) => [file, lines.texts().join(', ')].join(' ').trim());
    return [...texts, ...(this.#files.size > NAMED ? ['…'] : [])].join('; ');
  }
}
