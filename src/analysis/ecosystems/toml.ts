import { parse, TomlError, type TomlTable, type TomlValue } from 'smol-toml'
import { Unreadable } from './ecosystem.ts'
import { type LeftOut, readPlainToml, repeatedTablePrototype } from './plain-toml.ts'

/** Far more than people write, and ten times the longest known lockfile. */
const MAX_CHARACTERS = { manifest: 1_000_000, lock: 50_000_000 }
const MAX_DEPTH = 20

/**
 * Parses TOML 1.1. Throws Unreadable for other text, for deep nesting and for more than 1,000,000 characters, or
 * 50,000,000 of a lockfile. Most files of packages are left out of a lockfile, as `leftOut` says.
 */
export function parseToml(text: string, file: 'target' | number, leftOut?: LeftOut): TomlTable {
  const longest = MAX_CHARACTERS[leftOut === undefined ? 'manifest' : 'lock']
  if (text.length > longest)
    throw new Unreadable(`The file is longer than the ${longest} characters that are read of it`, { file })
  const plain = leftOut === undefined ? undefined : readPlainToml(text, leftOut)
  if (plain !== undefined) return plain
  try {
    return parse(text, { maxDepth: MAX_DEPTH })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n', 1)
    throw new Unreadable(`The file is not TOML: ${reason}`, { file, line: error.line, cause: error })
  }
}

/** Returns true for tables; dates are objects too, but have a prototype. */
export function isTable(value: TomlValue | undefined): value is TomlTable {
  if (typeof value !== 'object') return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === repeatedTablePrototype
}
