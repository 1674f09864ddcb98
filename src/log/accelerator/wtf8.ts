// UTF-8 that also encodes lone surrogates, as three bytes, so different texts always have different bytes.

/** Encodes a text; for a well-formed text this is UTF-8. */
export function encodeText(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  const bytes: Buffer[] = [];
  // By code point, so surrogate pairs stay together.
  for (const char of text) {
    const code = char.charCodeAt(0);
    const isHalf = char.length === 1 && code >= 0xd800 && code <= 0xdfff;
    bytes.push(
      isHalf
        ? Buffer.of(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f))
        : Buffer.from(char),
    );
  }
  return Buffer.concat(bytes);
}

/** Decodes such bytes. */
export function decodeText(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd')) return text;
  // Either the text really contains U+FFFD, or it has lone surrogates, which no decoder accepts.
  let decoded = '';
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number;
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    const rest = length === 3 ? bytes.readUInt16BE(at + 1) : 0;
    decoded +=
      byte === 0xed && rest >= 0xa000
        ? String.fromCharCode(0xd000 | ((rest & 0x3f00) >> 2) | (rest & 0x3f))
        : bytes.toString('utf8', at, at + length);
    at += length;
  }
  return decoded;
}
