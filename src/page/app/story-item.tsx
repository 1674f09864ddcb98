import { useState } from 'preact/hooks';
import type { FileChange } from '../../dialects/file-change.ts';
import { isFailedCall } from '../../dialects/session.ts';
import type { CallItem, NoteItem, SaidItem, StoryItem, StoryPoint } from '../../dialects/story.ts';
import { formatDuration } from '../../render/duration.ts';
import { escapeText } from '../../render/escape.ts';
import { FOLDED, resultOf, turnTitle } from '../../render/story-words.ts';
import { plural } from '../../render/tally.ts';
import { waitedText } from '../../render/waits.ts';
import { parseInstant } from '../../time/instant.ts';
import { LONGEST_OUTPUT } from '../document.ts';
import { Markdown } from './markdown.tsx';
import type { StoryRow } from './story-rows.ts';
import { momentOf, Text } from './text.tsx';

/** In UTF-16 units: longer lines are cut; the stored record has them whole. */
const LONGEST_LINE = 2000;
/** The number of lines added on demand. */
const MORE_LINES = 500;

/** A line number as a link to its event. */
export const LineLink = ({
  line,
  view = 'story',
  children,
}: {
  line: number;
  view?: string;
  children?: string;
}) => (
  <a class="line" href={`#${view}/${line}`} aria-label={`line ${line}`}>
    {children ?? line}
  </a>
);

const lineText = (text: string): string =>
  escapeText(text.slice(0, LONGEST_LINE).replaceAll('\t', '  ')) + (text.length > LONGEST_LINE ? '…' : '');

interface LinesProps {
  readonly text: string;
  /** The number of lines shown at first. */
  readonly most: number;
  readonly classOf?: (line: string) => string;
}

/** The first lines of a text, and more on demand. */
export function Lines({ text, most, classOf }: LinesProps) {
  const [shown, show] = useState(most);
  const all = text.replace(/\s+$/, '').split('\n');
  const rest = all.length - shown <= 1 ? 0 : all.length - shown;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre class="lines" tabIndex={0}>
        {all.slice(0, rest === 0 ? all.length : shown).map((line, index) => (
          <span key={index} class={classOf?.(line)}>
            {`${lineText(line)}\n`}
          </span>
        ))}
      </pre>
      {rest > 0 && (
        <button
          type="button"
          class="more"
          onClick={(event) => {
            event.stopPropagation();
            show(shown + MORE_LINES);
          }}
        >
          {plural(rest, 'more line')}
        </button>
      )}
    </>
  );
}

const SIGNS: Readonly<Record<string, string>> = { '+': 'diff-added', '-': 'diff-removed', '@': 'diff-place' };

/** The class of a diff line. */
export const SIGN_CLASS = (line: string): string => SIGNS[line[0] ?? ''] ?? '';

/** A file change as a unified diff. */
export const Diff = ({
  change: { path, added, removed, diff },
  most,
}: {
  change: FileChange;
  most: number;
}) => (
  <div class="diff">
    <p class="diff-head">
      <Text text={path} /> <Counts added={added} removed={removed} />
    </p>
    {diff !== '' && <Lines text={diff} most={most} classOf={SIGN_CLASS} />}
  </div>
);

export const Counts = ({ added, removed }: { added: number; removed: number }) => (
  <span class="counts-changed">
    <span class="tone-good">+{added}</span> <span class="tone-bad">−{removed}</span>
  </span>
);

const toneOfCall = (call: CallItem): string =>
  isFailedCall(call) ? 'tone-bad' : call.status === 'open' ? 'tone-doubtful' : 'tone-good';

/** The result of a call as a mark and a word. */
export const CallResult = ({ call }: { call: CallItem }) => (
  <span class={toneOfCall(call)}>{resultOf(call)}</span>
);

/** The decisions before a call, or the points of a note. */
export const Points = ({ points = [] }: Pick<NoteItem, 'points'>) =>
  points.length === 0 ? null : (
    <ul class="points">
      {points.map(({ text, tone, line }, index) => {
        const named = line === undefined ? '' : `line ${line}`;
        return (
          <li key={index} class={`point tone-${tone ?? ''}`}>
            <Text text={text.slice(0, text.length - named.length)} most={LONGEST_LINE} />
            {line !== undefined && <LineLink line={line}>{named}</LineLink>}
          </li>
        );
      })}
    </ul>
  );

/** The decisions before a call, and how long it waited for a person. */
export function pointsOfCall({ points = [], waited_ms: waited }: CallItem): readonly StoryPoint[] {
  const text = waitedText(waited);
  return text === '' ? points : [...points, { text, tone: 'muted' }];
}

interface OutputProps {
  readonly call: CallItem;
  readonly most: number;
}

/** The output of a call, and a link to the rest if the page has only the beginning. */
export const Output = ({ call: { output = '', line, result_line: result = line }, most }: OutputProps) => (
  <>
    <Lines text={output} most={most} />
    {output.length > LONGEST_OUTPUT && (
      <p class="tone-muted">
        The record on <LineLink line={result} view="events">{`line ${result}`}</LineLink> has the rest.
      </p>
    )}
  </>
);

