import type { ComponentChildren } from 'preact';

/** A named value, its class, and its tooltip. */
export type Field = readonly [
  label: string,
  value: ComponentChildren,
  style?: string | undefined,
  title?: string | undefined,
];

const isEmpty = (value: ComponentChildren): boolean => value === undefined || value === '';

/** Named values, except empty ones, in a column or a row. */
export const Fields = ({ of, inRow = false }: { of: readonly Field[]; inRow?: boolean }) => (
  <dl class={inRow ? 'facts-row' : 'fields'}>
    {of
      .filter(([, value]) => !isEmpty(value))
      .map(([label, value, style, title]) => (
        <div key={label} title={title}>
          <dt>{label}</dt>
          <dd class={style}>{value}</dd>
        </div>
      ))}
  </dl>
);
