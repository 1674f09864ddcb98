import type { CallItem, PartStory, StoryItem } from '../../../dialects/kit/story.ts';
import { isFailedCall } from '../../../dialects/sessions/kit/session.ts';
import { FOLDED, partText, turnTitle } from '../../render/story-words.ts';
import { callTook } from '../../render/waits.ts';
import { Markdown } from './markdown.tsx';
import { CallResult, Diff, Lines, NoteBody, speakerOf } from './story-parts.tsx';
import { Text } from './text.tsx';

/** A call in another log, whose lines are not on this page. */
function Call({ item }: { item: CallItem }) {
  const { tool, input, output, changes = [], subagents = [] } = item;
  return (
    <>
      <p class="call-head">
        <strong>
          <Text text={tool} most={60} />
        </strong>
        <span class="call-input">
          <Text text={input} most={300} />
        </span>
        <span class="took">{callTook(item)}</span>
        <CallResult call={item} />
      </p>
      {changes.map((change, index) => (
        <Diff key={index} change={change} most={FOLDED} />
      ))}
      {output !== undefined && (changes.length === 0 || isFailedCall(item)) && (
        <div class="output">
          <Lines text={output} most={FOLDED} />
        </div>
      )}
      <Subagents parts={subagents} />
    </>
  );
}

function Step({ item }: { item: StoryItem }) {
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
          <NoteBody item={item} />
        </div>
      );
    default: {
      const speaker = item.kind === 'thinking' ? 'thinks' : (speakerOf(item) ?? undefined);
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
  }
}

/** Subagents with logs of their own, folded. If the page does not have their steps, only what they did in a line. */
export function Subagents({ parts }: { parts: readonly PartStory[] }) {
  return (
    <>
      {parts.map((part) => {
        const { name, tone = 'muted', turns, subagents = [] } = part;
        const text = <Text text={`↳ ${partText(part)}`} />;
        if (turns === undefined)
          return (
            <div key={name} class="subagent">
              <p class={`tone-${tone}`}>{text}</p>
              <Subagents parts={subagents} />
            </div>
          );
        return (
          <details key={name} class="subagent">
            <summary class={`tone-${tone}`}>{text}</summary>
            {turns.map((turn) => (
              <section key={turn.turn}>
                {turns.length > 1 && <h3>{turnTitle(turn)}</h3>}
                {turn.items.map((item, index) => (
                  <div key={index} class="subagent-step">
                    <Step item={item} />
                  </div>
                ))}
              </section>
            ))}
          </details>
        );
      })}
    </>
  );
}
