import { useMemo } from 'preact/hooks';
import type { Story } from '../../../dialects/kit/story.ts';
import { severityCounts } from '../../../findings/report.ts';
import {
  type ChangesOfRun,
  changesOfStory,
  type PartStory,
  withNet,
} from '../../../read/describe/changes-of-story.ts';
import { partsWithLogs } from '../../../read/describe/story-parts.ts';
import { tally } from '../../render/tally.ts';
import { type PageVerdict, runTitle } from '../page-data.ts';
import { useAddress } from './address.ts';
import { ChangesView } from './changes-view.tsx';
import type { Episode } from './episode.ts';
import { EventPane } from './event-pane.tsx';
import { EventsView } from './events-view.tsx';
import { FindingsView } from './findings-view.tsx';
import { type KeyHelp, useKeys } from './keys.ts';
import { Shell, type Tab } from './shell.tsx';
import { StatesView } from './states-view.tsx';
import { OutputsAreCut } from './story-parts.tsx';
import { StoryRows } from './story-rows.ts';
import { StoryView } from './story-view.tsx';
import { Badge, Text, toneOfVerdict } from './text.tsx';
import { Timeline } from './timeline.tsx';

const KEYS: readonly KeyHelp[] = [
  { keys: '1 … 6', does: 'the views, from left to right' },
  { keys: 'j ↓', does: 'next item or event' },
  { keys: 'k ↑', does: 'previous item or event' },
  { keys: 'n N', does: 'next and previous event that failed' },
  { keys: 'c', does: 'to the event that caused this one' },
  { keys: 'e', does: 'to the first event that this one led to' },
  { keys: 's', does: 'the state after this event' },
  { keys: '/', does: 'search the story or the raw events' },
  { keys: 'Enter', does: 'next place that the search found; with Shift: the previous one' },
  { keys: '[ ]', does: 'in the story: previous and next prompt; in the state: change' },
  { keys: 'o', does: 'in the story: hide and show outputs' },
  { keys: 't', does: 'in the story: the list of turns' },
  { keys: 'Esc', does: 'close the event' },
  { keys: '+ - 0', does: 'timeline: closer, further, all' },
  { keys: '← →', does: 'in the timeline: move; in the state: event by event' },
  { keys: 'a', does: 'in the timeline: causes as arrows' },
  { keys: '?', does: 'these keys' },
];

function tabsOf(
  { document: { verification }, count }: Episode,
  { files, may_have_changed: maybe, copied }: ChangesOfRun,
  hasStates: boolean,
  folded: number,
): Tab[] {
  const findings = verification && severityCounts(verification);
  return [
    { name: 'story', title: 'Story' },
    { name: 'timeline', title: 'Timeline' },
    ...(files.length + maybe.length + folded > 0 || copied !== undefined
      ? [{ name: 'changes', title: 'Changes', ...(files.length > 0 && { count: files.length }) }]
      : []),
    ...(hasStates ? [{ name: 'state', title: 'State' }] : []),
    ...(findings
      ? [{ name: 'findings', title: 'Findings', count: findings.error + findings.warn + findings.info }]
      : []),
    { name: 'events', title: 'Raw events', count },
  ];
}

/** The subagents whose calls are on the page, and the number of those whose calls are not, because their logs are long. */
function partsOfPage({ turns, subagent_runs: subagents = [] }: Story): {
  readonly shown: readonly PartStory[];
  readonly folded: number;
} {
  const all = partsWithLogs({ turns, subagents });
  const shown = all.flatMap(({ name, turns: own }) => (own ? [{ name, story: { turns: own } }] : []));
  return { shown, folded: all.length - shown.length };
}

/** The next row in a direction whose status is not ok. */
function nextTrouble({ table, count }: Episode, row: number, step: 1 | -1): number | undefined {
  for (let at = row + step; at >= 0 && at < count; at += step) if (table.status[at] !== 0) return at;
  return undefined;
}

