import type { LogParser } from './parser.ts';

/** Passes bytes in memory to a parser. */
export function feed(parser: LogParser, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    const room = parser.room();
    const piece = bytes.subarray(at, at + room.length);
    room.set(piece);
    parser.filled(piece.length);
    at += piece.length;
  }
}
