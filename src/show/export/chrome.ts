import type { ExportLog, ExportRun } from './runs.ts';
import { eachTraceEvent } from './trace.ts';

/**
 * Makes the events of the Chrome trace format, which Perfetto and chrome://tracing open. Use one instance for
 * all runs of a file.
 */
export class ChromeTrace {
  readonly #write: (text: string) => Promise<void>;
  #pending = '{"traceEvents":[';
  #first = true;
  #process = 0;

  constructor(write: (text: string) => Promise<void>) {
    this.#write = write;
  }

  /** Adds a run as a process and each agent as a thread. Arrows lead from causes to effects. */
  async add(log: ExportLog, run: ExportRun): Promise<void> {
    const pid = ++this.#process;
    this.#event({ ph: 'M', name: 'process_name', pid, args: { name: `${run.run ?? run.episode}` } });
    const threads = new Map<string, number>();
    /** The sources of arrows, by line. */
    const causes = new Map<number, { readonly tid: number; readonly end: number }>();
    await eachTraceEvent(
      log,
      run,
      (event) => {
        const lane = event.agent ?? event.phase ?? 'events';
        let tid = threads.get(lane);
        if (tid === undefined) {
          tid = threads.size + 1;
          threads.set(lane, tid);
          this.#event({ ph: 'M', name: 'thread_name', pid, tid, args: { name: lane } });
        }
        const [ts, end] = [Number(event.start), Number(event.end)];
        const { line, id, cause, causeLine, type, phase, status, reason, waitedMs } = event;
        const args = { line, id, cause, type, phase, outcome: status, reason, waited_ms: waitedMs };
        const cat = status === 'ok' ? (phase ?? 'event') : status;
        this.#event({ ph: 'X', name: event.name, cat, pid, tid, ts, dur: end - ts, args });
        const from = causeLine === undefined ? undefined : causes.get(causeLine);
        if (from !== undefined) {
          const flow = { name: 'cause', cat: 'cause', pid, id: `${pid}.${causeLine}.${line}` };
          this.#event({ ph: 's', ...flow, tid: from.tid, ts: from.end });
          this.#event({ ph: 'f', bp: 'e', ...flow, tid, ts });
        }
        if (id !== undefined) causes.set(line, { tid, end });
      },
      () => this.#drain(),
    );
    await this.#drain();
  }

  async close(): Promise<void> {
    this.#pending += '\n],"displayTimeUnit":"ms"}\n';
    await this.#drain();
  }

  #event(event: object): void {
    this.#pending += `${this.#first ? '' : ','}\n${JSON.stringify(event)}`;
    this.#first = false;
  }

  async #drain(): Promise<void> {
    const text = this.#pending;
    this.#pending = '';
    if (text !== '') await this.#write(text);
  }
}
