import { useMemo } from 'preact/hooks';
import { parseExactJson } from '../../../base/json/parse.ts';
import { countText } from '../../../base/text/count.ts';
import { grouped } from '../../../base/text/grouped.ts';
import { type ComparedRun, sameText } from '../../../read/compare/run-difference.ts';
import { plural } from '../../render/tally.ts';
import type { ValueChange } from '../page-data.ts';
import { type Go, useAddress } from './address.ts';
import { Changes } from './changes.tsx';
import type { Comparison, Pair } from './comparison.ts';
import { ComparedFiles, ComparedParts, Parting, RunTable, WhatTheyDid } from './comparison-behaviour.tsx';
import { type Field, Fields } from './fields.tsx';
import type { KeyHelp } from './keys.ts';
import { Shell } from './shell.tsx';
import { MARKS, SideBySide, WORDS, whatIs } from './side-by-side.tsx';
import { Badge, Text } from './text.tsx';
import { Tree } from './tree.tsx';

const KEYS: readonly KeyHelp[] = [
  { keys: '1 2', does: 'the views' },
  { keys: 'j ↓', does: 'next pair of events' },
  { keys: 'k ↑', does: 'previous pair of events' },
  { keys: 'n N', does: 'next and previous difference' },
  { keys: 'd', does: 'only what differs, or all' },
  { keys: 'Esc', does: 'close the events' },
  { keys: '?', does: 'these keys' },
];

const TABS = [
  { name: 'summary', title: 'Summary' },
  { name: 'events', title: 'Side by side' },
] as const;
const VIEWS = TABS.map(({ name }) => name);

/** The task of a run, or its name. */
const titleOf = ({ task, episode }: ComparedRun): string => task ?? episode;

interface StateDifferencesProps {
  readonly changes: readonly ValueChange[];
  /** The number of further differences. */
  readonly more: number;
}

/**
 * Differences of the states of two runs, folded and by part as in `diff`. The paths in them are those of the states, so the page
 * says which command prints these.
 */
