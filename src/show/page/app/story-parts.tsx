import { createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import type { FileChange } from '../../../dialects/kit/file-change.ts';
import type { CallItem, DividerItem, NoteItem, SaidItem } from '../../../dialects/kit/story.ts';
import { OUTCOME_OF_CALL, toneOfOutcome } from '../../../dialects/sessions/kit/outcome.ts';
import { escapeText } from '../../render/escape.ts';
import { changedPath, noteText, resultOf } from '../../render/story-words.ts';
import { plural } from '../../render/tally.ts';
import { callTook } from '../../render/waits.ts';
import { LONGEST_OUTPUT } from '../page-data.ts';
import { Folded } from './folded.tsx';
import { Markdown } from './markdown.tsx';
import { Text } from './text.tsx';

/** In UTF-16 units: longer lines are shown in pieces, of which each counts as a line. */
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

interface PlaceProps {
  readonly line: number;
  readonly part: string | undefined;
  /** How often it happened; this is the last time. */
  readonly count?: number;
}

/** The place of a call, with a link if its line is on this page and not in the log of a subagent. */
export function Place({ line, part, count = 1 }: PlaceProps) {
  const text = count === 1 ? `line ${line}` : `${count} times, last on line ${line}`;
  return part === undefined ? (
    <LineLink line={line}>{text}</LineLink>
  ) : (
    <span>
      {text} of <Text text={part} />
    </span>
  );
}

const lineText = (text: string): string => escapeText(text.replaceAll('\t', '  '));

/** Does not split a character of two units. */
const PIECE = new RegExp(`[^]{1,${LONGEST_LINE}}(?![\\udc00-\\udfff])`, 'g');

/** A line of a text, or a part of a long one. */
interface Piece {
  readonly text: string;
  /** Its place in its line, from 0. */
  readonly at: number;
}

/** Pieces of one line that are shown at first. */
const MOST_PIECES = 4;

const piecesOf = (text: string): Piece[] =>
  text
    .replace(/\s+$/, '')
    .split('\n')
    .flatMap((line) =>
      (line.length <= LONGEST_LINE ? [line] : (line.match(PIECE) ?? [])).map((piece, at) => ({
        text: piece,
        at,
      })),
    );

/** The rest of a text in words. */
function restText(rest: readonly Piece[]): string {
  const lines = rest.filter(({ at }) => at === 0).length;
  return lines === 0 ? 'the rest of the line' : plural(lines, 'more line');
}

interface LinesProps {
  readonly text: string;
  /** The number of lines shown at first. */
  readonly most: number;
  readonly classOf?: (line: string) => string;
}

/** The first lines of a text, and more on demand. */
export function Lines({ text, most, classOf }: LinesProps) {
  const all = useMemo(() => piecesOf(text), [text]);
  const [shown, show] = useState(() => {
    const long = all.findIndex(({ at }) => at === MOST_PIECES);
    return long < 0 ? most : Math.min(most, long);
  });
  const rest = all.length - shown <= 1 ? 0 : all.length - shown;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre class="lines" tabIndex={0}>
        {all.slice(0, rest === 0 ? all.length : shown).map(({ text: line }, index) => (
          <span key={index} class={classOf?.(line)}>
            {`${lineText(line)}\n`}
          </span>
        ))}
        {rest > 0 && (
          <Folded
            text={all
              .slice(shown)
              .map((piece) => piece.text)
              .join('\n')}
            onFound={() => show(all.length)}
          />
        )}
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
          {restText(all.slice(shown))}
        </button>
      )}
    </>
  );
}

const SIGNS: Readonly<Record<string, string>> = { '+': 'diff-added', '-': 'diff-removed', '@': 'diff-place' };

/** The class of a diff line. */
export const SIGN_CLASS = (line: string): string => SIGNS[line[0] ?? ''] ?? '';

/** A file change as a unified diff. `below`: the text above it, which may already be the path. */
export function Diff({ change, most, below }: { change: FileChange; most: number; below: string }) {
  const { added, removed, diff } = change;
  const path = changedPath(change);
  return (
    <div class="diff">
      <p class="diff-head">
        <span>{path === below ? '' : <Text text={path} />}</span> <Counts added={added} removed={removed} />
      </p>
      {diff !== '' && <Lines text={diff} most={most} classOf={SIGN_CLASS} />}
    </div>
  );
}

export const Counts = ({ added, removed }: { added: number; removed: number }) => (
  <span class="counts-changed">
    <span class="tone-good">+{added}</span> <span class="tone-bad">−{removed}</span>
  </span>
);

const toneOfCall = (call: CallItem): string => `tone-${toneOfOutcome(OUTCOME_OF_CALL[call.status])}`;

/** The result of a call as a mark and a word. */
export const CallResult = ({ call }: { call: CallItem }) => (
  <span class={toneOfCall(call)}>{resultOf(call)}</span>
);

/** In UTF-16 units: how much of an input is in the head of its call. */
export const INPUT_UNITS = 300;

/** A call in a line: its tool, input, duration and result. */
export const CallHead = ({ call, input = call.input }: { call: CallItem; input?: string }) => (
  <p class="call-head">
    <strong>
      <Text text={call.tool} most={60} />
    </strong>
    <span class="call-input">
      <Text text={input} most={INPUT_UNITS} />
    </span>
    <span class="took">{callTook(call)}</span>
    <CallResult call={call} />
  </p>
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

/** Whether the page has only the beginning of long outputs. */
export const OutputsAreCut = createContext(false);

interface OutputProps {
  readonly call: CallItem;
  readonly most: number;
}

/** The output of a call, and a link to the rest if the page has only the beginning. */
export const Output = ({ call: { output = '', line, result_line: result = line }, most }: OutputProps) => (
  <div class="output">
    <Lines text={output} most={most} />
    {useContext(OutputsAreCut) && output.length > LONGEST_OUTPUT && (
      <p class="tone-muted">
        The record on <LineLink line={result} view="events">{`line ${result}`}</LineLink> has the rest.
      </p>
    )}
  </div>
);

/** The speaker, if the item does not make it clear. */
export const speakerOf = ({ speaker, kind, agent }: SaidItem): string | undefined =>
  speaker ?? (kind === 'prompt' ? (agent === undefined ? 'You' : 'Task') : undefined);

/** A text under the name of its speaker. */
export function Said({ item, speaker = speakerOf(item) }: { item: SaidItem; speaker?: string | undefined }) {
  return (
    <>
      {speaker !== undefined && (
        <p class="speaker">
          <Text text={speaker} most={80} />
        </p>
      )}
      <Markdown text={item.text} />
    </>
  );
}

export const Divider = ({ item: { title, text, tone = 'muted' } }: { item: DividerItem }) => (
  <p class={`divider tone-${tone}`}>
    <Text text={text === undefined ? title : `${title}: ${text}`} most={10_000} />
  </p>
);

export function NoteBody({ item }: { item: NoteItem }) {
  const [text, { points }] = [noteText(item), item];
  return (
    <>
      {text !== '' && <Markdown text={text} />}
      <Points {...(points && { points })} />
    </>
  );
}

export const Note = ({ item }: { item: NoteItem }) => (
  <div class="note">
    <p class={`note-title tone-${item.tone ?? ''}`}>
      <Text text={item.title} most={120} />
    </p>
    <div>
      <NoteBody item={item} />
    </div>
  </div>
);
