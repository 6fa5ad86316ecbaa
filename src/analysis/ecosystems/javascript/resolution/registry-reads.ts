import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { NpmReader, PackageMetadata } from '#analysis/registries/npm.ts'

export type RegistryAnswer =
  | { readonly metadata: PackageMetadata }
  | { readonly code: 'not-in-registry' | 'registry-unreachable'; readonly reason: string }

/** Queries to the registry: each package once, with limited concurrency. */
export interface RegistryReads {
  get(name: string): Promise<RegistryAnswer>
  /** Starts a query early: `get` will soon be called with it. */
  prefetch(name: string): void
}

const MAX_IN_FLIGHT = 16

export function createRegistryReads(reader: NpmReader): RegistryReads {
  const answers = new Map<string, Promise<RegistryAnswer>>()
  const waiting: (() => void)[] = []
  let inFlight = 0

  async function ask(name: string): Promise<RegistryAnswer> {
    if (inFlight >= MAX_IN_FLIGHT) await new Promise<void>((resolve) => waiting.push(resolve))
    else inFlight++
    try {
      return await answerOf(reader, name)
    } finally {
      const next = waiting.shift()
      if (next === undefined) inFlight--
      else next()
    }
  }

  function get(name: string): Promise<RegistryAnswer> {
    let answer = answers.get(name)
    if (answer === undefined) {
      answer = ask(name)
      answers.set(name, answer)
    }
    return answer
  }

  return { get, prefetch: (name) => void get(name).catch(() => undefined) }
}

async function answerOf(reader: NpmReader, name: string): Promise<RegistryAnswer> {
  if (!isPackageName(name)) return { code: 'not-in-registry', reason: 'Invalid package name' }
  try {
    const metadata = await reader.get(name)
    return metadata === undefined
      ? { code: 'not-in-registry', reason: 'The registry does not know this package' }
      : { metadata }
  } catch (error) {
    if (error instanceof RegistryUnreachable) {
      return { code: 'registry-unreachable', reason: 'The registry gave no answer for this package' }
    }
    throw error
  }
}

/** Returns true for names that stay one segment of a URL path; as lenient as the registry's oldest names. */
function isPackageName(name: string): boolean {
  if (name.length === 0 || name.length > 214 || /^[._]/.test(name)) return false
  return /^(?:@[^@/\s%?#\\:]+\/)?[^@/\s%?#\\:]+$/.test(name) && !name.includes('/.')
}
