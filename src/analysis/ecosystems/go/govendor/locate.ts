import { createLines, type Declaration } from '#analysis/ecosystems/declaration.ts'
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts'

/** Returns an entry for each path of a vendor.json and for each folder above it, one of which is the module. */
export function locateVendored({ target }: Manifest): Declaration[] {
  const lineOf = createLines(target)
  const declarations = new Map<string, Declaration>()
  for (const { 1: path = '', index } of target.matchAll(/"path"\s*:\s*"([^"\\]*)"/gi)) {
    const line = lineOf(index)
    for (let name = path; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('/')))) {
      if (!declarations.has(name)) declarations.set(name, { name, file: 'target', fileName: 'vendor.json', line })
    }
  }
  return [...declarations.values()]
}
