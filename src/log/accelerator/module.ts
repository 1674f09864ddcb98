import type { RowLayout } from '../row-layout.ts';
import { MODULE_BASE64 } from './module.generated.ts';
import { type Table, unpackTable } from './packed-table.ts';
import { tableOf } from './program.ts';
import { acceleratorUse } from './use.ts';

/** The exports of the compiled module (wasm/index.ts). Addresses and lengths are in bytes. */
export interface AcceleratorModule {
  readonly memory: WebAssembly.Memory;
  input(): number;
  inputSize(): number;
  program(): number;
  linkWords(set: number): void;
  prepare(size: number): void;
  begin(
    programSize: number,
    rowsSize: number,
    mostRows: number,
    k0: number,
    k1: number,
    k2: number,
    k3: number,
  ): void;
  run(from: number, to: number): number;
  rowsMade(): number;
  room(bytes: number): void;
  scratch(bytes: number): number;
  idCount(): number;
  addressOf(ordinal: number): number;
  findId(at: number, length: number): number;
  internId(at: number, length: number): number;
  contentTables(): number;
  isContent(table: number, at: number, length: number): number;
  places(): number;
  findPlaces(from: number, to: number): number;
  printTables(): number;
  printTablesSize(): number;
  printed(): number;
  printRecord(table: number, from: number, to: number): number;
}

/** A module with the table of a layout in its memory. */
export interface Loaded {
  readonly module: AcceleratorModule;
  readonly layout: RowLayout;
  readonly programSize: number;
}

let compiled: WebAssembly.Module | undefined;

/** Idle instances. Making one takes longer than verifying a small episode. */
const idle: Loaded[] = [];
const MOST_IDLE = 2;
/** Instances with more memory are not reused. */
const MAX_IDLE_BYTES = 32 * 1024 * 1024;

const tables = new WeakMap<RowLayout, Table>();

function instantiate(): AcceleratorModule {
  compiled ??= new WebAssembly.Module(Buffer.from(MODULE_BASE64, 'base64'));
  return new WebAssembly.Instance(compiled).exports as unknown as AcceleratorModule;
}

const madeTable = ({ made }: RowLayout, base: number): Table | undefined =>
  made === undefined ? undefined : unpackTable(made, base);

function load(module: AcceleratorModule, layout: RowLayout): Loaded {
  const base = module.program();
  const table = tables.get(layout) ?? madeTable(layout, base) ?? tableOf(layout, base);
  tables.set(layout, table);
  module.prepare(table.bytes.length);
  new Uint8Array(module.memory.buffer).set(table.bytes, base);
  for (const set of table.sets) module.linkWords(set);
  return { module, layout, programSize: table.bytes.length };
}

/** The address for which tables are made. */
export const tableAddress = (): number => instantiate().program();

/** Borrows an instance. Undefined if the accelerator is off, or if this machine cannot run it. */
export function borrow(layout: RowLayout): Loaded | undefined {
  if (acceleratorUse() === 'never') return undefined;
  const same = idle.findIndex((one) => one.layout === layout);
  if (same >= 0) return idle.splice(same, 1)[0];
  try {
    return load(idle.pop()?.module ?? instantiate(), layout);
  } catch {
    return undefined;
  }
}

/** Returns an instance, which must not be used afterwards. */
export function giveBack(loaded: Loaded): void {
  if (idle.length < MOST_IDLE && loaded.module.memory.buffer.byteLength <= MAX_IDLE_BYTES) idle.push(loaded);
}
