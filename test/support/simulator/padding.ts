import { float } from './canonical.ts';
import type { Run } from './run.ts';

/** Records events of several kinds that no projection reads. */
export function pad(run: Run, count: number): void {
  const { log, random, text, adapter } = run;
  for (let number = 1; number <= count; number++) {
    const common = { causedBy: log.last.id, timed: true as const };
    switch (random.int(3)) {
      case 0:
        log.append({
          ...common,
          phase: 'reason',
          payload: {
            thought: text.words(24),
            tokens: random.int(4000),
            confidence: float(random.int(101) / 100),
          },
        });
        break;
      case 1:
        run.counts.interprets += 1;
        log.append({
          ...common,
          phase: 'interpret',
          payload: { signals: Array.from({ length: 6 }, () => text.words(4)) },
        });
        break;
      default:
        log.append({
          ...common,
          phase: 'runtime',
          eventType: 'tool.execution.completed',
          agent: adapter,
          payload: {
            kind: 'tool.execution.completed',
            status: 'ok',
            tool: 'search',
            result: { rows: random.int(500), latency_ms: random.int(90_000) / 1000, preview: text.words(12) },
          },
        });
    }
  }
}
