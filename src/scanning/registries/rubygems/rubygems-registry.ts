import { isGemName } from '#analysis/ecosystems/rubygems/gem-reads.ts'
import type { GemVersion, RubyGemsReader } from '#analysis/registries/rubygems.ts'
import { getDefaultRegistryUrl } from '../default-registries.ts'
import {
  createRegistryClient,
  type RegistryAnswer,
  type RegistryParts,
  type RegistrySettings,
} from '../registry-client.ts'
import { parseInfoFile } from './info-file.ts'

export interface RubyGemsRegistry extends RubyGemsReader {
  /** Like `gem`, with the age of the answer. */
  ask(name: string): Promise<RegistryAnswer<GemVersion[]>>
}

export interface RubyGemsRegistrySettings extends Omit<RegistrySettings, 'authorization'> {
  /** Base URL of a server with a compact index; defaults to the public registry. */
  readonly url?: string | undefined
}

const FORM = 'gem-info-1'

/** Creates a reader of RubyGems' compact index, which has one file for each gem. */
export function createRubyGemsRegistry(parts: RegistryParts, settings: RubyGemsRegistrySettings): RubyGemsRegistry {
  const { url = getDefaultRegistryUrl('gem'), ...rest } = settings
  const base = url.replace(/\/+$/, '')
  const client = createRegistryClient(parts, rest)

  async function ask(name: string): Promise<RegistryAnswer<GemVersion[]>> {
    if (!isGemName(name)) {
      const validatedAt = parts.now()
      return { value: undefined, validatedAt, staleBecause: undefined, freshUntil: validatedAt }
    }
    return client.ask({
      url: `${base}/info/${encodeURIComponent(name)}`,
      accept: 'text/plain',
      form: FORM,
      reduce: (document) => parseInfoFile(document, name),
    })
  }

  return { ask, gem: async (name) => (await ask(name)).value }
}
