import { Unreadable } from '#analysis/documents/unreadable.ts'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { parseDependency } from '#analysis/ecosystems/go/gomodules/mod-file.ts'
import type { GoModule } from '#analysis/registries/go.ts'
import { goVersions } from '#analysis/versions/go.ts'

const MAX_VERSIONS = 100_000

/** Parses the go.mod of a module version, reduced to the parts that affect its dependents. */
export function parseModDocument(document: Buffer, path: string): GoModule {
  const text = document.toString('utf8')
  try {
    const module = parseDependency(text)
    if (module.path !== '') return module
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
  }
  throw new RegistryUnreachable(`the proxy's answer for ${path} is no go.mod`)
}

/** Parses the list of a module's versions, one per line; skips other lines. */
export function parseVersionList(document: Buffer, path: string): string[] {
  const text = document.toString('utf8')
  if (/^\s*[<{]/.test(text)) throw new RegistryUnreachable(`the proxy's answer for ${path} is no list of versions`)
  const lines = text.split('\n', MAX_VERSIONS + 2)
  if (lines.length > MAX_VERSIONS) throw new RegistryUnreachable(`the proxy lists too many versions of ${path}`)
  return lines.map((line) => line.trim()).filter((line) => line.startsWith('v') && goVersions.isValid(line))
}
