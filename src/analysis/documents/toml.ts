import { parse, TomlError, type TomlTable, type TomlValue } from 'smol-toml'
import { type LeftOut, readPlainToml, repeatedTablePrototype } from './plain-toml.ts'
import { Unreadable } from './unreadable.ts'

/** Far more than people write, and ten times the longest known lockfile. */
const MAX_CHARACTERS = { manifest: 1_000_000, lock: 50_000_000 }
/** Levels of arrays and tables in values. */
const MAX_DEPTH = 20
/** Levels of all tables: names with dots nest them too. */
const MAX_LEVELS = 100

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
  const parsed = parseFully(text, file)
  if (nestsDeeper(parsed, MAX_LEVELS)) {
    throw new Unreadable(`The file nests tables deeper than ${MAX_LEVELS} levels`, { file })
  }
  return parsed
}

function parseFully(text: string, file: 'target' | number): TomlTable {
  try {
    return parse(text, { maxDepth: MAX_DEPTH })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n', 1)
    throw new Unreadable(`The file is not TOML: ${reason}`, { file, line: error.line, cause: error })
  }
}

function nestsDeeper(root: TomlTable, levels: number): boolean {
  let level: TomlValue[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    level = level.flatMap((value) => (Array.isArray(value) ? value : isTable(value) ? Object.values(value) : []))
  }
  return false
}

/** Returns true for tables; dates are objects too, but have a prototype. */
export function isTable(value: TomlValue | undefined): value is TomlTable {
  if (typeof value !== 'object') return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === repeatedTablePrototype
}
