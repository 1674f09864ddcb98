import { forOutput } from '../../base/json/output.ts';
import type { EpisodeReport, VerifyReport } from '../../findings/report.ts';

/** Indents JSON for a place `depth` levels deep. */
function at(depth: number, value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`);
}

/** A document up to the bracket of the list that is its last member. */
function upToList(depth: number, value: object, name: string): string {
  const text = at(depth, forOutput({ ...value, [name]: [] }));
  return text.slice(0, text.lastIndexOf(']'));
}

function* list(depth: number, items: Iterable<Iterable<string>>): Generator<string> {
  const indent = `\n${'  '.repeat(depth)}`;
  let some = false;
  for (const item of items) {
    yield `${some ? ',' : ''}${indent}`;
    yield* item;
    some = true;
  }
  yield some ? `\n${'  '.repeat(depth - 1)}]` : ']';
}

function* episodeJson(report: EpisodeReport): Generator<string> {
  const { findings, ...episode } = report;
  yield upToList(2, episode, 'findings');
  yield* list(
    4,
    (function* () {
      for (const finding of findings) yield [at(4, forOutput(finding))];
    })(),
  );
  yield '\n    }';
}

/**
 * Yields the report as one JSON document in pieces, because it may exceed the maximum string length. Texts
 * are not escaped for terminals.
 */
export function* renderJson({ episodes, ...report }: VerifyReport): Generator<string> {
  yield upToList(0, report, 'episodes');
  yield* list(2, episodes.map(episodeJson));
  yield '\n}\n';
}
