import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { parseDependency } from '#analysis/ecosystems/go/gomodules/mod-file.ts'
import type { GoReader } from '#analysis/registries/go.ts'

/** Texts of go.mod files by `path@version`; those that are `unreachable` get no answer. */
export type GoContent = Readonly<Record<string, string>>

/** A module proxy with this content. */
export function goReaderOf(content: GoContent): GoReader {
  return {
    hasProxy: async () => true,
    async mod(path, version) {
      const key = `${path}@${version}`
      const text = Object.hasOwn(content, key) ? content[key] : undefined
      if (text === 'unreachable') throw new RegistryUnreachable('down')
      return text === undefined ? undefined : parseDependency(text)
    },
    async versions(path) {
      const versions = Object.keys(content).flatMap((key) =>
        key.startsWith(`${path}@`) ? key.slice(path.length + 1) : [],
      )
      return versions.length === 0 ? undefined : versions
    },
  }
}

/** No module proxy is configured. */
export const noGoProxy: GoReader = {
  hasProxy: async () => false,
  mod: () => Promise.reject(new Error('asked without a proxy')),
  versions: () => Promise.reject(new Error('asked without a proxy')),
}