/** The verdict and the number of findings, with a link to them. */
function Verified({ verification }: { verification: PageVerdict }) {
  const { error, warn, info } = severityCounts(verification);
  const found = tally(error, warn, info);
  return (
    <a href="#findings">
      <Badge tone={toneOfVerdict(verification.verdict)}>
        verify: {verification.verdict}
        {found === '' ? '' : `, ${found}`}
      </Badge>
    </a>
  );
}

/** The page of one run. */
export function EpisodePage({ episode }: { episode: Episode }) {
  const { document: doc, table } = episode;
  const states = doc.states ? globalThis.noesisStates : undefined;
  const parts = useMemo(() => partsOfPage(doc.story), [episode]);
  const changes = useMemo(() => withNet(changesOfStory(doc.story, parts.shown)), [episode]);
  const tabs = useMemo(() => tabsOf(episode, changes, states !== undefined, parts.folded), [episode]);
  const story = useMemo(() => new StoryRows(episode), [episode]);
  const names = useMemo(() => tabs.map(({ name }) => name), [tabs]);
  const [address, go] = useAddress(names);
  const row = address.line === undefined ? -1 : episode.rowOfLine(address.line);
  const close = () => go({ line: undefined });
  const goRow = (next: number | undefined) =>
    next !== undefined && next >= 0 && go({ line: table.line[next] });
  useKeys({
    n: () => goRow(nextTrouble(episode, row, 1)),
    N: () => goRow(nextTrouble(episode, row < 0 ? episode.count : row, -1)),
    c: () => goRow(table.cause[row]),
    e: () => goRow(episode.effects(row)[0]),
    s: () => states !== undefined && go({ view: 'state' }),
    '/': () => {
      go({ view: 'story' });
      // Waits until the story is rendered. From then on its search field handles the key.
      setTimeout(() => document.querySelector<HTMLInputElement>('[type=search]')?.focus());
    },
    Escape: close,
  });
  const hasPane = row >= 0 && ['story', 'events', 'timeline'].includes(address.view);
  return (
    <Shell
      head={
        <>
          <h1>
            <Text text={runTitle(doc)} most={200} />
          </h1>
          <span class="tone-muted" title={doc.format}>
            {doc.dialect}
          </span>
          {doc.account.account !== undefined && (
            <Badge tone={doc.account.account.tone}>
              <Text text={doc.account.account.status} most={30} />
            </Badge>
          )}
          {doc.verification !== undefined && <Verified verification={doc.verification} />}
          {doc.configuration !== undefined && (
            <span class="tone-doubtful">
              <Text text={doc.configuration} />
            </span>
          )}
        </>
      }
      tabs={tabs}
      current={address.view}
      onTab={(view) => go({ view })}
      keys={KEYS}
      version={doc.version}
    >
      <OutputsAreCut.Provider value={doc.cut_outputs ?? false}>
        <div class={`split view-${address.view} ${hasPane ? 'has-pane' : ''}`}>
          <div class="main">
            {address.view === 'story' && (
              <StoryView episode={episode} story={story} line={address.line} go={go} />
            )}
            {address.view === 'timeline' && <Timeline episode={episode} row={row} go={go} />}
            {address.view === 'changes' && <ChangesView changes={changes} folded={parts.folded} />}
            {address.view === 'events' && <EventsView episode={episode} row={row} go={go} />}
            {address.view === 'state' && states !== undefined && (
              <StatesView episode={episode} row={row} go={go} states={states} />
            )}
            {address.view === 'findings' && doc.verification !== undefined && (
              <FindingsView episode={episode} verification={doc.verification} />
            )}
          </div>
          {hasPane && (
            <EventPane
              key={row}
              episode={episode}
              item={story.item(table.line[row] ?? 0)}
              isRaw={address.view === 'events'}
              row={row}
              go={go}
              onClose={close}
            />
          )}
        </div>
      </OutputsAreCut.Provider>
    </Shell>
  );
}
