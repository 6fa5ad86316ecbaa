import { parse, TomlDate, TomlError, type TomlTable, type TomlValue } from 'smol-toml'
import { Unreadable } from './unreadable.ts'

/** Far more than people write, and ten times the longest known lockfile. */
const MAX_CHARACTERS = { manifest: 1_000_000, lock: 50_000_000 }
/** Levels of arrays and tables in values. */
const MAX_DEPTH = 20
/** Levels of all tables: names with dots nest them too. */
const MAX_LEVELS = 100

/**
 * Parses TOML 1.1. Throws Unreadable for other text, for deep nesting and for more than 1,000,000 characters, or
 * 50,000,000 of a lockfile.
 */
export function parseToml(
  text: string,
  file: 'target' | number,
  kind: keyof typeof MAX_CHARACTERS = 'manifest',
): TomlTable {
  const longest = MAX_CHARACTERS[kind]
  if (text.length > longest) throw new Unreadable(`The file exceeds ${longest} characters`, { file })
  const parsed = parseWithin(text, file)
  if (nestsDeeper(parsed, MAX_LEVELS)) {
    throw new Unreadable(`Depth limit of ${MAX_LEVELS} exceeded`, { file })
  }
  return parsed
}

function parseWithin(text: string, file: 'target' | number): TomlTable {
  try {
    return parse(text, { maxDepth: MAX_DEPTH })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n', 1)
    throw new Unreadable(`Invalid TOML: ${reason}`, { file, line: error.line, cause: error })
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

export function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof TomlDate)
}
