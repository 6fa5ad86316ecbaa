import { placesOf, type TomlPlace, textOfPlace } from '../documents/toml-values.ts'
import type { Edit, Planned, ProjectFile, Upgrade } from './edit.ts'

/** A build script with blank comments. */
interface Script extends ProjectFile {
  /** Offsets of its strings, quotes included. */
  readonly strings: readonly (readonly [start: number, end: number])[]
}

/** A name that stands for a version, such as `blue` in `versions.blue`. */
interface Variable {
  readonly name: string
  /** `versions`; undefined for a plain name. */
  readonly owner: string | undefined
}

/** Finds the version of a module in build scripts, their variables, gradle.properties and version catalogs. */
export function planGradleEdits(files: readonly ProjectFile[], upgrade: Upgrade): Planned {
  const scripts = files.filter(({ path }) => /\.gradle(?:\.kts)?$/.test(path)).map(toScript)
  const properties = files.filter(({ path }) => path.endsWith('gradle.properties'))
  const catalogs = files.filter(({ path }) => path.endsWith('.toml'))
  const direct = [
    ...scripts.flatMap((script) => inScript(script, upgrade)),
    ...catalogs.flatMap((catalog) => inCatalog(catalog, upgrade)),
  ]
  if (direct.length > 0) return { edits: direct }
  const all = scripts.flatMap((script) => variablesOf(script.text, upgrade.name))
  if (all.length === 0) {
    return { problem: `no script or catalog writes ${upgrade.from} beside it; a platform or plugin may set it` }
  }
  const variables = all.filter(({ name, owner }) => name !== 'version' || !['', 'project'].includes(owner ?? ''))
  if (variables.length === 0) return { problem: 'its version is that of the project, which is not changed' }
  const edits = new Map<string, Edit>()
  for (const variable of variables) {
    const set = [
      ...scripts.flatMap((script) => settingsIn(script, variable, upgrade)),
      ...properties.flatMap((property) => propertiesIn(property, variable.name, upgrade)),
    ]
    for (const edit of set) edits.set(`${edit.path}:${edit.start}`, edit)
  }
  if (edits.size > 0) return { edits: [...edits.values()] }
  const names = new Set(variables.map(({ name }) => name))
  return { problem: `${[...names].join(', ')} is not written as ${upgrade.from}` }
}

const literal = (text: string) => RegExp.escape(text)
const quoted = (value: string) => `["']${literal(value)}["']`

/** Finds `'g:a:1'`, `("g", "a", "1")`, `'g:a' { version { strictly '1' } }` and maps. */
function inScript({ path, text }: Script, { name, from, to }: Upgrade): Edit[] {
  const [group = '', artifact = ''] = name.split(':')
  const notations = [
    String.raw`(?<!\bbecause\s*\(?\s*)["']${literal(name)}:(${literal(from)})(?=["':@]|!!["'])`,
    String.raw`\(\s*${quoted(group)}\s*,\s*${quoted(artifact)}\s*,\s*["'](${literal(from)})["']`,
  ]
  const rich = new RegExp(String.raw`${quoted(name)}\s*\)?\s*\{[^{}]*?\bversion\s*\{([^{}]*)\}`, 'dg')
  const kept = new RegExp(String.raw`\b(?:strictly|require|prefer)\s*\(?\s*["'](${literal(from)})["']`, 'dg')
  return [
    ...notations.flatMap((notation) => replaceGroup({ path, text }, new RegExp(notation, 'dg'), to)),
    ...spansOf(text, rich).flatMap((span) => replaceGroup({ path, text }, kept, { to, span })),
    ...mapsOf(text, name).flatMap(({ start, end, value }) =>
      value === from ? [{ path, start: start + 1, end: end - 1, text: to }] : [],
    ),
  ]
}