function Call({ item }: { item: CallItem }) {
  const { tool, input, duration_ms: took, output, changes = [] } = item;
  const [first = '', ...more] = input.split('\n', 2);
  return (
    <>
      <p class="call-head">
        <strong>
          <Text text={tool} most={60} />
        </strong>
        <span class="call-input">
          <Text text={first + (more.length > 0 ? ' …' : '')} />
        </span>
        <span class="took">{took === undefined ? '' : formatDuration(took)}</span>
        <CallResult call={item} />
      </p>
      <Points points={pointsOfCall(item).slice(0, FOLDED)} />
      {changes.map((change, index) => (
        <Diff key={index} change={change} most={FOLDED} />
      ))}
      {output !== undefined && (changes.length === 0 || isFailedCall(item)) && (
        <Output call={item} most={FOLDED} />
      )}
    </>
  );
}

/** The speaker, if the item does not make it clear. */
export const speakerOf = ({ speaker, kind, agent }: SaidItem): string | undefined =>
  speaker ?? (kind === 'prompt' ? (agent === undefined ? 'You' : 'Task') : undefined);

function Said({ item }: { item: SaidItem }) {
  const [isOpen, setOpen] = useState(false);
  const { kind, text } = item;
  const speaker = speakerOf(item);
  if (kind === 'thinking')
    return (
      <>
        <button
          type="button"
          class="thinking"
          aria-expanded={isOpen}
          onClick={(event) => {
            event.stopPropagation();
            setOpen(!isOpen);
          }}
        >
          <span class="tone-muted">thinks</span>{' '}
          {!isOpen && <Text text={text.replace(/[*#`\s]+/g, ' ').trim()} most={160} />}
        </button>
        {isOpen && <Markdown text={text} />}
      </>
    );
  return (
    <>
      {speaker !== undefined && (
        <p class="speaker">
          <Text text={speaker} most={80} />
        </p>
      )}
      <Markdown text={text} />
    </>
  );
}

export const NoteBody = ({ item: { text, points } }: { item: NoteItem }) => (
  <>
    {text !== undefined && <Markdown text={text} />}
    <Points {...(points && { points })} />
  </>
);

function Body({ item }: { item: StoryItem }) {
  switch (item.kind) {
    case 'call':
      return <Call item={item} />;
    case 'divider':
      return (
        <p class={`divider tone-${item.tone ?? 'muted'}`}>
          <Text text={item.text === undefined ? item.title : `${item.title}: ${item.text}`} />
        </p>
      );
    case 'note':
      return (
        <div class="note">
          <p class={`note-title tone-${item.tone ?? ''}`}>
            <Text text={item.title} most={120} />
          </p>
          <div>
            <NoteBody item={item} />
          </div>
        </div>
      );
    default:
      return <Said item={item} />;
  }
}

interface RowProps {
  readonly row: StoryRow;
  /** The subagent of the row, unless the row above has the same. */
  readonly agent: string | undefined;
  readonly isChosen: boolean;
  /** The tone of the worst finding about the row. */
  readonly found: string | undefined;
  readonly onChoose: (line: number) => void;
}

export function StoryRowView({ row, agent, isChosen, found, onChoose }: RowProps) {
  if (row.kind === 'foot')
    return (
      <div class="story-row foot">
        <span />
        <p class="tone-muted">{row.text}</p>
      </div>
    );
  if (row.kind === 'turn') {
    const { turn, pause } = row;
    const instant = parseInstant(turn.time ?? '');
    return (
      <>
        {pause !== '' && <p class="pause tone-muted">{pause}</p>}
        <div class="story-row turn">
          <span />
          <h2>
            {turnTitle(turn)}
            {turn.rolled_back && <span class="tone-doubtful"> (taken back)</span>}
            {instant !== undefined && <small> {momentOf(instant)}</small>}
          </h2>
        </div>
      </>
    );
  }
  const { item } = row;
  const isBad = item.kind === 'call' && isFailedCall(item) ? 'is-bad' : '';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the line number is a link, and the page handles j and k
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      class={`story-row kind-of-${item.kind} ${isBad} ${item.agent === undefined ? '' : 'of-agent'}`}
      {...(isChosen && { 'aria-current': 'true' as const })}
      onClick={({ target }) => {
        const isOther = target instanceof Element && target.closest('a, button') !== null;
        if (!isOther && getSelection()?.isCollapsed !== false) onChoose(row.line);
      }}
    >
      <span>
        {found !== undefined && (
          <span class={`dot tone-${found}`} role="img" aria-label="finding">
            ●
          </span>
        )}
        <LineLink line={row.line} />
      </span>
      <div class="story-body">
        {agent !== undefined && (
          <p class="agent-name tone-muted">
            <Text text={agent} most={80} />
          </p>
        )}
        <Body item={item} />
      </div>
    </div>
  );
}
