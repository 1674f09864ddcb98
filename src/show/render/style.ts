import type { Tone } from '../../dialects/kit/state-view.ts';
import type { Severity } from '../../findings/finding.ts';

/** Paints a text, which must be escaped already. */
export type Paint = (text: string) => string;

export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly magenta: Paint;
  readonly cyan: Paint;
}

/** Leaves a text unpainted. */
export const asIs: Paint = (text) => text;

/** No colours. */
export const plain: Style = {
  bold: asIs,
  dim: asIs,
  red: asIs,
  green: asIs,
  yellow: asIs,
  blue: asIs,
  magenta: asIs,
  cyan: asIs,
};

/** The style for a colour depth: 0 none, 1 the 16 basic colours, 2 and 3 more. Loads chalk only if needed. */
export async function styleOf(level: 0 | 1 | 2 | 3): Promise<Style> {
  if (level === 0) return plain;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level });
  // Chalk joins all its arguments. If passed to `map` directly, it would print the index and the array too.
  const paint =
    (colour: Paint): Paint =>
    (text) =>
      colour(text);
  return {
    bold: paint(chalk.bold),
    dim: paint(chalk.dim),
    red: paint(chalk.red),
    green: paint(chalk.green),
    yellow: paint(chalk.yellow),
    blue: paint(chalk.blue),
    magenta: paint(chalk.magenta),
    cyan: paint(chalk.cyan),
  };
}

export function severityPaint(style: Style, severity: Severity): Paint {
  return { error: style.red, warn: style.yellow, info: style.cyan }[severity];
}

export function tonePaint(style: Style, tone: Tone | undefined): Paint {
  if (tone === undefined) return asIs;
  return { good: style.green, bad: style.red, doubtful: style.yellow, muted: style.dim, name: style.cyan }[
    tone
  ];
}
