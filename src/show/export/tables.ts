/** The type of a column of an exported table. Times are microseconds since 1970, UTC. */
export type ColumnType = 'text' | 'integer' | 'real' | 'time' | 'boolean' | 'json';

/** A column of an exported table (docs/formats/tables.md). */
export interface ExportColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly what: string;
  /** Every row has a value. */
  readonly required?: true;
}

/** A value of a column; times are bigints. Undefined: no value. */
export type Cell = string | number | bigint | boolean | Uint8Array | undefined;

/** A row: its cells in the order of the columns. */
export type Row = readonly Cell[];

export const TABLE_NAMES = ['events', 'episodes', 'findings'] as const;
export type TableName = (typeof TABLE_NAMES)[number];

const EPISODE = {
  name: 'episode',
  type: 'text',
  what: 'the episode, or the name of the log',
  required: true,
} as const;
const RUN = { name: 'run', type: 'text', what: 'the run, if the log has several' } as const;

/** The columns of each table, in the order of the cells. Add new ones at the end. */
export const TABLES: Readonly<Record<TableName, readonly ExportColumn[]>> = {
  events: [
    EPISODE,
    RUN,
    { name: 'line', type: 'integer', what: 'the line in the log, counted from 1', required: true },
    { name: 'byte_start', type: 'integer', what: 'where the line begins in the log', required: true },
    { name: 'byte_end', type: 'integer', what: 'where the line ends, without its newline', required: true },
    { name: 'dialect', type: 'text', what: 'the dialect of the log', required: true },
    { name: 'type', type: 'text', what: 'the type of the event' },
    { name: 'phase', type: 'text', what: 'its phase, if the dialect has phases' },
    { name: 'agent', type: 'text', what: 'the agent that wrote it' },
    { name: 'name', type: 'text', what: 'a short name, such as that of a tool or a step' },
    { name: 'time', type: 'time', what: 'the time when it began' },
    { name: 'offset_ms', type: 'real', what: 'milliseconds since the start of the run' },
    { name: 'duration_ms', type: 'real', what: 'how long it worked, if the log says that' },
    { name: 'id', type: 'text', what: 'its id' },
    { name: 'cause', type: 'text', what: 'the id of the event that caused it' },
    { name: 'outcome', type: 'text', what: 'ok, error, veto or open', required: true },
    { name: 'record', type: 'json', what: 'the stored record, byte for byte', required: true },
    {
      name: 'copied',
      type: 'boolean',
      what: 'whether it counts in another session, from which it was copied',
      required: true,
    },
  ],
  episodes: [
    EPISODE,
    RUN,
    { name: 'path', type: 'text', what: 'the folder of the episode, or the log', required: true },
    { name: 'dialect', type: 'text', what: 'the dialect of the log', required: true },
    { name: 'task', type: 'text', what: 'the task or the first prompt' },
    { name: 'status', type: 'text', what: 'the status of the run', required: true },
    { name: 'start', type: 'time', what: 'the first time that its events state' },
    { name: 'end', type: 'time', what: 'the last time that its events state' },
    { name: 'duration_ms', type: 'real', what: 'milliseconds from start to end' },
    { name: 'events', type: 'integer', what: 'the number of events', required: true },
    { name: 'bytes', type: 'integer', what: 'the size of the log', required: true },
    { name: 'sealed', type: 'boolean', what: 'whether it is sealed', required: true },
    { name: 'verdict', type: 'text', what: 'ok, warn or fail, as `noesis verify` says', required: true },
    { name: 'errors', type: 'integer', what: 'the number of errors', required: true },
    { name: 'warnings', type: 'integer', what: 'the number of warnings', required: true },
    { name: 'why', type: 'text', what: 'the reasons for the end, in order' },
    { name: 'input', type: 'integer', what: 'tokens given to models, without caches' },
    { name: 'cached', type: 'integer', what: 'tokens read from caches' },
    { name: 'cache_write', type: 'integer', what: 'tokens written to caches' },
    { name: 'output', type: 'integer', what: 'tokens written by models' },
    { name: 'reasoning', type: 'integer', what: 'the part of the output that is reasoning' },
  ],
  findings: [
    EPISODE,
    { name: 'code', type: 'text', what: 'see `noesis explain`', required: true },
    { name: 'severity', type: 'text', what: 'error, warn or info', required: true },
    { name: 'message', type: 'text', what: 'the problem', required: true },
    { name: 'file', type: 'text', what: 'the file with the problem', required: true },
    { name: 'line', type: 'integer', what: 'the line, counted from 1' },
    { name: 'column', type: 'integer', what: 'the column, counted from 1' },
    { name: 'byte_start', type: 'integer', what: 'where it begins in the file' },
    { name: 'byte_end', type: 'integer', what: 'where it ends' },
    { name: 'event', type: 'text', what: 'the id of the event' },
    { name: 'path', type: 'text', what: 'the place in the record' },
    { name: 'expected', type: 'text', what: 'the expected value' },
    { name: 'actual', type: 'text', what: 'the actual value' },
  ],
};
