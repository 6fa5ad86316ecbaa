import { toText } from '#analysis/discovery/file-kinds/text-encoding.ts'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'

/** Far beyond the largest published POM. */
const MAX_BYTES = 8 * 1024 * 1024

/** Decodes a POM in the encoding that its XML declaration names; other text than names and descriptions is ASCII. */
export function decodePom(document: Buffer): string {
  if (document.length > MAX_BYTES) throw new RegistryUnreachable('the repository sent a POM that is too large')
  const text = toText(document)
  if (!text.includes('<project')) throw new RegistryUnreachable('the repository sent something else than a POM')
  return text
}
