import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'

/** Far beyond the largest published POM. */
const MAX_BYTES = 8 * 1024 * 1024

/** The text of a POM in the encoding that its XML declaration names. What is in it is read elsewhere. */
export function decodePom(document: Buffer): string {
  if (document.length > MAX_BYTES) throw new RegistryUnreachable('the repository sent a POM that is too large')
  const text = decode(document, encodingOf(document))
  if (!text.includes('<project')) throw new RegistryUnreachable('the repository sent something else than a POM')
  return text
}

/** XML 1.0, appendix F: a byte order mark, else the declaration, else UTF-8. */
function encodingOf(document: Buffer): string {
  if (document[0] === 0xfe && document[1] === 0xff) return 'utf-16be'
  if (document[0] === 0xff && document[1] === 0xfe) return 'utf-16le'
  return /^[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(document.toString('latin1', 0, 200))?.[1] ?? 'utf-8'
}

function decode(document: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(document)
  } catch {
    // An encoding that is not known: only names and descriptions hold other characters than ASCII.
    return document.toString('utf8')
  }
}
