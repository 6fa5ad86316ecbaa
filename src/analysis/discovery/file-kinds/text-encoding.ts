/**
 * Returns the encoding of a file: UTF-16 by its byte order mark, which Windows shells write; else that of its XML
 * declaration (XML 1.0, appendix F) or of a comment in its first two lines (PEP 263); else UTF-8.
 */
export function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const head = String.fromCharCode(...bytes.subarray(0, 400))
  const ofXml = /^(?:\xef\xbb\xbf)?\s*<\?xml\b[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1]
  if (ofXml !== undefined) return ofXml
  const comment = head.split('\n', 2).find((line) => line.startsWith('#') && /coding[:=]/.test(line)) ?? ''
  const declared = /coding[:=]\s*([-\w.]+)/.exec(comment)?.[1] ?? 'utf-8'
  // Python also accepts this spelling.
  return declared.replace(/^latin-1$/i, 'latin1')
}

/** Decodes leniently: invalid bytes become replacement characters, and an unknown encoding counts as UTF-8. */
export function toText(bytes: Uint8Array): string {
  try {
    return new TextDecoder(encodingOf(bytes)).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
