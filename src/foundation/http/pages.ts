import type { Position, Window } from '../db/keyset.ts'
import { Problem } from '../problem.ts'
import type { Keyring } from '../secrets/keyring.ts'

export interface PageQuery {
  readonly limit?: number
  readonly starting_after?: string
  readonly ending_before?: string
}

/** Opaque cursors: signed, so that invalid ones are recognized, and bound to their list. */
export interface Cursors {
  write(position: Position): string
  read(cursor: string, parameter: string): Position
}

export function cursorsOf(list: string, keyring: Keyring): Cursors {
  return {
    write(position) {
      return typeof position === 'string' ? endOf(list, position, keyring) : write(position, list, keyring)
    },
    read(cursor, parameter) {
      const position = open(cursor, list, keyring)
      if (position === undefined) {
        throw new Problem('cursor-invalid', `${parameter} is not a cursor of this list`, { source: { parameter } })
      }
      return position
    },
  }
}

function write(position: Position, list: string, keyring: Keyring): string {
  const written = JSON.stringify(position)
  const content = `{"p":${written},"s":"${keyring.sign(`${list}\n${written}`)}"}`
  return `v1.${Buffer.from(content).toString('base64url')}`
}

const MAX_KEPT = 1000
const ends = new WeakMap<Keyring, Map<string, string>>()

/** Returns the cursor of a list's end, which changes with the key only; every page links to both. */
function endOf(list: string, end: 'start' | 'end', keyring: Keyring): string {
  const kept = ends.get(keyring) ?? new Map<string, string>()
  ends.set(keyring, kept)
  const key = `${keyring.dataKeyId} ${end} ${list}`
  const cached = kept.get(key)
  if (cached !== undefined) return cached
  const cursor = write(end, list, keyring)
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(key, cursor)
  return cursor
}

function open(cursor: string, list: string, keyring: Keyring): Position | undefined {
  if (!cursor.startsWith('v1.') || cursor.length > 2048) return undefined
  let content: unknown
  try {
    content = JSON.parse(Buffer.from(cursor.slice(3), 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
  if (typeof content !== 'object' || content === null || !('p' in content) || !('s' in content)) return undefined
  const isOurs = typeof content.s === 'string' && keyring.verify(`${list}\n${JSON.stringify(content.p)}`, content.s)
  return isOurs ? (content.p as Position) : undefined
}

/** Returns the window that a query requests. Refuses both cursors at once. */
export function windowOf(query: PageQuery, cursors: () => Cursors): Window {
  const limit = query.limit ?? 10
  // Clients without a cursor send the parameter empty.
  const after = query.starting_after || undefined
  const before = query.ending_before || undefined
  if (after !== undefined && before !== undefined) {
    throw new Problem('cursor-invalid', 'Send only one of starting_after and ending_before', {
      source: { parameter: 'ending_before' },
    })
  }
  if (before !== undefined) return { limit, direction: 'before', position: cursors().read(before, 'ending_before') }
  const position = after === undefined ? 'start' : cursors().read(after, 'starting_after')
  return { limit, direction: 'after', position }
}
