import { placesOf, type TomlPlace, textOfPlace } from '../ecosystems/toml-values.ts'
import type { Edit, Planned, ProjectFile, Upgrade } from './edit.ts'

/** Finds the version of a module in build scripts, their variables, gradle.properties and version catalogs. */
export function planGradleEdits(files: readonly ProjectFile[], upgrade: Upgrade): Planned {
  const scripts = files
    .filter(({ path }) => /\.gradle(?:\.kts)?$/.test(path))
    .map(({ path, text }) => ({ path, text: withoutComments(text) }))
  const properties = files.filter(({ path }) => path.endsWith('gradle.properties'))
  const catalogs = files.filter(({ path }) => path.endsWith('.toml'))
  const direct = [
    ...scripts.flatMap((script) => inScript(script, upgrade)),
    ...catalogs.flatMap((each) => inCatalog(each, upgrade)),
  ]
  if (direct.length > 0) return { edits: direct }
  const variables = new Set(scripts.flatMap(({ text }) => variablesOf(text, upgrade.name)))
  if (variables.size === 0) {
    return { problem: `no script or catalog writes ${upgrade.from} beside it; a platform or plugin may set it` }
  }
  const set = [...variables].flatMap((name) => [
    ...scripts.flatMap((script) => settingsIn(script, name, upgrade)),
    ...properties.flatMap((each) => propertiesIn(each, name, upgrade)),
  ])
  return set.length > 0 ? { edits: set } : { problem: `${[...variables].join(', ')} is not written as ${upgrade.from}` }
}

const literal = (text: string) => RegExp.escape(text)

/** Finds `'g:a:1'` and `group: 'g', name: 'a', version: '1'`. */
function inScript({ path, text }: ProjectFile, { name, from, to }: Upgrade): Edit[] {
  const [group = '', artifact = ''] = name.split(':')
  const quoted = (value: string) => `["']${literal(value)}["']`
  const pair = (key: string, value: string) => String.raw`${key}\s*[:=]\s*${value}`
  const notations = [
    `["']${literal(name)}:(${literal(from)})(?=["':@])`,
    String.raw`${pair('group', quoted(group))}\s*,\s*${pair('name', quoted(artifact))}\s*,\s*${pair('version', `["'](${literal(from)})["']`)}`,
  ]
  return notations.flatMap((notation) => replaceGroup({ path, text }, new RegExp(notation, 'dg'), to))
}

/** Returns the last names of variables that stand for the version: `"g:a:$version"`, `"g:a:${versions.a}"`. */
function variablesOf(text: string, name: string): string[] {
  const interpolated = new RegExp(String.raw`"${literal(name)}:\$(?:\{([\w.]+)\}|([\w.]+))["@:]`, 'g')
  return [...text.matchAll(interpolated)].map(([, braced, bare]) => (braced ?? bare!).split('.').at(-1)!)
}

/** Finds `name = '1'`, `name: '1'`, `set("name", "1")` and `val name by extra("1")`. */
function settingsIn(file: ProjectFile, name: string, { from, to }: Upgrade): Edit[] {
  const sign = String.raw`["']?\]?\s*(?:=|:|,|by\s+extra\s*\()\s*`
  return replaceGroup(file, new RegExp(String.raw`\b${literal(name)}${sign}["'](${literal(from)})["']`, 'dg'), to)
}

function propertiesIn(file: ProjectFile, name: string, { from, to }: Upgrade): Edit[] {
  return replaceGroup(
    file,
    new RegExp(String.raw`^[ \t]*${literal(name)}[ \t]*[=:][ \t]*(${literal(from)})[ \t]*\r?$`, 'dgm'),
    to,
  )
}

function replaceGroup({ path, text }: ProjectFile, pattern: RegExp, to: string): Edit[] {
  return [...text.matchAll(pattern)].flatMap(({ indices }) => {
    const [start, end] = indices?.[1] ?? []
    return start === undefined || end === undefined ? [] : [{ path, start, end, text: to }]
  })
}

/** Finds the version of a library in a catalog, also by its reference. */
function inCatalog({ path, text }: ProjectFile, { name, from, to }: Upgrade): Edit[] {
  const places = placesOf(text)
  const written = (place: TomlPlace | undefined) => place && textOfPlace(text, place)
  const at = (...keys: string[]) => written(places.find(({ path: found }) => found.join('\n') === keys.join('\n')))
  const aliases = new Set(places.flatMap(({ path: [table, alias] }) => (table === 'libraries' && alias ? [alias] : [])))
  return [...aliases].flatMap((alias): Edit[] => {
    const whole = at('libraries', alias)
    if (whole !== undefined) {
      const start = whole.start + name.length + 1
      return whole.text === `${name}:${from}` ? [{ path, start, end: whole.end, text: to }] : []
    }
    const module = at('libraries', alias, 'module')?.text
    const named = module ?? `${at('libraries', alias, 'group')?.text}:${at('libraries', alias, 'name')?.text}`
    if (named !== name) return []
    const reference = at('libraries', alias, 'version', 'ref')?.text
    const base = reference === undefined ? ['libraries', alias, 'version'] : ['versions', reference]
    const spans = [at(...base), ...['strictly', 'require', 'prefer'].map((key) => at(...base, key))]
    return spans.flatMap((span) => (span?.text === from ? [{ path, start: span.start, end: span.end, text: to }] : []))
  })
}

/** Blanks comments, so that offsets stay the same. */
function withoutComments(text: string): string {
  const tokens = /"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/[^\n]*|\/\*[\s\S]*?\*\//g
  return text.replace(tokens, (token) => (token.startsWith('/') ? token.replace(/[^\n]/g, ' ') : token))
}
