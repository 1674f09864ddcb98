import { type CallItem, FOLDED, type PartStory, type StoryItem } from '../../../dialects/kit/story.ts';
import { isFailedCall } from '../../../dialects/sessions/kit/session.ts';
import { partsWithLogs } from '../../../read/describe/story-parts.ts';
import { partText, turnTitle } from '../../render/story-words.ts';
import { plural } from '../../render/tally.ts';
import type { Episode } from './episode.ts';
import { CallHead, Diff, Divider, Lines, Note, Said } from './story-parts.tsx';
import { Text } from './text.tsx';

/** A call of a subagent. */
function Call({ item }: { item: CallItem }) {
  const { output, changes = [], subagents = [] } = item;
  return (
    <>
      <CallHead call={item} />
      {changes.map((change, index) => (
        <Diff key={index} change={change} most={FOLDED} below={item.input} />
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
      return <Divider item={item} />;
    case 'note':
      return <Note item={item} />;
    case 'thinking':
      return <Said item={item} speaker="thinks" />;
    default:
      return <Said item={item} />;
  }
}

/** Subagents, folded. If the page does not have their steps, only what they did in a line. */
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

/** Says that the logs of subagents are not in a view, and which command shows them. */
export function WithoutParts({
  episode: { document: doc },
  what,
  command,
}: {
  episode: Episode;
  what: string;
  command: string;
}) {
  const { turns, subagent_runs: subagents = [] } = doc.story;
  const count = partsWithLogs({ turns, subagents }).length;
  return count === 0 ? null : (
    <p class="idle tone-muted">
      {`Without the ${what} of ${plural(count, 'subagent')}, which ${command} shows.`}
    </p>
  );
}
