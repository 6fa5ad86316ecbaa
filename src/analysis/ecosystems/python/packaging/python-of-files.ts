import type { TomlTable, TomlValue } from 'smol-toml'
import { isTable, parseToml } from '#analysis/documents/toml.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { isMet, parseSpecifiers, type Specifier } from '#analysis/versions/pep440-specifiers.ts'
import { parsePythonVersion } from '#analysis/versions/pep440-version.ts'
import { toSpecifiers } from './poetry-range.ts'

/** The Pythons allowed by a project's own files. */
export interface DeclaredPython {
  /** The declaring file. */
  readonly path: string
  /** `3.9`, `3.9.1`; undefined for a range. */
  readonly version: string | undefined
  /** Empty if one version is named. */
  readonly specifiers: readonly Specifier[]
  /** The original text, for messages. */
  readonly text: string
}

/** Readers by file name; the first one wins: a version is more precise than a range. */
const readers: Readonly<Record<string, (content: string) => string | undefined>> = {
  '.python-version': (content) => firstLine(content)?.replace(/^(?:cpython|python)?[-@]?/i, ''),
  'runtime.txt': (content) => firstLine(content)?.replace(/^python-/i, ''),
  Pipfile: (content) => {
    const { requires } = tablesOf(content)
    return textIn(requires, 'python_full_version') ?? textIn(requires, 'python_version')
  },
  'pyproject.toml': (content) => {
    const { project, tool } = tablesOf(content)
    return textIn(project, 'requires-python') ?? fromPoetry(textIn(tool, 'poetry', 'dependencies', 'python'))
  },
  'setup.cfg': pythonRequiresOf,
  'setup.py': argumentOfSetup,
}

/** Files whose text is a range of versions. */
const RANGES = new Set(['pyproject.toml', 'setup.cfg', 'setup.py'])

/** Names of files that declare a Python, by precedence. */
export const pythonFileNames: readonly string[] = Object.keys(readers)

/** Reads the declared Python; undefined for other files and those without a CPython. */
export function readDeclaredPython(path: string, content: string): DeclaredPython | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const text = Object.hasOwn(readers, name) ? readers[name]!(content.replace(/^\uFEFF/, '')) : undefined
  if (text === undefined || text === '') return undefined
  if (/^[23]\.\d{1,2}(?:\.\d{1,3})?$/.test(text)) return { path, version: text, specifiers: [], text }
  const specifiers = RANGES.has(name) ? parseSpecifiers(text) : undefined
  return specifiers === undefined || specifiers.length === 0
    ? undefined
    : { path, version: undefined, specifiers, text }
}

/** Returns the decisive file: nearest to the requirements, and within a folder by precedence. */
export function chooseDeclaredPython(candidates: readonly DeclaredPython[]): DeclaredPython | undefined {
  const rank = ({ path }: DeclaredPython) => {
    const parts = path.split('/')
    return parts.length * pythonFileNames.length + pythonFileNames.indexOf(parts.at(-1)!)
  }
  return candidates.toSorted((a, b) => rank(a) - rank(b))[0]
}

/** Returns true if the Python is allowed; without a patch, if any patch is. */
export function allowsPython({ version, specifiers }: DeclaredPython, python: string): boolean {
  if (version !== undefined) return version === python
  const patches = python.split('.').length > 2 ? [python] : [`${python}.0`, `${python}.99`]
  return patches.some((full) => {
    const parsed = parsePythonVersion(full)
    return specifiers.every((specifier) => isMet(specifier, full, parsed))
  })
}

/** Translates a range in the syntax of Poetry; a version stays one. */
function fromPoetry(range: string | undefined): string | undefined {
  return range === undefined || /^\d+(?:\.\d+)*$/.test(range) ? range : toSpecifiers(range)
}

/** Returns the Pythons allowed by a range that a lockfile records, in the syntax of Poetry or of PEP 440. */
export function toDeclaredPython(path: string, range: string | undefined): DeclaredPython | undefined {
  const specifiers = parseSpecifiers(fromPoetry(range) ?? '') ?? []
  return specifiers.length === 0 ? undefined : { path, version: undefined, specifiers, text: range! }
}

function firstLine(content: string): string | undefined {
  const lines = content.slice(0, 2_000).split(/\r?\n/)
  return lines.map((line) => line.replace(/#.*/, '').trim()).find((line) => line !== '')
}

/** Returns the only `python_requires="…"` of a setup.py; undefined unless it is a single literal. */
function argumentOfSetup(content: string): string | undefined {
  const code = content.slice(0, 1_000_000).replace(/^[ \t]*#.*$/gm, '')
  const matches = [...code.matchAll(/\bpython_requires["']?\s*[=:]\s*(.?)/g)]
  const [only] = matches
  if (matches.length !== 1 || !/["']/.test(only![1]!)) return undefined
  const literal = /^(["'])([^"'\\\n]{0,200})\1\s*(?:[,)}]|$)/m.exec(code.slice(only!.index + only![0].length - 1))
  return literal?.[2]
}

const longest = 500

/** Returns the value in setup.cfg, on the line of its key or on the indented line below. */
function pythonRequiresOf(content: string): string | undefined {
  const lines = content.slice(0, 1_000_000).split(/\r?\n/)
  const start = lines.findIndex((line) => line.replace(/[#;].*/, '').trim() === '[options]')
  if (start === -1) return undefined
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => line.startsWith('['))
  const own = rest.slice(0, end === -1 ? rest.length : end)
  const at = own.findIndex((line) => /^\s*python_requires\s*=/.test(line.slice(0, longest)))
  if (at === -1) return undefined
  const value = own[at]!.slice(own[at]!.indexOf('=') + 1).trim()
  const written = value === '' && /^\s/.test(own[at + 1] ?? '') ? own[at + 1]!.trim() : value
  return written
    .replace(/\s[#;].*/, '')
    .trim()
    .slice(0, longest)
}

/** Returns the tables of a TOML document; none if it cannot be read. */
function tablesOf(content: string): TomlTable {
  try {
    return parseToml(content, 'target')
  } catch (error) {
    if (error instanceof Unreadable) return {}
    throw error
  }
}

function textIn(value: TomlValue | undefined, ...path: readonly string[]): string | undefined {
  const member = path.reduce((inner, key) => (isTable(inner) ? inner[key] : undefined), value)
  return typeof member === 'string' ? member.trim().slice(0, longest) : undefined
}
