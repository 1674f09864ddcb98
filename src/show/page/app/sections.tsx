import type { StateView, ViewSection, ViewTable } from '../../../dialects/kit/state-view.ts';
import { TonedText } from './text.tsx';

/** The number of table rows shown. */
const MOST_ROWS = 500;

/** The columns that are not empty in every row. */
function filledColumns({ columns, rows }: ViewTable): number[] {
  const count = rows.reduce((most, row) => Math.max(most, row.length), columns.length);
  return Array.from({ length: count }, (_, at) => at).filter((at) =>
    rows.some((row) => (row[at]?.text ?? '') !== ''),
  );
}

function Table({ table }: { table: ViewTable }) {
  const columns = filledColumns(table);
  const rest = table.rows.length - MOST_ROWS;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <div class="scroll" tabIndex={0}>
      <table class="stacks">
        {table.columns.some((title) => title !== '') && (
          <thead>
            <tr>
              {columns.map((at) => (
                <th key={at} scope="col">
                  {(table.columns[at] ?? '').toLowerCase()}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {table.rows.slice(0, MOST_ROWS).map((row, index) => (
            <tr key={index}>
              {columns.map((at) => (
                <td key={at} data-label={table.columns[at]?.toLowerCase()}>
                  {row[at]?.text && <TonedText {...row[at]} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 && <p class="tone-muted">and {rest} more</p>}
    </div>
  );
}

export function Section({ section: { title, fields = [], table, lines = [] } }: { section: ViewSection }) {
  return (
    <section class="card">
      {title !== undefined && (
        <h3>
          <TonedText text={title} />
        </h3>
      )}
      {fields.length > 0 && (
        <dl class="fields">
          {fields.map(({ label, ...text }, index) => (
            <div key={index}>
              <dt>
                <TonedText text={label} />
              </dt>
              <dd>
                <TonedText {...text} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {table !== undefined && table.rows.length > 0 && <Table table={table} />}
      {lines.map((line, index) => (
        <p key={index}>
          <TonedText {...line} />
        </p>
      ))}
    </section>
  );
}

/** A view of a state, as in the terminal. */
export const Sections = ({ view }: { view: StateView }) => (
  <>
    {view.map((section, index) => (
      <Section key={index} section={section} />
    ))}
  </>
);
