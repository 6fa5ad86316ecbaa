import type { Position, Window } from '../db/keyset.ts'
import { Problem } from '../problem.ts'
import type { Keyring } from '../secrets/keyring.ts'

export interface PageQuery {
  readonly limit?: number
  readonly starting_after?: string
  readonly ending_before?: string
}

/** Opaque cursors: signed, so that a garbled one is known, and bound to the list they came from. */
export interface Cursors {
  write(position: Position): string
  read(cursor: string, parameter: string): Position
}

export function cursorsOf(list: string, keyring: Keyring): Cursors {
  return {
    write(position) {
      const written = JSON.stringify(position)
      return `v1.${Buffer.from(JSON.stringify({ p: position, s: keyring.sign(`${list}\n${written}`) })).toString('base64url')}`
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

/** The window that a list's query asks for. Both cursors at once are refused. */
export function windowOf(query: PageQuery, cursors: Cursors): Window {
  const limit = query.limit ?? 10
  if (query.starting_after !== undefined && query.ending_before !== undefined) {
    throw new Problem('cursor-invalid', 'starting_after and ending_before exclude each other; send one', {
      source: { parameter: 'ending_before' },
    })
  }
  if (query.ending_before !== undefined) {
    return { limit, direction: 'before', position: cursors.read(query.ending_before, 'ending_before') }
  }
  const position = query.starting_after === undefined ? 'start' : cursors.read(query.starting_after, 'starting_after')
  return { limit, direction: 'after', position }
}
