import { isMet, parseSpecifiers, type Specifier } from '#analysis/versions/pep440-specifiers.ts'
import { parsePythonVersion } from '#analysis/versions/pep440-version.ts'

/** The Pythons that a project's own files allow. */
export interface DeclaredPython {
  /** The file that says so. */
  readonly path: string
  /** `3.9`, `3.9.1`; undefined where a range allows several. */
  readonly version: string | undefined
  /** Empty where one version is named. */
  readonly specifiers: readonly Specifier[]
  /** As the file says it, for people. */
  readonly text: string
}

/** What each file says, by its name; the first one counts: one version says more than a range. */
const readers: Readonly<Record<string, (content: string) => string | undefined>> = {
  '.python-version': (content) => firstLine(content)?.replace(/^(?:cpython|python)?[-@]?/i, ''),
  'runtime.txt': (content) => firstLine(content)?.replace(/^python-/i, ''),
  Pipfile: (content) =>
    valueIn(content, 'requires', 'python_full_version') ?? valueIn(content, 'requires', 'python_version'),
  'pyproject.toml': (content) => valueIn(content, 'project', 'requires-python'),
  'setup.cfg': (content) => valueIn(content, 'options', 'python_requires'),
}

/** Names of files that say for which Python a project is, in the order in which they count. */
export const pythonFileNames: readonly string[] = Object.keys(readers)

/** Undefined for files of other names and for those that name no CPython. */
export function readDeclaredPython(path: string, content: string): DeclaredPython | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const text = Object.hasOwn(readers, name) ? readers[name]!(content.replace(/^\uFEFF/, '')) : undefined
  if (text === undefined || text === '') return undefined
  if (/^[23]\.\d{1,2}(?:\.\d{1,3})?$/.test(text)) return { path, version: text, specifiers: [], text }
  const isRange = name === 'pyproject.toml' || name === 'setup.cfg'
  const specifiers = isRange ? parseSpecifiers(text) : undefined
  return specifiers === undefined || specifiers.length === 0
    ? undefined
    : { path, version: undefined, specifiers, text }
}

/** The file that counts: the nearest to the requirements, and of one folder the first in the order above. */
export function chooseDeclaredPython(found: readonly DeclaredPython[]): DeclaredPython | undefined {
  const rank = ({ path }: DeclaredPython) => {
    const parts = path.split('/')
    return parts.length * pythonFileNames.length + pythonFileNames.indexOf(parts.at(-1)!)
  }
  return found.toSorted((a, b) => rank(a) - rank(b))[0]
}

/** Of a Python without a patch some patch has to be allowed. */
export function allowsPython({ version, specifiers }: DeclaredPython, python: string): boolean {
  if (version !== undefined) return version === python
  const patches = python.split('.').length > 2 ? [python] : [`${python}.0`, `${python}.99`]
  return patches.some((full) => {
    const parsed = parsePythonVersion(full)
    return specifiers.every((specifier) => isMet(specifier, full, parsed))
  })
}

function firstLine(content: string): string | undefined {
  const lines = content.slice(0, 2_000).split(/\r?\n/)
  return lines.map((line) => line.replace(/#.*/, '').trim()).find((line) => line !== '')
}

const longest = 500

/** One value of TOML or of an INI file, as far as one line, or the indented line below its key, holds it. */
function valueIn(content: string, section: string, key: string): string | undefined {
  const lines = content.slice(0, 1_000_000).split(/\r?\n/)
  const start = lines.findIndex((line) => line.replace(/[#;].*/, '').trim() === `[${section}]`)
  if (start === -1) return undefined
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => line.startsWith('['))
  const own = rest.slice(0, end === -1 ? rest.length : end)
  const at = own.findIndex((line) => keyOf(line) === key)
  if (at === -1) return undefined
  const value = own[at]!.slice(own[at]!.indexOf('=') + 1).trim()
  const written = value === '' && /^\s/.test(own[at + 1] ?? '') ? own[at + 1]!.trim() : value
  const [, quoted] = /^(?:"([^"]*)"|'([^']*)')/.exec(written)?.filter((part) => part !== undefined) ?? []
  return (quoted ?? written.replace(/\s[#;].*/, '')).trim().slice(0, longest)
}

function keyOf(line: string): string | undefined {
  const [, key] = /^\s*["']?([\w-]+)["']?\s*=/.exec(line.slice(0, longest)) ?? []
  return key
}
