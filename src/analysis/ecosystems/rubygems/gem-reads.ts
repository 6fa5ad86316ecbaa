import type { GemVersion, RubyGemsReader } from '../../registries/rubygems.ts'
import { RegistryUnreachable } from '../ecosystem.ts'

export type GemAnswer =
  | { readonly versions: readonly GemVersion[] }
  | { readonly code: 'not-in-registry' | 'registry-unreachable'; readonly reason: string }

/** Queries to the registry about gems, each once. */
export interface GemReads {
  get(name: string): Promise<GemAnswer>
  /** Starts a query without waiting. */
  prefetch(name: string): void
}

export function createGemReads(reader: RubyGemsReader): GemReads {
  const answers = new Map<string, Promise<GemAnswer>>()

  function get(name: string): Promise<GemAnswer> {
    let answer = answers.get(name)
    if (answer === undefined) {
      answer = ask(reader, name)
      answers.set(name, answer)
    }
    return answer
  }

  return { get, prefetch: (name) => void get(name).catch(() => undefined) }
}

async function ask(reader: RubyGemsReader, name: string): Promise<GemAnswer> {
  if (!isGemName(name)) return { code: 'not-in-registry', reason: 'Invalid gem name' }
  try {
    const versions = await reader.gem(name)
    if (versions !== undefined && versions.length > 0) return { versions: forOnePlatform(versions) }
    return { code: 'not-in-registry', reason: 'The registry does not know this gem' }
  } catch (error) {
    if (!(error instanceof RegistryUnreachable)) throw error
    return { code: 'registry-unreachable', reason: 'The registry gave no answer for this gem' }
  }
}

/** Checks RubyGems' rule (Gem::Specification::VALID_NAME_PATTERN), and that the name does not change a URL's path. */
export function isGemName(name: string): boolean {
  return name.length <= 200 && /^[a-zA-Z0-9_-][a-zA-Z0-9._-]*$/.test(name)
}

/** Returns for each version its platform-independent gem, else the one for Linux, else any. */
function forOnePlatform(versions: readonly GemVersion[]): GemVersion[] {
  const chosen = new Map<string, GemVersion>()
  for (const version of versions) {
    const current = chosen.get(version.version)
    if (current === undefined || preference(version.platform) < preference(current.platform))
      chosen.set(version.version, version)
  }
  return [...chosen.values()]
}

function preference(platform: string): number {
  if (platform === 'ruby') return 0
  if (/^x86_64-linux/.test(platform)) return 1
  return /linux/.test(platform) ? 2 : 3
}
