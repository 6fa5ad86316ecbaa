import { plainProject } from './project-values.ts'
import { type Key, nothing, type SourcePosition, toList, toOption, type Value } from './values.ts'

const cross = (kind: 'none' | 'binary' | 'full' | 'for3Use2' | 'for2Use3'): Value => ({
  kind: 'cross',
  cross: { kind },
})
const configuration = (name: string): Value => ({ kind: 'configuration', name })
const axis = (project: string): Value => ({ kind: 'axis', project })

/** Predefined names of Scala and sbt. */
const values: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['Nil', toList([])],
  ['None', toOption(undefined)],
  ...['Seq.empty', 'List.empty', 'Set.empty', 'Map.empty', 'Vector.empty'].map((name) => [name, toList([])] as const),
  ['Option.empty', toOption(undefined)],
  ['identity', { kind: 'function', call: ([first = nothing]) => first }],
  ['Compile', configuration('compile')],
  ['Test', configuration('test')],
  ['Runtime', configuration('runtime')],
  ['Provided', configuration('provided')],
  ['Optional', configuration('optional')],
  ['IntegrationTest', configuration('it')],
  ['CompilerPlugin', configuration('plugin')],
  ['ScalaTool', configuration('scala-tool')],
  ['ThisBuild', axis('ThisBuild')],
  ['Global', axis('Global')],
  ['GlobalScope', axis('Global')],
  ['Zero', axis('Global')],
  ['LocalRootProject', axis('.')],
  ['CrossVersion.full', cross('full')],
  ['CrossVersion.patch', cross('full')],
  ['CrossVersion.binary', cross('binary')],
  ['CrossVersion.disabled', cross('none')],
  ['CrossVersion.Disabled', cross('none')],
  ['CrossVersion.for3Use2_13', cross('for3Use2')],
  ['CrossVersion.for2_13Use3', cross('for2Use3')],
  ['project', { kind: 'project', project: plainProject }],
  ['projectMatrix', { kind: 'project', project: plainProject }],
  ...['settingKey', 'taskKey', 'inputKey'].map(
    (name) => [name, { kind: 'function', call: () => ({ kind: 'key', key: keyOf('') }) } satisfies Value] as const,
  ),
  ...['SettingKey', 'TaskKey', 'InputKey'].map(
    (name) => [name, { kind: 'function', call: toLabeled } as Value] as const,
  ),
])

/** Returns the meaning of a name that the sent files do not define: a setting's key if it is spelled like one. */
export function findBuiltin(name: string, place: SourcePosition): Value {
  const builtin = values.get(name)
  if (builtin !== undefined) return builtin
  if (/^Defaults\.(?!sbtPluginExtra$)\w+$/.test(name)) return toList([])
  const isKey = /^[a-z]\w*$/.test(name) && !functions.has(name)
  return isKey ? { kind: 'key', key: keyOf(name) } : { kind: 'external', name, place }
}

/** Lower-case names that are not setting keys. */
const functions = new Set(
  (
    'file url uri config inConfig inThisBuild inTask inScope addCompilerPlugin compilerPlugin addSbtPlugin crossProject ' +
    'enablePlugins disablePlugins configs projectMatrix sys scala java sbt util com org addCommandAlias onLoadMessage taskKey math'
  ).split(' '),
)

/** Returns true for names with a predefined meaning. */
export function isBuiltin(name: string): boolean {
  return values.has(name)
}

/** `SettingKey[String]("library-dependencies")`: hyphens stand for capitals (sbt's hyphenToCamel). */
function toLabeled([label]: readonly Value[]): Value {
  const name = label?.kind === 'text' ? label.text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) : ''
  return { kind: 'key', key: keyOf(name) }
}

function keyOf(name: string): Key {
  return { name, project: undefined, axes: [] }
}

/** Evaluates `axis / key`, or a task or configuration of another key. */
export function combineKey(left: Value, right: Value | undefined): Value | undefined {
  // A key of a plugin, by its path: `ScroogeKeys.languages`.
  if (right?.kind === 'external') return combineKey(left, { kind: 'key', key: keyOf(/[^.]*$/.exec(right.name)![0]) })
  if (right?.kind !== 'key') return undefined
  const { key } = right
  const scoped = (change: Partial<Key>): Value => ({ kind: 'key', key: { ...key, ...change } })
  switch (left.kind) {
    case 'axis':
      return scoped({ project: left.project })
    case 'project':
      return scoped({ project: left.project.id })
    case 'reference':
      return scoped({ project: left.project })
    case 'configuration':
      return scoped({ axes: [left.name, ...key.axes] })
    case 'external':
      return scoped({ axes: [left.name, ...key.axes] })
    case 'key':
      return scoped({ project: left.key.project ?? key.project, axes: [...left.key.axes, left.key.name, ...key.axes] })
    default:
      return undefined
  }
}

/**
 * Returns the binary version: `2.13.12` → `2.13`, `3.3.1` → `3`; non-final versions stay whole (sbt's CrossVersion).
 */
export function toBinaryVersion(version: string): string {
  const three = /^3\.\d+\.\d+(?!-(?:M|RC)\d+$)/.test(version) || /^3\.[1-9]/.test(version)
  if (three) return '3'
  if (version.startsWith('0.')) return /^0\.\d+/.exec(version)?.[0] ?? version
  const two = /^(2\.\d+)\.(\d+)(-.+)?$/.exec(version)
  if (two === null) return version
  const isEarly = two[2] === '0' && two[3] !== undefined
  return isEarly ? version : two[1]!
}

/** Evaluates `CrossVersion.partialVersion`. */
export function toPartialVersion(version: string): Value {
  const parts = /^(\d+)\.(\d+)/.exec(version)
  if (parts === null) return toOption(undefined)
  const numbers = parts.slice(1).map((part): Value => ({ kind: 'number', number: Number(part) }))
  return toOption({ kind: 'tuple', items: numbers })
}
