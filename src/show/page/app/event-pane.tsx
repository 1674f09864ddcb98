import { useMemo } from 'preact/hooks';
import { parseExactJson } from '../../../base/json/parse.ts';
import type { CallItem, StoryItem } from '../../../dialects/kit/story.ts';
import { formatOffset, formatTime } from '../../render/time.ts';
import { callTook, pointsOfCall } from '../../render/waits.ts';
import { LOST_CAUSE } from '../page-data.ts';
import type { Go } from './address.ts';
import { CopyButton } from './copy-button.tsx';
import { type Episode, wordOf } from './episode.ts';
import { type Field, Fields } from './fields.tsx';
import { FindingList, linksTo } from './findings.tsx';
import { Markdown } from './markdown.tsx';
import { CallResult, Diff, LineLink, Lines, NoteBody, Output, Points, speakerOf } from './story-parts.tsx';
import { hrefOfEvent, LongText, StatusMark, Text, ToolName, toneOfStatus } from './text.tsx';
import { Tree } from './tree.tsx';

/** The number of listed effects. */
const MOST_EFFECTS = 20;

interface PaneProps {
  readonly episode: Episode;
  /** The item in the story. */
  readonly item: StoryItem | undefined;
  /** Whether the stored record was requested. */
  readonly isRaw: boolean;
  readonly row: number;
  readonly go: Go;
  readonly onClose: () => void;
}

/** The label of an event: its phase, else its type, else its name. */
export const labelOf = ({ table }: Episode, row: number): string =>
  wordOf(table.phase, row) || wordOf(table.type, row) || wordOf(table.name, row);

/** An event in one row, with a link to it. */
export function EventLink({ episode, row, go }: Pick<PaneProps, 'episode' | 'row' | 'go'>) {
  const { table } = episode;
  const line = table.line[row];
  return (
    <button type="button" class="event-link" onClick={() => go({ line })}>
      <span class="line">{line}</span>
      <span class="phase">
        <StatusMark status={episode.status(row)} />
        <Text text={labelOf(episode, row)} most={60} />
      </span>
      <span class="what">
        <ToolName table={table} row={row} />
        <Text text={table.text[row] ?? ''} most={160} />
      </span>
      <span class="took">{episode.tookText(row)}</span>
    </button>
  );
}

/** The parsed event, or its text if it is not valid JSON. */
function parsed(stored: string): unknown {
  try {
    return parseExactJson(stored);
  } catch {
    return stored;
  }
}

function Facts({ episode, row }: Pick<PaneProps, 'episode' | 'row'>) {
  const { table } = episode;
  const [phase, type] = [wordOf(table.phase, row), wordOf(table.type, row)];
  const written = episode.writtenAt(row);
  const status = episode.status(row);
  const facts: readonly (readonly [label: string, text: string, style?: string])[] = [
    ['Id', table.id[row] ?? '', 'id'],
    ['Phase', phase],
    ['Type', type === phase ? '' : type],
    ['Tool', wordOf(table.tool, row)],
    ['Agent', wordOf(table.agent, row)],
    ['Status', status === 'ok' ? '' : status, `tone-${toneOfStatus(status)}`],
    ['Time', written === undefined ? '' : formatTime(table.base + written, 'local', true)],
    ['Offset', written === undefined ? '' : formatOffset(written)],
    ['Took', [episode.tookText(row), episode.waitedText(row)].filter((text) => text !== '').join(', ')],
  ];
  return (
    <Fields
      of={facts.map(([label, text, style]): Field => [label, text && <LongText text={text} />, style])}
    />
  );
}

function Neighbours({ episode, row, go }: Pick<PaneProps, 'episode' | 'row' | 'go'>) {
  const cause = episode.table.cause[row] ?? -1;
  const effects = episode.effects(row);
  const more = effects.length - MOST_EFFECTS;
  return (
    <>
      {cause >= 0 && (
        <section>
          <h3>Caused by</h3>
          <EventLink episode={episode} row={cause} go={go} />
        </section>
      )}
      {cause === LOST_CAUSE && (
        <section>
          <h3>Caused by</h3>
          <p class="tone-bad">
            <Text text={episode.table.lost[row] ?? ''} /> (not in this log)
          </p>
        </section>
      )}
      {effects.length > 0 && (
        <section>
          <h3>Led to</h3>
          {effects.slice(0, MOST_EFFECTS).map((effect) => (
            <EventLink key={effect} episode={episode} row={effect} go={go} />
          ))}
          {more > 0 && <p class="tone-muted">and {more} more</p>}
        </section>
      )}
    </>
  );
}