const PAIR = String.raw`\b\w+\s*[:=]\s*(?:"[^"\n]*"|'[^'\n]*'|[\w.]+)`
const PAIRS = new RegExp(String.raw`${PAIR}(?:\s*,\s*${PAIR})+`, 'g')
const ONE_PAIR = /\b(\w+)\s*[:=]\s*("[^"\n]*"|'[^'\n]*'|[\w.]+)/dg

/** Returns the versions of the maps of a module, `group: 'g', name: 'a', version: '1'` in any order, quotes included. */
function mapsOf(text: string, name: string) {
  return [...text.matchAll(PAIRS)].flatMap(({ 0: run, index }) => {
    const pairs = new Map([...run.matchAll(ONE_PAIR)].map((match) => [match[1]!, match]))
    const plain = (key: string) => pairs.get(key)?.[2]?.replace(/^(["'])(.*)\1$/, '$2')
    const [start, end] = pairs.get('version')?.indices?.[2] ?? []
    if (`${plain('group')}:${plain('name')}` !== name || start === undefined || end === undefined) return []
    const written = run.slice(start, end)
    const isText = /^["']/.test(written)
    const value = isText ? written.slice(1, -1) : undefined
    return [{ start: index + start, end: index + end, value, source: isText ? undefined : written }]
  })
}

/** Finds `"g:a:$v"`, `"g:a:${versions.v}"`, `"g:a:${property('v')}"`, `'g:a:' + v` and `version: v`. */
function variablesOf(text: string, name: string): Variable[] {
  const interpolated = new RegExp(String.raw`"${literal(name)}:\$(?:\{([^{}\n]+)\}|([\w.]+))(?=["@:])`, 'g')
  const added = new RegExp(String.raw`["']${literal(name)}:["']\s*\+\s*([\w.]+)`, 'g')
  return [
    ...[...text.matchAll(interpolated)].map(([, braced, bare]) => braced ?? bare!),
    ...[...text.matchAll(added)].map(([, plain]) => plain!),
    ...mapsOf(text, name).flatMap(({ value, source }) => source ?? /^\$\{?([^{}]+)\}?$/.exec(value ?? '')?.[1] ?? []),
  ].flatMap(toVariable)
}

/** Reads `v`, `versions.v`, `ext['v']` and `property("v")`. */
function toVariable(expression: string): Variable[] {
  const dotted = /^(?:[\w.]*?(\w+)\.)?(\w+)$/.exec(expression.trim())
  if (dotted !== null) return [{ name: dotted[2]!, owner: dotted[1] }]
  const indexed = /^(?:[\w.]*?)(\w+)\s*[[(]\s*["']([^"']+)["']\s*[\])]$/.exec(expression.trim())
  return indexed === null ? [] : [{ name: indexed[2]!, owner: indexed[1] }]
}

/** Finds `v = '1'`, `v: '1'`, `"v" to "1"`, `ext['v'] = '1'`, `set("v", "1")` and `val v by extra("1")`. */
function settingsIn(script: Script, { name, owner }: Variable, { from, to }: Upgrade): Edit[] {
  const plain = String.raw`(?<![\w$])${literal(name)}(?:\s*:\s*\w+\??)?(?:\s*=|\s*:|\s+by\s+extra\s*\()`
  const inQuotes = String.raw`${quoted(name)}\s*\]?\s*(?:=|:|,|to\b)`
  const pattern = new RegExp(String.raw`(?:${plain}|${inQuotes})\s*["'](${literal(from)})["']`, 'dg')
  const edits = replaceGroup(script, pattern, to)
  if (owner === undefined) return edits
  const map = new RegExp(
    String.raw`\b${literal(owner)}\s*(?:[:=]\s*(?:\[|mutableMapOf\(|mapOf\()|\{)([^\])}]*)[\])}]`,
    'dg',
  )
  const maps = spansOf(script.text, map)
  const inMaps = edits.filter((edit) => maps.some(([start, end]) => start <= edit.start && edit.end <= end))
  return inMaps.length > 0 ? inMaps : edits
}

function propertiesIn(file: ProjectFile, name: string, { from, to }: Upgrade): Edit[] {
  const pattern = String.raw`^[ \t]*${literal(name)}[ \t]*[=:][ \t]*(${literal(from)})[ \t]*\r?$`
  return replaceGroup(file, new RegExp(pattern, 'dgm'), to)
}

/** Returns the offsets of the first group of each match. */
function spansOf(text: string, pattern: RegExp): [number, number][] {
  return [...text.matchAll(pattern)].map(({ indices }) => indices![1]!)
}

type Replacement = string | { readonly to: string; readonly span: readonly [number, number] }

/** Replaces the first group of each match that does not begin within a string, optionally only in a span. */
function replaceGroup(file: ProjectFile & Partial<Script>, pattern: RegExp, replacement: Replacement): Edit[] {
  const { to, span } = typeof replacement === 'string' ? { to: replacement, span: undefined } : replacement
  const isInString = (at: number) => file.strings?.some(([start, end]) => start < at && at < end) ?? false
  return [...file.text.matchAll(pattern)].flatMap(({ index, indices }) => {
    const [start, end] = indices![1]!
    const isOutside = span !== undefined && (start < span[0] || span[1] < end)
    return isOutside || isInString(index) ? [] : [{ path: file.path, start, end, text: to }]
  })
}

/** Finds the version of a library in a catalog, also by its reference. */
function inCatalog({ path, text }: ProjectFile, { name, from, to }: Upgrade): Edit[] {
  const places = placesOf(text)
  const written = (place: TomlPlace | undefined) => place && textOfPlace(text, place)
  const at = (...keys: string[]) =>
    written(places.find(({ path: segments }) => segments.join('\n') === keys.join('\n')))
  const aliases = new Set(places.flatMap(({ path: [table, alias] }) => (table === 'libraries' && alias ? [alias] : [])))
  return [...aliases].flatMap((alias): Edit[] => {
    const whole = at('libraries', alias)
    if (whole !== undefined) {
      const start = whole.start + name.length + 1
      return whole.text === `${name}:${from}` ? [{ path, start, end: whole.end, text: to }] : []
    }
    const module = at('libraries', alias, 'module')?.text
    const coordinates = module ?? `${at('libraries', alias, 'group')?.text}:${at('libraries', alias, 'name')?.text}`
    if (coordinates !== name) return []
    const reference = at('libraries', alias, 'version', 'ref')?.text
    const base = reference === undefined ? ['libraries', alias, 'version'] : ['versions', reference]
    const spans = [at(...base), ...['strictly', 'require', 'prefer'].map((key) => at(...base, key))]
    return spans.flatMap((span) => (span?.text === from ? [{ path, start: span.start, end: span.end, text: to }] : []))
  })
}

const TOKENS = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/[^\n]*|\/\*/g

/** Blanks comments, so that offsets stay the same. Those of Kotlin are nested. */
function toScript({ path, text }: ProjectFile): Script {
  const strings: [number, number][] = []
  let result = ''
  let at = 0
  TOKENS.lastIndex = 0
  for (let token = TOKENS.exec(text); token !== null; token = TOKENS.exec(text)) {
    const start = token.index
    let end = start + token[0].length
    if (token[0] === '/*') {
      end = endOfComment(text, start, path.endsWith('.kts'))
      TOKENS.lastIndex = end
    }
    if (!token[0].startsWith('/')) {
      strings.push([start, end])
      continue
    }
    result += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, ' ')
    at = end
  }
  return { path, text: result + text.slice(at), strings }
}

function endOfComment(text: string, start: number, isNested: boolean): number {
  const marks = /\/\*|\*\//g
  marks.lastIndex = start + 2
  let depth = 1
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '*/') depth--
    else if (isNested) depth++
    if (depth === 0) return marks.lastIndex
  }
  return text.length
}
