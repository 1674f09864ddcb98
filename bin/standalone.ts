import { embedded, embeddedLoader } from './embedded.ts';
import { start } from './start.ts';

/** The build replaces this by a hash of the bundle. */
const BUILD = 'NOESIS_BUILD';

// The entry point of the single-file executable.

/** Threads are files of the bundle too. `bin/standalone-thread.ts` reads the path after # and loads it. */
const threadAt = (path: string) =>
  new URL(`data:text/javascript;base64,${embedded('thread').toString('base64')}#${path}`);

void start(
  threadAt,
  (command) => embeddedLoader(command)('program.cjs') as typeof import('../commands/program.ts'),
  BUILD,
);
