import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Addresses } from './settings.ts'

/** Finds the addresses that the hosts file gives a name; undefined for a name that it does not have. */
export type FindInHosts = (name: string) => Promise<Addresses | undefined>

/** Rereads the file when it has changed (hosts(5)). An unreadable file has no names. */
export function createHostsFile(path: string): FindInHosts {
  let readAt = ''
  let names = new Map<string, Addresses>()

  return async (name) => {
    try {
      const { mtimeMs, size } = await stat(path)
      const version = `${mtimeMs} ${size}`
      if (version !== readAt) names = parseHosts(await readFile(path, 'utf8'))
      readAt = version
    } catch {
      return undefined
    }
    return names.get(toKey(name))
  }
}

export function parseHosts(text: string): Map<string, Addresses> {
  const names = new Map<string, Addresses>()
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    if (family === 0) continue
    for (const alias of aliases) names.set(toKey(alias), [...(names.get(toKey(alias)) ?? []), { address, family }])
  }
  return names
}

function toKey(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}
