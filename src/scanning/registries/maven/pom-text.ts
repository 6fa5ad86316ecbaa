import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'

/** Far beyond the largest published POM. */
const MAX_BYTES = 8 * 1024 * 1024

/** Decodes a POM in the encoding that its XML declaration names. */
export function decodePom(document: Buffer): string {
  if (document.length > MAX_BYTES) throw new RegistryUnreachable('the repository sent a POM that is too large')
  const text = decode(document, encodingOf(document))
  if (!text.includes('<project')) throw new RegistryUnreachable('the repository sent something else than a POM')
  return text
}

/** Returns the encoding by XML 1.0, appendix F: from a byte order mark, else from the declaration, else UTF-8. */
function encodingOf(document: Buffer): string {
  if (document[0] === 0xfe && document[1] === 0xff) return 'utf-16be'
  if (document[0] === 0xff && document[1] === 0xfe) return 'utf-16le'
  return /^[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(document.toString('latin1', 0, 200))?.[1] ?? 'utf-8'
}

function decode(document: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(document)
  } catch {
    // The encoding is unknown; only names and descriptions contain characters other than ASCII.
    return document.toString('utf8')
  }
}
