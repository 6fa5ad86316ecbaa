import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'

export interface Constraint {
  readonly name: string
  /** Undefined if it allows several versions, or only the installed one. */
  readonly version: string | undefined
  readonly range: string
  /** Counted from 1. */
  readonly line: number
}

export interface Freeze {
  readonly constraints: readonly Constraint[]
  /** Repositories besides Hackage from which packages may come. */
  readonly repositories: readonly string[]
}

const MAX_CHARACTERS = 10_000_000
const PINNED = /^==\s*(\d[\d.]*)$/

/** Parses the constraints of a cabal.project.freeze. */
export function parseFreeze(text: string, file: 'target' | number): Freeze {
  if (text.length > MAX_CHARACTERS) throw new Unreadable(`The file exceeds ${MAX_CHARACTERS} characters`, { file })
  const constraints: Constraint[] = []
  const repositories: string[] = []
  let field = ''
  for (const [index, line] of text.replace('\ufeff', '').split(/\r?\n/).entries()) {
    if (line.trim() === '' || /^\s*--/.test(line)) continue
    const [, name] = /^([\w-]+):/.exec(line) ?? []
    const where = { file, line: index + 1 }
    if (name === undefined && !/^\s/.test(line)) throw new Unreadable('A line without a field', where)
    field = name?.toLowerCase() ?? field
    const content = name === undefined ? line : line.slice(name.length + 1)
    const parts = content.split(',').map((part) => part.trim())
    if (field === 'active-repositories') {
      const others = parts
        .map((part) => part.replace(/:\w+$/, ''))
        .filter((part) => !/^(?:hackage\.haskell\.org|)$/.test(part))
      repositories.push(...others.map((other) => withoutCredentials(shorten(other))))
    }
    if (field !== 'constraints') continue
    for (const part of parts.filter((part) => part !== '')) {
      const [, package_, range = ''] = /^(?:\w+\.|[\w-]+:(?:setup\.)?)?([\dA-Za-z][\w-]*)\s+(\S.*)$/.exec(part) ?? []
      if (package_ === undefined) throw new Unreadable(`"${shorten(part)}" is no constraint`, where)
      if (/^(?:[+-][\w-]+\s*|test|bench|source)+$/.test(range)) continue
      constraints.push({ name: package_, version: PINNED.exec(range)?.[1], range: shorten(range), line: index + 1 })
    }
  }
  return { constraints, repositories }
}