/** The name of an item, if it has one. */
function titleOfItem(item: StoryItem): string | undefined {
  if (item.kind === 'call') return item.tool;
  if (item.kind === 'note' || item.kind === 'divider') return item.title;
  return speakerOf(item) ?? (item.kind === 'thinking' ? 'Thinking' : 'Answer');
}

/** The number of lines of a text that are shown at first. */
const PANE_LINES = 400;

function CallParts({ item, line }: { item: CallItem; line: number | undefined }) {
  const { input, output, changes = [], result_line: result = item.line } = item;
  const took = callTook(item);
  return (
    <>
      <p>
        <CallResult call={item} />
        {took !== '' && ` · ${took}`}
        {result !== item.line && (
          <>
            {line === result ? ' · called on ' : ' · result on '}
            <LineLink line={line === result ? item.line : result}>
              {`line ${line === result ? item.line : result}`}
            </LineLink>
          </>
        )}
      </p>
      {input !== '' && (
        <section class="copied">
          <CopyButton text={input} what="input" />
          <Lines text={input} most={PANE_LINES} />
        </section>
      )}
      <Points points={pointsOfCall(item)} />
      {changes.map((change, index) => (
        <Diff key={index} change={change} most={PANE_LINES} below={input} />
      ))}
      {output !== undefined && (
        <section class="copied">
          <h3>Output</h3>
          <CopyButton text={output} what="output" />
          <Output call={item} most={PANE_LINES} />
        </section>
      )}
    </>
  );
}

/** What a reader wants to see first: the text, the command with its output, or the diff. */
function ItemBody({ item, line }: { item: StoryItem; line: number | undefined }) {
  if (item.kind === 'call') return <CallParts item={item} line={line} />;
  if (item.kind === 'note') return <NoteBody item={item} />;
  return item.text === undefined ? null : (
    <div class="copied">
      <CopyButton text={item.text} what="text" />
      <Markdown text={item.text} />
    </div>
  );
}

/** One event with its causes, effects and findings. */
export function EventPane({ episode, item, isRaw, row, go, onClose }: PaneProps) {
  const stored = episode.stored(row);
  const value = useMemo(() => parsed(stored), [stored]);
  const line = episode.table.line[row];
  const findings = episode.findings(row);
  return (
    <aside class="pane" aria-label={`event on line ${line}`}>
      <header>
        <h2>
          <StatusMark status={episode.status(row)} />{' '}
          <Text text={(item && titleOfItem(item)) || labelOf(episode, row)} most={60} />{' '}
          <small>line {line}</small>
        </h2>
        {episode.document.states && (
          <button type="button" onClick={() => go({ view: 'state', line })}>
            State here
          </button>
        )}
        <button type="button" class="icon" aria-label="close" onClick={onClose}>
          ✕
        </button>
      </header>
      {item !== undefined && <ItemBody item={item} line={line} />}
      <Facts episode={episode} row={row} />
      {findings.length > 0 && (
        <section>
          <h3>Findings</h3>
          <FindingList
            findings={findings}
            meanings={episode.document.meanings}
            linksOf={(finding) => linksTo(episode.document.file, finding, hrefOfEvent)}
          />
        </section>
      )}
      <Neighbours episode={episode} row={row} go={go} />
      <details open={isRaw || item === undefined}>
        <summary>Stored JSON</summary>
        <div class="copied">
          <CopyButton text={stored} what="stored record" />
          <div class="json">
            <Tree value={value} open={3} />
          </div>
        </div>
        <details>
          <summary>As it is stored</summary>
          <pre class="stored">
            <LongText text={stored} />
          </pre>
        </details>
      </details>
    </aside>
  );
}
