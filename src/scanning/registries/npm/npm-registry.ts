import type { NpmReader, PackageMetadata } from '#analysis/registries/npm.ts'
import { getDefaultRegistryUrl } from '../default-registries.ts'
import {
  createRegistryClient,
  type RegistryAnswer,
  type RegistryParts,
  type RegistrySettings,
} from '../registry-client.ts'
import { isNpmPackageName, toPathSegment } from './package-name.ts'
import { parsePackument } from './packument.ts'

export interface NpmRegistry extends NpmReader {
  /** Like `get`, with the age of the answer. */
  ask(name: string): Promise<RegistryAnswer<PackageMetadata>>
}

export interface NpmRegistrySettings extends Omit<RegistrySettings, 'authorization'> {
  /** Base URL; defaults to the public registry. */
  readonly url?: string | undefined
  /** Bearer token for the registry. */
  readonly token?: string | undefined
}

/** Requests npm's abbreviated packument with only the data for installing; registries without it send the full one. */
const ACCEPT = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8'
const FORM = 'npm-3'

export function createNpmRegistry(parts: RegistryParts, settings: NpmRegistrySettings): NpmRegistry {
  const { url = getDefaultRegistryUrl('npm'), token, ...rest } = settings
  const base = url.replace(/\/+$/, '')
  const client = createRegistryClient(parts, {
    ...rest,
    authorization: token === undefined ? undefined : `Bearer ${token}`,
  })

  async function ask(name: string): Promise<RegistryAnswer<PackageMetadata>> {
    if (!isNpmPackageName(name)) {
      const validatedAt = parts.now()
      return { value: undefined, validatedAt, staleBecause: undefined, freshUntil: validatedAt }
    }
    return client.ask({
      url: `${base}/${toPathSegment(name)}`,
      accept: ACCEPT,
      form: FORM,
      reduce: (document) => parsePackument(document, name),
    })
  }

  return { ask, get: async (name) => (await ask(name)).value }
}
