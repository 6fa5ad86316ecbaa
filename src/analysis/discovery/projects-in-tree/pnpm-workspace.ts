import { parseWorkspace } from '#analysis/ecosystems/javascript/pnpm/workspace-settings.ts'

/** Marks the root of a workspace whose members share one lock (pnpm's documentation, "Workspace"). */
export const PNPM_WORKSPACE = 'pnpm-workspace.yaml'
export const PNPM_LOCK = 'pnpm-lock.yaml'

/**
 * Returns the folder patterns of a workspace: those of its settings, where exclusions apply wherever they stand; else
 * the projects that its lock lists. Undefined without either.
 */
export function pnpmPatterns(settings: string | undefined, lock: string | undefined): string[] | undefined {
  if (settings === undefined) return undefined
  const patterns = packagesIn(settings)
  if (patterns === undefined) return lock === undefined ? [] : importersIn(lock)
  return [...patterns].sort((a, b) => Number(a.startsWith('!')) - Number(b.startsWith('!')))
}

/** Ignores errors, which the test itself reports. */
function packagesIn(settings: string): readonly string[] | undefined {
  try {
    return parseWorkspace(settings, 'target').packages
  } catch {
    return undefined
  }
}

/** Returns the folders of a lock's projects without parsing all of it. */
function importersIn(lock: string): string[] {
  const json = /^\t"projects": \{\r?\n([\s\S]*?)^\t\}/m.exec(lock)?.[1]
  if (json !== undefined)
    return [...json.matchAll(/^\t\t"([^"\r\n]+)": \{/gm)]
      .map(([, folder]) => folder!)
      .filter((folder) => folder !== '.')
  // A document before the lock has importers too.
  const start = [...lock.matchAll(/^importers:[ \t]*\r?$/gm)].at(-1)
  if (start === undefined) return []
  const rest = lock.slice(start.index + start[0].length)
  const part = rest.slice(0, /^\S/m.exec(rest)?.index ?? rest.length)
  const folders = [...part.matchAll(/^ {2}(?! )['"]?([^\r\n]*?)['"]?:[ \t]*(?:\{\})?\r?$/gm)]
  // A star in a folder name is not a wildcard here, but as a pattern it matches itself.
  return folders.map(([, folder]) => folder!).filter((folder) => folder !== '.')
}
