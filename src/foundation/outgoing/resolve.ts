import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHostsFile, type FindInHosts } from './hosts-file.ts'
import { listFullNames, parseSearchDomains, type SearchDomains } from './search-domains.ts'
import type { Addresses, Resolve } from './settings.ts'
import { createSlots } from './slots.ts'

export interface ResolverSettings {
  /** Default: the system's. */
  readonly servers?: readonly string[] | undefined
  readonly hostsFile: string
  readonly resolverFile: string
  /** Timeout of one query to one server; each is queried twice. */
  readonly timeoutMs: number
  /**
   * Asks the system for names that DNS does not have, or if there is no DNS: names from other sources
   * (nsswitch.conf(5)).
   */
  askSystem(name: string): Promise<Addresses>
  now(): number
}

const SYSTEM: ResolverSettings = {
  hostsFile: '/etc/hosts',
  resolverFile: '/etc/resolv.conf',
  timeoutMs: 1_500,
  askSystem: (name) => lookup(name, { all: true, order: 'verbatim' }),
  now: Date.now,
}

const TRIES = 2
/** Milliseconds before a failed name is resolved again. */
const FAILED_MS = 10_000
const MAX_FAILED_NAMES = 10_000
/** The system's resolver runs on Node's four shared threads, which file access needs too. */
const SYSTEM_LOOKUPS = 2

/**
 * Errors that mean no such name or no DNS. After other failures, such as a timeout, the system would block a shared
 * thread just as long again.
 */
const ABSENCE: readonly unknown[] = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME']
/** Milliseconds to wait for the other family once one has answered (RFC 8305 §3 allows less). */
const OTHER_FAMILY_MS = 250

/**
 * Resolves names without Node's shared threads: the hosts file, then DNS by resolv.conf(5), then the system's resolver
 * only for names unknown to DNS. Names without an answer block no others. One lookup serves all concurrent callers.
 */
export function createResolve(changes: Partial<ResolverSettings> = {}): Resolve {
  const settings = { ...SYSTEM, ...changes }
  const findInHosts: FindInHosts = createHostsFile(settings.hostsFile)
  const systemSlots = createSlots(SYSTEM_LOOKUPS)
  const underWay = new Map<string, Promise<Addresses>>()
  const failed = new Map<string, { until: number; error: unknown }>()

  async function resolve(name: string): Promise<Addresses> {
    const inHosts = await findInHosts(name)
    if (inHosts !== undefined) return inHosts
    const failure = failed.get(name)
    if (failure !== undefined && failure.until > settings.now()) throw failure.error
    try {
      return await askEverywhere(name)
    } catch (error) {
      failed.delete(name)
      if (failed.size >= MAX_FAILED_NAMES) failed.delete(failed.keys().next().value!)
      failed.set(name, { until: settings.now() + FAILED_MS, error })
      throw error
    }
  }

  async function askEverywhere(name: string): Promise<Addresses> {
    try {
      return await askDns(name)
    } catch (error) {
      if (!ABSENCE.includes(codeOf(error))) throw error
      return await systemSlots.run('', {}, () => settings.askSystem(name))
    }
  }

  /** Uses a new resolver, which takes the currently configured servers. */
  async function askDns(name: string): Promise<Addresses> {
    const resolver = new Resolver({ timeout: settings.timeoutMs, tries: TRIES, maxTimeout: settings.timeoutMs })
    if (settings.servers !== undefined) resolver.setServers(settings.servers)
    let last: unknown
    for (const full of listFullNames(name, await readSearchDomains(settings.resolverFile))) {
      try {
        return await askBoth(resolver, full)
      } catch (error) {
        if (!ABSENCE.includes(codeOf(error))) throw error
        last = error
      }
    }
    throw last
  }

  return (name) => {
    const key = name.toLowerCase()
    const pending = underWay.get(key)
    if (pending !== undefined) return pending
    const request = resolve(key).finally(() => underWay.delete(key))
    underWay.set(key, request)
    return request
  }
}

export const resolveWithSystem: Resolve = createResolve()

/** Queries both families; one is enough. */
async function askBoth(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  const results: LookupAddress[] = []
  const ask = async (family: 4 | 6) => {
    const addresses = await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name))
    results.push(...addresses.map((address) => ({ address, family })))
  }
  const both = [ask(4), ask(6)]
  const all = Promise.allSettled(both)
  try {
    await Promise.any(both)
    await Promise.race([all, sleep(OTHER_FAMILY_MS)])
  } catch {
    const [v4] = await all
    throw v4!.status === 'rejected' ? v4!.reason : new Error('a name without addresses')
  } finally {
    resolver.cancel()
  }
  const first = hasIpv6() ? 6 : 4
  return results.sort((a, b) => Number(b.family === first) - Number(a.family === first))
}

/** Returns true if the machine has an IPv6 address beyond its link (RFC 6724 then prefers IPv6). */
function hasIpv6(): boolean {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.some(({ family, internal, address }) => family === 'IPv6' && !internal && !/^fe[89ab]/i.test(address))
}

async function readSearchDomains(path: string): Promise<SearchDomains> {
  return parseSearchDomains(await readFile(path, 'utf8').catch(() => ''))
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
