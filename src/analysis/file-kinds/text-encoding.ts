/** Returns the encoding that a byte order mark names (Windows shells write UTF-16); undefined without one. */
export function encodingOfMark(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

/** Decodes a file well enough to see what it is; its test handles encodings precisely. */
export function toText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOfMark(bytes) ?? 'utf-8').decode(bytes)
}
