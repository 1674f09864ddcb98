import { MODULE_BASE64 } from './module.generated.ts';

/** What the compiled module offers (wasm/index.ts). Addresses and lengths are in bytes. */
export interface FastModule {
  readonly memory: WebAssembly.Memory;
  readonly accepted: WebAssembly.Global;
  readonly verdict: WebAssembly.Global;
  readonly end: WebAssembly.Global;
  input(): number;
  inputSize(): number;
  scratch(): number;
  scratchSize(): number;
  begin(verify: boolean, mask: number, seed: number): void;
  run(from: number, to: number, line: number, most: number): number;
  prepare(length: number): void;
  findId(table: number, length: number): number;
  addId(table: number, length: number, line: number, parent: number): number;
  idCount(table: number): number;
  lineOf(table: number, ordinal: number): number;
  parentOf(table: number, ordinal: number): number;
  setParent(ordinal: number, parent: number): void;
  addressOf(table: number, ordinal: number): number;
  phaseCount(phase: number): number;
  countPhase(phase: number): void;
  actCount(): number;
  actSlots(): number;
  episodeReference(): number;
  setEpisode(length: number): void;
  setEnded(): void;
  setVetoed(): void;
  previousText(): number;
  previousTextLength(): number;
  previousTextLine(): number;
  setPrevious(length: number, line: number): void;
  lastRecordLine(): number;
  lastRecordOrdinal(): number;
  setLast(line: number, ordinal: number): void;
}

let compiled: WebAssembly.Module | undefined;

/** Instances that nobody uses: making one takes longer than verifying a small episode. */
const idle: FastModule[] = [];

/** An instance whose memory grew beyond this is not kept. */
const MAX_IDLE_BYTES = 32 * 1024 * 1024;

/** An instance with memory of its own; undefined where this machine cannot run it, so that the plain way is taken. */
export function borrow(): FastModule | undefined {
  const waiting = idle.pop();
  if (waiting) return waiting;
  try {
    compiled ??= new WebAssembly.Module(Buffer.from(MODULE_BASE64, 'base64'));
    const imports = { env: { abort: () => {} } };
    return new WebAssembly.Instance(compiled, imports).exports as unknown as FastModule;
  } catch {
    return undefined;
  }
}

/** Gives an instance back; nothing may be asked of it afterwards. */
export function giveBack(module: FastModule): void {
  if (idle.length === 0 && module.memory.buffer.byteLength <= MAX_IDLE_BYTES) idle.push(module);
}
