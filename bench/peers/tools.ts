import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../measure/process.ts';

/** A program to compare with, if this machine has it. */
export interface Tool {
  readonly name: string;
  readonly version: string;
  readonly file: string;
}

/** The peers on this machine, and the names of missing ones. */
export interface Tools {
  readonly jq: Tool | undefined;
  readonly gojq: Tool | undefined;
  readonly python: Tool | undefined;
  readonly ripgrep: Tool | undefined;
  /** Counts tokens of sessions. */
  readonly ccusage: Tool | undefined;
  /** Counts the records of all logs below a folder; compiled here. */
  readonly simdjson: Tool | undefined;
  /** Its file is the folder in which it is installed. */
  readonly duckdb: Tool | undefined;
}

function onPath(name: string): Tool | undefined {
  // The first line: some print their build below it.
  const [version] = textOf(name, ['--version'])?.trim().split('\n') ?? [];
  return version === undefined ? undefined : { name, version, file: name };
}

/** Finds Python itself and not its launcher, whose time would be measured too. */
function findPython(): Tool | undefined {
  const found = textOf('python3', ['-c', 'import sys; print(sys.executable); print(sys.version.split()[0])']);
  const [file, version] = found?.trim().split('\n') ?? [];
  return file && version ? { name: 'python json', version, file } : undefined;
}

function findDuckdb(data: string, fetch: boolean): Tool | undefined {
  const folder = join(data, 'duckdb');
  const manifest = join(folder, 'node_modules', '@duckdb', 'node-api', 'package.json');
  if (!existsSync(manifest) && fetch) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    textOf('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '@duckdb/node-api']);
  }
  if (!existsSync(manifest)) return undefined;
  const version = textOf(process.execPath, ['-p', `require(${JSON.stringify(manifest)}).version`])?.trim();
  return { name: 'duckdb', version: version ?? 'unknown', file: folder };
}

/** Compiles the loop over simdjson, if the library and a compiler are there. CPLUS_INCLUDE_PATH may say where. */
function findSimdjson(data: string, bench: string): Tool | undefined {
  const file = join(data, 'simdjson-loop');
  const source = join(bench, 'peers', 'simdjson-loop.cpp');
  if (textOf('c++', ['-O3', '-std=c++17', '-o', file, source, '-lsimdjson']) === undefined) return undefined;
  return { name: 'simdjson', version: textOf(file, [])?.trim() ?? 'unknown', file };
}

/** Finds the peers. Fetches DuckDB if requested. */
export function findTools(data: string, bench: string, fetchDuckdb: boolean): Tools {
  return {
    jq: onPath('jq'),
    gojq: onPath('gojq'),
    python: findPython(),
    ripgrep: onPath('rg'),
    ccusage: onPath('ccusage'),
    simdjson: findSimdjson(data, bench),
    duckdb: findDuckdb(data, fetchDuckdb),
  };
}
