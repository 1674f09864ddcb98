import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { textOf } from './measure/process.ts';
import type { Tools } from './peers/tools.ts';

/** What the figures depend on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly noesis: string;
  readonly peers: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
  /** Load over the last minute, before anything was measured: figures from a busy machine are worth less. */
  readonly load: number;
}

/** The facts about this machine and what runs on it; no date, no names, no paths. */
export function describeMachine(tools: Tools, cli: string): Machine {
  const peers: Record<string, string> = {};
  const missing: string[] = [];
  for (const [name, tool] of Object.entries(tools)) {
    if (tool) peers[name] = tool.version;
    else missing.push(name);
  }
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    noesis: textOf(process.execPath, [cli, '--version'])?.trim() ?? 'unknown',
    peers,
    missing,
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}
