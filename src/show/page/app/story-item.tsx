import { useState } from 'preact/hooks';
import { parseInstant } from '../../../base/time/instant.ts';
import { type CallItem, FOLDED, type SaidItem, type StoryItem } from '../../../dialects/kit/story.ts';
import { isFailedCall } from '../../../dialects/sessions/kit/session.ts';
import { turnMark, turnTitle } from '../../render/story-words.ts';
import { pointsOfCall } from '../../render/waits.ts';
import { CopyButton } from './copy-button.tsx';
import { Folded } from './folded.tsx';
import { Markdown } from './markdown.tsx';
import {
  CallHead,
  Diff,
  Divider,
  INPUT_UNITS,
  LineLink,
  Lines,
  Note,
  Output,
  Points,
  Said,
} from './story-parts.tsx';
import { type StoryRow, textToCopy } from './story-rows.ts';
import { Subagents } from './subagents.tsx';
import { momentOf, Text } from './text.tsx';

/** The rest of an input, which is only shown if somebody searches for it: the pane has the whole. */
function RestOfInput({ input }: { input: string }) {
  const [isFound, find] = useState(false);
  const first = input.split('\n', 1)[0] ?? '';
  if (first.length === input.length && input.length <= INPUT_UNITS) return null;
  return isFound ? (
    <Lines text={input} most={Infinity} />
  ) : (
    <Folded text={input} onFound={() => find(true)} />
  );
}

/** The output of a call that changed files, which says no more than its diffs. */
function RestOfOutput({ output }: { output: string }) {
  const [isFound, find] = useState(false);
  return (
    <div class="output">
      {isFound ? (
        <Lines text={output} most={Infinity} />
      ) : (
        <Folded text={output} onFound={() => find(true)} />
      )}
    </div>
  );
}

function Call({ item }: { item: CallItem }) {
  const { input, output, changes = [], subagents = [] } = item;
  const [first = '', ...more] = input.split('\n', 2);
  const isShown = changes.length === 0 || isFailedCall(item);
  return (
    <>
      <CallHead call={item} input={first + (more.length > 0 ? ' …' : '')} />
      <RestOfInput input={input} />
      <Points points={pointsOfCall(item).slice(0, FOLDED)} />
      {changes.map((change, index) => (
        <Diff key={index} change={change} most={FOLDED} below={input} />
      ))}
      {output !== undefined &&
        (isShown ? <Output call={item} most={FOLDED} /> : <RestOfOutput output={output} />)}
      <Subagents parts={subagents} />
    </>
  );
}

function SaidText({ item }: { item: SaidItem }) {
  const [isOpen, setOpen] = useState(false);
  const { kind, text } = item;
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
        {isOpen ? <Markdown text={text} /> : <Folded text={text} onFound={() => setOpen(true)} />}
      </>
    );
  return <Said item={item} />;
}

function Body({ item }: { item: StoryItem }) {
  switch (item.kind) {
    case 'call':
      return <Call item={item} />;
    case 'divider':
      return <Divider item={item} />;
    case 'note':
      return <Note item={item} />;
    default:
      return <SaidText item={item} />;
  }
}

function Copy({ item }: { item: StoryItem }) {
  const copy = textToCopy(item);
  return copy && <CopyButton {...copy} />;
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
            {turnMark(turn) !== '' && <span class="tone-doubtful"> {turnMark(turn)}</span>}
            {instant !== undefined && <small> {momentOf(instant)}</small>}
            {turn.part !== undefined && (
              <small>
                {' '}
                in the further log <Text text={turn.part} />
              </small>
            )}
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
        const isOther = target instanceof Element && target.closest('a, button, details') !== null;
        if (!isOther && row.part === undefined && getSelection()?.isCollapsed !== false) onChoose(row.line);
      }}
    >
      <span>
        {found !== undefined && (
          <span class={`dot tone-${found}`} role="img" aria-label="finding">
            ●
          </span>
        )}
        {row.part === undefined ? <LineLink line={row.line} /> : <span class="line">{row.line}</span>}
      </span>
      <div class="story-body">
        {agent !== undefined && (
          <p class="agent-name tone-muted">
            <Text text={agent} most={80} />
          </p>
        )}
        <Body item={item} />
      </div>
      <Copy item={item} />
    </div>
  );
}
