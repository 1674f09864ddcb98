import { basename, dirname, isAbsolute, join } from 'node:path';
import { isDirectory } from '../../base/files/paths.ts';
import { plainShellWord } from '../../base/text/shell-word.ts';
import type { Dialect, PlacedSession } from '../../dialects/dialect.ts';
import { inFolder, isPlainId, type ResumeCommand, resumeOf } from '../../dialects/resume.ts';

/** Where a program looks for a session, and the command that continues it there. */
export class Places {
  readonly #dialect: Pick<Dialect, 'resume' | 'partOf'>;
  readonly #homes: readonly string[];

  /** `homes`: the folders in which the program keeps sessions; none if they are not known. */
  constructor(dialect: Pick<Dialect, 'resume' | 'partOf'>, homes: readonly string[] = []) {
    this.#dialect = dialect;
    this.#homes = homes;
  }

  /** Whether the program finds a log at this path, as far as its folders are known. */
  isFound(log: string, cwd: string | undefined): boolean {
    const { resume, partOf } = this.#dialect;
    const places = resume?.places;
    if (places === undefined || this.#homes.length === 0 || partOf?.(log) !== undefined) return true;
    return this.#homes.some((home) => log.startsWith(join(home, '/'))) && places.has(log, cwd);
  }

  /** Where the program finds the session; undefined if the log or its id do not say it. */
  of(session: PlacedSession): string | undefined {
    // The id comes from the log, which must not choose a folder.
    return isPlainId(session.id) ? this.#dialect.resume?.places?.of(this.#homes, session) : undefined;
  }

  /** The command that continues the session in this log as it is; undefined if there is no such command. */
  command(session: PlacedSession): ResumeCommand | undefined {
    const { log, cwd, head } = session;
    const { resume } = this.#dialect;
    if (!this.isFound(log, cwd)) return undefined;
    const kept = resumeOf(this.#dialect, { log, head, cwd, isFolder: isDirectory });
    if ('command' in kept) return kept;
    const byPath = isPlainId(session.id) ? resume?.commandForLog?.(log) : undefined;
    return byPath !== undefined && cwd !== undefined && isAbsolute(cwd) && isDirectory(cwd)
      ? { command: inFolder(cwd, byPath) }
      : undefined;
  }

  /**
   * The command that puts a log, with the files that belong to it, where the program finds it, and continues it. `near`: a
   * path next to the original log, whose folder says the place if the log does not.
   */
  moveAndContinue(session: PlacedSession, along: readonly string[], near: string): ResumeCommand | undefined {
    const place = this.of(session) ?? this.of({ ...session, log: near });
    if (place === undefined) return undefined;
    const command = this.command({ ...session, log: place });
    if (command === undefined) return undefined;
    const folder = plainShellWord(dirname(place));
    const files = [session.log, ...along].map(plainShellWord).join(' ');
    const to = basename(place) === basename(session.log) ? `${folder}/` : plainShellWord(place);
    return { ...command, command: `mkdir -p ${folder} && cp ${files} ${to} && ${command.command}` };
  }
}
