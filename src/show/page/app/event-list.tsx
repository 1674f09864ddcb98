import { formatOffset } from '../../render/time.ts';
import { type Episode, wordOf } from './episode.ts';
import { labelOf } from './event-pane.tsx';
import { indexIn } from './sorted.ts';
import { Marked, StatusMark, Text, ToolName, toneOfSeverity } from './text.tsx';
import { VirtualList } from './virtual-list.tsx';

interface ListProps {
  readonly episode: Episode;
  readonly rows: readonly number[];
  readonly chosen: number;
  readonly sought: string;
  readonly onChoose: (row: number) => void;
}

function Row({ episode, row, sought }: Pick<ListProps, 'episode' | 'sought'> & { row: number }) {
  const { table } = episode;
  const written = episode.writtenAt(row);
  const worst = episode.worstFinding(row);
  return (
    <>
      <span class="line">{table.line[row]}</span>
      <span class="offset">{written === undefined ? '' : formatOffset(written)}</span>
      <span class="phase">
        <StatusMark status={episode.status(row)} />
        <Text text={labelOf(episode, row)} most={60} />
      </span>
      <span class="agent">
        <Text text={wordOf(table.agent, row)} most={60} />
      </span>
      <span class="what">
        {worst !== undefined && (
          <span class={`dot tone-${toneOfSeverity(worst)}`} role="img" aria-label={`finding: ${worst}`}>
            ●
          </span>
        )}
        <ToolName table={table} row={row} />
        <Marked text={table.text[row] ?? ''} sought={sought} />
      </span>
      <span class="took">{episode.tookText(row)}</span>
    </>
  );
}

/** A list of any number of events. */
export function EventList({ episode, rows, chosen, sought, onChoose }: ListProps) {
  const rowAt = (index: number): number => rows[index] ?? -1;
  return (
    <>
      <div class="heads" aria-hidden="true">
        {['Line', 'Offset', 'Event', 'Agent', 'What', 'Took'].map((title) => (
          <span key={title} class={`head-${title.toLowerCase()}`}>
            {title}
          </span>
        ))}
      </div>
      <VirtualList
        count={rows.length}
        label={`${rows.length} events`}
        chosen={indexIn(rows, chosen)}
        onChoose={(index) => onChoose(rowAt(index))}
        classOf={(index) => `status-${episode.status(rowAt(index))}`}
      >
        {(index) => <Row episode={episode} row={rowAt(index)} sought={sought} />}
      </VirtualList>
    </>
  );
}