function StateDifferences({ changes, more }: StateDifferencesProps) {
  if (changes.length === 0) return null;
  const parts = grouped(changes, ({ path }) => /^[^.[]+/.exec(path)?.[0] ?? '');
  return (
    <section class="card">
      <h3>State</h3>
      <p class="tone-muted">
        {plural(changes.length + more, 'difference')} between the states that the logs of A and B give. They
        are what <code>noesis project -j</code> prints of each run.
      </p>
      {[...parts].map(([part, all]) => (
        <details key={part}>
          <summary>
            <code>
              <Text text={part} />
            </code>
            , {plural(all.length, 'difference')}
          </summary>
          <Changes changes={all} areOfRuns />
        </details>
      ))}
    </section>
  );
}

/** The name of a pair's event and its line, in the first run if it has one. */
function placeOf({ document: { a, b } }: Comparison, pair: Pair): string {
  const [letter, table, row] = pair.a >= 0 ? ['A', a, pair.a] : ['B', b, pair.b];
  return `${whatIs(table, row)}, line ${table.line[row]} of ${letter}`;
}

function Summary({ comparison, go }: { comparison: Comparison; go: Go }) {
  const { head, behaviour, state } = comparison.document;
  const at = comparison.pairs.findIndex(({ kind }) => kind !== 'same');
  const first = comparison.pairs[at];
  const events = { comparison, go };
  return (
    <div class="sheet overview">
      <RunTable comparison={comparison} />
      <Parting events={events} behaviour={behaviour} />
      <ComparedFiles files={behaviour.files} parts={head.parts} />
      <WhatTheyDid events={events} behaviour={behaviour} head={head} />
      <ComparedParts parts={head.parts} />
      {comparison.pairs.length > 0 && (
        <section class="card">
          <h3>Events</h3>
          <Fields
            inRow
            of={[
              ...(['same', 'changed', 'missing', 'added'] as const).map(
                (kind): Field => [WORDS[kind], countText(head.counts[kind])],
              ),
              [
                'First difference',
                first && (
                  <button type="button" class="link" onClick={() => go({ view: 'events', line: at + 1 })}>
                    {MARKS[first.kind]} <Text text={placeOf(comparison, first)} />
                  </button>
                ),
              ],
            ]}
          />
        </section>
      )}
      <StateDifferences changes={state} more={head.moreState} />
    </div>
  );
}

function Side({ title, stored, line }: { title: string; stored: string; line: number | undefined }) {
  const value = useMemo(() => parseExactJson(stored), [stored]);
  return (
    <section>
      <h3>
        <Text text={title} />, line {line}
      </h3>
      <div class="json" key={`${title} ${line}`}>
        <Tree value={value} open={2} />
      </div>
    </section>
  );
}

function PairPane({
  comparison,
  pair,
  onClose,
}: {
  comparison: Comparison;
  pair: Pair;
  onClose: () => void;
}) {
  const { a, b, head } = comparison.document;
  const fields = comparison.fieldsOf(pair);
  return (
    <aside class="pane" aria-label="the events of a pair">
      <header>
        <h2>
          {MARKS[pair.kind]} {WORDS[pair.kind]}
        </h2>
        <button type="button" class="icon" aria-label="close" onClick={onClose}>
          ✕
        </button>
      </header>
      {fields !== undefined && pair.kind === 'changed' && (
        <section>
          <h3>What differs</h3>
          <Changes changes={fields} areOfRuns />
        </section>
      )}
      {pair.a >= 0 && (
        <Side title={`A ${head.a.episode}`} stored={comparison.storedA(pair.a)} line={a.line[pair.a]} />
      )}
      {pair.b >= 0 && (
        <Side title={`B ${head.b.episode}`} stored={comparison.storedB(pair.b)} line={b.line[pair.b]} />
      )}
    </aside>
  );
}

/** The titles of both runs, or their common title once. */
const Titles = ({ a, b }: { a: string; b: string }) =>
  a === b ? (
    <h1 class="of-two">
      <span class="tone-muted">A and B</span> <Text text={a} most={120} />
    </h1>
  ) : (
    <h1 class="of-two">
      <span class="tone-muted">A</span> <Text text={a} most={60} /> <span class="tone-muted">and B</span>{' '}
      <Text text={b} most={60} />
    </h1>
  );

/** The page that compares two runs. Its address contains the number of a pair, from 1. */
export function ComparisonPage({ comparison }: { comparison: Comparison }) {
  const { head, behaviour, stored, version } = comparison.document;
  const [address, go] = useAddress(VIEWS);
  const chosen = address.line === undefined ? -1 : address.line - 1;
  const pair = address.view === 'events' ? comparison.pairs[chosen] : undefined;
  return (
    <Shell
      head={
        <>
          <Titles a={titleOf(head.a)} b={titleOf(head.b)} />
          <span class="tone-muted">{[...new Set([head.a.dialect, head.b.dialect])].join(' and ')}</span>
          <Badge tone={head.equal ? 'good' : 'doubtful'}>
            {sameText({ ...head, behaviour, ...(stored && { stored }) }) ?? 'the runs differ'}
          </Badge>
        </>
      }
      tabs={comparison.pairs.length > 0 ? TABS : TABS.slice(0, 1)}
      current={address.view}
      onTab={(view) => go({ view })}
      keys={KEYS}
      version={version}
    >
      <div class={`split view-${address.view} ${pair ? 'has-pane' : ''}`}>
        <div class="main">
          {address.view === 'summary' && <Summary comparison={comparison} go={go} />}
          {address.view === 'events' && <SideBySide comparison={comparison} chosen={chosen} go={go} />}
        </div>
        {pair && <PairPane comparison={comparison} pair={pair} onClose={() => go({ line: undefined })} />}
      </div>
    </Shell>
  );
}
