import type { EpisodeReport, VerifyReport } from '../findings/report.ts';

/** JSON as a member or an item that stands `depth` levels deep. */
function at(depth: number, value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`);
}

/** A document whose last member is a list, up to the list's bracket. */
function upToList(depth: number, value: object, name: string): string {
  const text = at(depth, { ...value, [name]: [] });
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
      for (const finding of findings) yield [at(4, finding)];
    })(),
  );
  yield '\n    }';
}

/**
 * The report as one JSON document, piece by piece, as it may be longer than a text can be. Its texts are exact: a
 * consumer that prints them must escape them.
 */
export function* renderJson({ episodes, ...report }: VerifyReport): Generator<string> {
  yield upToList(0, report, 'episodes');
  yield* list(2, episodes.map(episodeJson));
  yield '\n}\n';
}
