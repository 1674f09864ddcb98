import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { textOf } from './measure/process.ts';
import type { Tools } from './peers/tools.ts';

/** The properties of the machine that the figures depend on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly noesis: string;
  readonly peers: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
  /** The load of the last minute before the measurement. A busy machine gives unreliable figures. */
  readonly load: number;
}

/** Describes this machine and its software, without dates, names and paths. */
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
