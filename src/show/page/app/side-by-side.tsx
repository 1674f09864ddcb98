import { useMemo, useState } from 'preact/hooks';
import { countText } from '../../../base/text/count.ts';
import { plural } from '../../render/tally.ts';
import type { EventTable } from '../page-data.ts';
import type { Go } from './address.ts';
import type { Comparison, Pair, PairKind } from './comparison.ts';
import { wordOf } from './episode.ts';
import { useKeys } from './keys.ts';
import { placeIn } from './sorted.ts';
import { ChooseTool } from './story-tools.tsx';
import { Text, ToolName } from './text.tsx';
import { VirtualList } from './virtual-list.tsx';

export const MARKS: Readonly<Record<PairKind, string>> = { same: '', changed: '≠', missing: '−', added: '+' };

export const WORDS: Readonly<Record<PairKind, string>> = {
  same: 'same',
  changed: 'changed',
  missing: 'only in A',
  added: 'only in B',
};

/** The mark of a pair of events, or of two values. */
export const PairMark = ({ kind }: { kind: PairKind }) => (
  <span class={`mark kind-${kind}`} role="img" aria-label={WORDS[kind]} title={WORDS[kind]}>
    {MARKS[kind]}
  </span>
);

/** The phase of an event, else its name. */
export const whatIs = (table: EventTable, row: number): string =>
  wordOf(table.phase, row) || wordOf(table.name, row);

/** One event of a pair. Changed pairs have their mark between the events. */
function Half({ table, row, kind }: { table: EventTable; row: number; kind: PairKind }) {
  if (row < 0) return <span class="half none" />;
  return (
    <span class={kind === 'changed' ? 'half' : `half kind-${kind}`}>
      <span class="line">{table.line[row]}</span>
      <span class="phase">
        <Text text={whatIs(table, row)} most={60} />
      </span>
      <span class="what">
        <ToolName table={table} row={row} />
        <Text text={table.text[row] ?? ''} />
      </span>
    </span>
  );
}

const NO_PAIR: Pair = { kind: 'same', a: -1, b: -1 };

interface SideBySideProps {
  readonly comparison: Comparison;
  /** The index of the chosen pair; -1 for none. */
  readonly chosen: number;
  readonly go: Go;
}

/** The events of two runs side by side, with keys to step through them. */
export function SideBySide({ comparison, chosen, go }: SideBySideProps) {
  const { pairs, document: doc } = comparison;
  const [onlyDifferent, setOnly] = useState(false);
  const [tool, setTool] = useState('');
  const tools = useMemo(() => [...new Set([...doc.a.tool.words, ...doc.b.tool.words])].sort(), [doc]);
  const shown = useMemo(
    () =>
      [...pairs.keys()].filter((index) => {
        const { kind, a, b } = pairs[index] ?? NO_PAIR;
        const isTool = tool === '' || wordOf(doc.a.tool, a) === tool || wordOf(doc.b.tool, b) === tool;
        return isTool && !(onlyDifferent && kind === 'same');
      }),
    [pairs, onlyDifferent, tool],
  );
  const place = placeIn(shown, chosen);
  const choose = (index: number | undefined) => index !== undefined && go({ line: index + 1 });
  const step = (by: number) => {
    const next = chosen < 0 ? 0 : shown[place] === chosen ? place + by : by > 0 ? place : place - 1;
    choose(shown[Math.max(0, Math.min(shown.length - 1, next))]);
  };
  const toDifference = (by: 1 | -1) => {
    let at = chosen + by;
    const isShown = new Set(shown);
    while (at >= 0 && at < pairs.length && (pairs[at]?.kind === 'same' || !isShown.has(at))) at += by;
    if (at >= 0 && at < pairs.length) choose(at);
  };
  useKeys({
    ArrowDown: () => step(1),
    j: () => step(1),
    ArrowUp: () => step(-1),
    k: () => step(-1),
    n: () => toDifference(1),
    N: () => toDifference(-1),
    d: () => setOnly(!onlyDifferent),
    Escape: () => go({ line: undefined }),
  });
  return (
    <div class="events">
      <div class="filters">
        <label>
          <input type="checkbox" checked={onlyDifferent} onChange={() => setOnly(!onlyDifferent)} /> only what
          differs
        </label>
        <ChooseTool tools={tools} tool={tool} onChoose={setTool} />
        <span class="buttons">
          <button type="button" onClick={() => toDifference(-1)}>
            ← previous difference
          </button>
          <button type="button" onClick={() => toDifference(1)}>
            next difference →
          </button>
        </span>
        <small class="legend">
          {(['changed', 'missing', 'added'] as const)
            .filter((kind) => doc.head.counts[kind] > 0)
            .map((kind) => (
              <span key={kind}>
                <PairMark kind={kind} /> {WORDS[kind]}
              </span>
            ))}
        </small>
        <output>
          {shown.length < pairs.length && `${countText(shown.length)} of `}
          {plural(pairs.length, 'row')}
        </output>
      </div>
      <div class="heads pair">
        <span class="run-name side-a">
          A <Text text={doc.head.a.episode} />
        </span>
        <span />
        <span class="run-name side-b">
          B <Text text={doc.head.b.episode} />
        </span>
      </div>
      {shown.length === 0 ? (
        <p class="nothing">Nothing differs.</p>
      ) : (
        <VirtualList
          count={shown.length}
          label={`${shown.length} pairs of events`}
          chosen={shown[place] === chosen ? place : -1}
          onChoose={(index) => choose(shown[index])}
          classOf={() => 'pair'}
        >
          {(index) => {
            const pair = pairs[shown[index] ?? -1];
            return (
              pair && (
                <>
                  <Half table={doc.a} row={pair.a} kind={pair.kind} />
                  <PairMark kind={pair.kind} />
                  <Half table={doc.b} row={pair.b} kind={pair.kind} />
                </>
              )
            );
          }}
        </VirtualList>
      )}
    </div>
  );
}
