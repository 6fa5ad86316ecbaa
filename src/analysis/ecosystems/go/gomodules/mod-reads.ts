import { shorten } from '#analysis/documents/json-document.ts'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { GoModule, GoReader, GoRequirement } from '#analysis/registries/go.ts'
import { toCanonical } from './mod-file.ts'

export type ModAnswer =
  | { readonly module: Pick<GoModule, 'requires' | 'go'> }
  | {
      readonly code: 'not-in-registry' | 'registry-unreachable' | 'not-from-registry' | 'version-unknown'
      readonly reason: string
    }

/** The replacement of a module: another module, or a folder, which has no version. */
export interface ReplacedBy {
  readonly path: string
  readonly version: string | undefined
}

/** Reads go.mod files: of modules from the proxy, of replacement folders from the sent files. */
export interface ModReads {
  get(module: GoRequirement, replacedBy: ReplacedBy | undefined): Promise<ModAnswer>
}

export const NO_PROXY = 'No Go module proxy is configured (GATEHOUSE_GO_PROXY)'

export function createModReads(
  reader: GoReader,
  /** Returns the go.mod in the folder of a replacement, if it was sent. */
  findInFolder: (module: GoRequirement, folder: string) => Pick<GoModule, 'requires' | 'go'> | undefined,
): ModReads {
  const hasProxy = once(() => reader.hasProxy())
  return {
    async get(module, replacedBy) {
      if (replacedBy !== undefined && replacedBy.version === undefined) {
        const folderModule = findInFolder(module, replacedBy.path)
        if (folderModule !== undefined) return { module: folderModule }
        const reason = `It is replaced by the folder ${replacedBy.path}, whose go.mod is not among the files`
        return { code: 'not-from-registry', reason }
      }
      const { path, version = '' } = replacedBy ?? module
      if (toCanonical(version) !== version)
        return { code: 'version-unknown', reason: 'It is a branch or a query, not a version. Run go mod tidy' }
      if (!(await hasProxy())) return { code: 'registry-unreachable', reason: NO_PROXY }
      return ask(reader, { path, version }, module.path)
    },
  }
}

async function ask(reader: GoReader, { path, version }: GoRequirement, requiredPath: string): Promise<ModAnswer> {
  try {
    const module = await reader.mod(path, version)
    if (module !== undefined && (module.path === path || module.path === requiredPath)) return { module }
    if (module !== undefined)
      return { code: 'not-in-registry', reason: `Its go.mod declares another path: ${shorten(module.path)}` }
    return { code: 'not-in-registry', reason: 'The Go module proxy does not know this version' }
  } catch (error) {
    if (!(error instanceof RegistryUnreachable)) throw error
    return { code: 'registry-unreachable', reason: 'The Go module proxy gave no answer for its go.mod' }
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
