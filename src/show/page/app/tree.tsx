import { useState } from 'preact/hooks';
import { formatPath, type JsonPath } from '../../../base/json/path.ts';
import { StoredNumber } from '../../../base/json/stored-number.ts';
import { LongText, Text } from './text.tsx';

/** The number of members shown at first, and added on demand. */
const FIRST_MEMBERS = 100;

interface TreeProps {
  readonly value: unknown;
  /** The number of levels that are open at first. */
  readonly open: number;
  /** The paths of changed values. */
  readonly changed?: ReadonlySet<string>;
  readonly path?: JsonPath;
  readonly name?: string;
}

const isHolder = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof StoredNumber);

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string')
    return (
      <span class="json-string">
        <LongText text={value} quoted />
      </span>
    );
  return <span class="json-word">{String(value)}</span>;
}

const Name = ({ name }: { name: string | undefined }) =>
  name === undefined ? null : (
    <>
      <span class="json-key">
        <Text text={name} />
      </span>
      <span class="punct">: </span>
    </>
  );

/** A JSON value with one member per line. Levels open on demand. */
export function Tree({ value, open, changed, path = [], name }: TreeProps) {
  const [isOpen, setOpen] = useState(open > 0);
  const [most, setMost] = useState(FIRST_MEMBERS);
  const mark = changed?.has(formatPath(path)) ? 'changed' : '';
  if (!isHolder(value) || Object.keys(value).length === 0)
    return (
      <div class={`node leaf ${mark}`}>
        <Name name={name} />
        {isHolder(value) ? (
          <span class="punct">{Array.isArray(value) ? '[]' : '{}'}</span>
        ) : (
          <Leaf value={value} />
        )}
      </div>
    );
  const members = Object.entries(value);
  const isArray = Array.isArray(value);
  const count = `${members.length} ${isArray ? 'item' : 'field'}${members.length === 1 ? '' : 's'}`;
  return (
    <div class={`node ${mark}`}>
      <button type="button" class="twist" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Name name={name} />
        <span class="count">{isArray ? `[${count}]` : `{${count}}`}</span>
      </button>
      {isOpen && (
        <div class="members">
          {members.slice(0, most).map(([key, member]) => (
            <Tree
              key={key}
              value={member}
              open={open - 1}
              {...(changed !== undefined && { changed })}
              path={[...path, isArray ? Number(key) : key]}
              name={key}
            />
          ))}
          {members.length > most && (
            <button type="button" class="more" onClick={() => setMost(most * 10)}>
              … {members.length - most} more
            </button>
          )}
        </div>
      )}
    </div>
  );
}
