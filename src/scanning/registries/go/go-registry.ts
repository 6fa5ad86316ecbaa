import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { GoReader } from '#analysis/registries/go.ts'
import { toRepository } from '../maven/repository.ts'
import { createRegistryClient, type RegistryParts, type RegistrySettings } from '../registry-client.ts'
import { parseModDocument, parseVersionList } from './proxy-documents.ts'

export interface GoRegistrySettings extends Omit<RegistrySettings, 'authorization'> {
  /** Base URL of a module proxy; undefined if modules should not be looked up. */
  readonly url: string | undefined
}

/** Factor for the age of go.mod files, which never change: 30 days if other answers are used for one hour. */
const VERSION_AGES = 720

/** Creates a reader of a Go module proxy. */
export function createGoRegistry(parts: RegistryParts, settings: GoRegistrySettings): GoReader {
  const { url, ...rest } = settings
  const base = url === undefined ? undefined : toRepository(url, { mayHoldCredentials: true })
  const client = createRegistryClient(parts, { ...rest, authorization: base?.authorization })

  function urlOf(path: string, file: string): string {
    if (base === undefined) throw new RegistryUnreachable('no Go module proxy is configured')
    return `${base.url}/${escapePath(path)}/@v/${file}`
  }

  return {
    hasProxy: async () => base !== undefined,
    async mod(path, version) {
      if (!isModulePath(path) || !isVersion(version)) return undefined
      const { value } = await client.ask({
        url: urlOf(path, `${escapePath(version)}.mod`),
        accept: 'text/plain',
        form: 'go-mod-1',
        maxAgeMs: rest.maxAgeMs * VERSION_AGES,
        reduce: (document) => parseModDocument(document, path),
      })
      return value
    },
    async versions(path) {
      if (!isModulePath(path)) return undefined
      const { value } = await client.ask({
        url: urlOf(path, 'list'),
        accept: 'text/plain',
        form: 'go-list-1',
        reduce: (document) => parseVersionList(document, path),
      })
      return value
    },
  }
}

/** Checks the characters of module paths, which are also safe in a URL (golang.org/x/mod/module, CheckPath). */
function isModulePath(path: string): boolean {
  return path.length <= 500 && path.split('/').every((element) => /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/.test(element))
}

function isVersion(version: string): boolean {
  return version.length <= 256 && /^v[0-9A-Za-z.+-]+$/.test(version)
}

/** Replaces each capital letter by an exclamation mark and the small letter (golang.org/x/mod/module, EscapePath). */
function escapePath(path: string): string {
  return path.replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`).replaceAll('+', '%2B')
}
