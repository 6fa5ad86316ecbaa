import { combineKey, toPartialVersion } from './builtins.ts'
import { findAdding, namesOfPlugins } from './known-plugins.ts'
import { toRule } from './module-values.ts'
import { beginCrossProject, beginProject, withUnread } from './project-values.ts'
import type { Extension } from './scope.ts'
import {
  type Given,
  joinTexts,
  type Key,
  nothing,
  type SourcePosition,
  toBoolean,
  toList,
  toOption,
  toText,
  toUnknown,
  type Value,
} from './values.ts'

/** The place of a call, and the build's callbacks for it. */
export interface Context {
  readonly place: SourcePosition
  /** Records an assumption as a sentence. */
  assume(sentence: string): void
  /** Returns a setting's value in the evaluated project. */
  settingValue(key: Key, place: SourcePosition): Value
  /** Returns an extension method defined in the sent files. */
  findExtension(name: string): Extension | undefined
}

interface Call extends Context {
  readonly name: string
  readonly args: readonly Given[]
  readonly values: readonly Value[]
}

type Function = (call: Call) => Value | undefined

/** Evaluates a function of Scala or sbt; the result of other functions is unknown. */
export function callExternal(name: string, args: readonly Given[], context: Context): Value {
  const values = args.map((arg) => arg.value)
  const short = name
    .replace(/^(?:_root_\.)?(?:sbt\.(?:librarymanagement\.)?(?:Keys\.)?|scala\.|java\.lang\.|java\.io\.)/, '')
    .replace(/\.apply$/, '')
  const value = functions.get(short)?.({ ...context, name: short, args, values })
  if (value !== undefined) return value
  const unknown = toUnknown(`${name}(…) is not defined in what was sent`, context.place)
  // A function that changes a project keeps its known parts.
  const project = values.find((value) => value.kind === 'project')
  return project === undefined ? unknown : withUnread(project.project, unknown)
}

/** A seq's argument may be a spread one (`xs: _*`). */
const list: Function = ({ args, values }) => {
  const [only] = values
  return args.length === 1 && only?.kind === 'list' && !only.isOption ? only : toList(values)
}

const file: Function = ({ values }) => {
  const texts = values.flatMap((value) => (value.kind === 'text' ? value.text : []))
  return texts.length === values.length ? joinTexts(texts, '/') : undefined
}

const resolver: Function = ({ values: [, url] }) => ({
  kind: 'resolver',
  url: url?.kind === 'text' ? url.text : undefined,
})

const rule: Function = ({ args }) => {
  const of = (name: string, at: number) => args.find((arg) => arg.name === name)?.value ?? unnamed(args)[at]
  const exclusion = toRule(toList([of('organization', 0) ?? toText('*'), of('name', 1) ?? toText('*')]))
  return exclusion === undefined ? undefined : { kind: 'rule', rule: exclusion }
}

function unnamed(args: readonly Given[]): Value[] {
  return args.flatMap(({ name, value }) => (name === undefined ? [value] : []))
}

const plugin: Function = ({ values: [first] }) =>
  first?.kind === 'module' ? { kind: 'module', module: { ...first.module, isPlugin: true } } : undefined

const addPlugin: Function = (call) => {
  const pluginModule = plugin(call)
  const key = { name: 'libraryDependencies', project: undefined, axes: [] }
  return (
    pluginModule && { kind: 'setting', setting: { key, operator: '+=', read: () => pluginModule, place: call.place } }
  )
}

/** Settings within a configuration or the whole build: `inThisBuild(Seq(…))`. */
const within =
  (axis: (call: Call) => Value | undefined): Function =>
  (call) => {
    const outer = axis(call)
    const put = (values: readonly Value[]): Value =>
      toList(
        values
          .flatMap((value) => (value.kind === 'list' ? value.items : [value]))
          .map((value) => {
            if (value.kind !== 'setting' || outer === undefined) return value
            const key = combineKey(outer, { kind: 'key', key: value.setting.key })
            return key?.kind === 'key' ? { kind: 'setting', setting: { ...value.setting, key: key.key } } : value
          }),
      )
    return outer?.kind === 'axis' ? put(call.values) : { kind: 'function', call: put }
  }

/** Environment variables are unknown: the build's fallback counts. */
const environment: Function = ({ name, values, assume }) => {
  const [key, fallback] = values
  const what = key?.kind === 'text' ? key.text : '?'
  const isOption = /\.get$|OrNone$/.test(name)
  const unset = /\.(?:contains|isDefinedAt)$/.test(name) ? toBoolean(false) : isOption ? toOption(undefined) : fallback
  if (unset === undefined) return { kind: 'external', name: `${UNSET} ${what}`, place: { file: 'target', line: 1 } }
  assume(`${what} is taken to be unset in the environment and the properties of the build`)
  return unset
}
/** The name of a variable without fallback. */
const UNSET = 'environment'

const option: Function = ({ values: [first], assume }) => {
  if (first?.kind !== 'external' || !first.name.startsWith(`${UNSET} `)) return first && toOption(first)
  assume(
    `${first.name.slice(UNSET.length + 1)} is taken to be unset in the environment and the properties of the build`,
  )
  return toOption(undefined)
}

/** Called in a build.sbt outside of a project. */
const enablePlugins: Function = ({ values, place }) => {
  const adding = namesOfPlugins(values).filter((name) => findAdding(name, place).length > 0)
  return toList(adding.map((name) => toUnknown(`the plugin ${name} may add packages of its own`, place)))
}

const partial: Function = ({ values: [version] }) =>
  version?.kind === 'text' ? toPartialVersion(version.text) : undefined

const functions: ReadonlyMap<string, Function> = new Map<string, Function>([
  ...[
    ...['Seq', 'List', 'Vector', 'Set', 'Array', 'IndexedSeq', 'Map', 'ListMap', 'Def.settings', 'SettingsDefinition'],
    ...['collection.Seq', 'collection.immutable.Seq', 'immutable.Seq', 'immutable.Map', 'Iterable', 'Stream'],
  ].map((name) => [name, list] as const),
  ['Some', ({ values: [first] }) => first && toOption(first)],
  ['Option', option],
  ...['file', 'File', 'url', 'uri', 'URL', 'Path'].map((name) => [name, file] as const),
  ['config', ({ values: [name] }) => (name?.kind === 'text' ? { kind: 'configuration', name: name.text } : undefined)],
  ...['ExclusionRule', 'SbtExclusionRule', 'InclExclRule'].map((name) => [name, rule] as const),
  ['Project', beginProject],
  ...['crossProject', 'CrossProject'].map((name) => [name, beginCrossProject] as const),
  ...['LocalProject', 'ProjectRef', 'LocalRootProject'].map((name) => [name, toReference] as const),
  ['CrossVersion.partialVersion', partial],
  ['compilerPlugin', plugin],
  ['addCompilerPlugin', addPlugin],
  ['addSbtPlugin', addPlugin],
  ['Defaults.sbtPluginExtra', plugin],
  ['inThisBuild', within(() => ({ kind: 'axis', project: 'ThisBuild' }))],
  ['inConfig', within(({ values: [first] }) => first)],
  ['inTask', within(({ values: [first] }) => first)],
  ['enablePlugins', enablePlugins],
  ...['addCommandAlias', 'disablePlugins', 'configs'].map((name) => [name, () => toList([])] as const),
  ['MavenRepository', resolver],
  ['MavenRepo', resolver],
  ...[
    ...['sys.props.getOrElse', 'sys.env.getOrElse', 'sys.props.get', 'sys.env.get', 'sys.props.contains'],
    ...['sys.env.contains', 'sys.props', 'sys.env', 'System.getProperty', 'System.getenv', 'sys.env.isDefinedAt'],
    ...['util.Properties.envOrElse', 'util.Properties.propOrElse', 'Properties.envOrElse', 'Properties.propOrElse'],
    ...['util.Properties.envOrNone', 'util.Properties.propOrNone', 'Properties.envOrNone', 'Properties.propOrNone'],
  ].map((name) => [name, environment] as const),
])

/**
 * Refers to a project of this build; `ProjectRef(uri("…"), "x")` and `ProjectRef(file("…"), "x")` refer to another
 * build.
 */
function toReference({ name: called, values, place }: Call): Value | undefined {
  const name = values.at(-1) ?? nothing
  const [of] = values
  const isElsewhere = called.startsWith('ProjectRef') && values.length > 1 && !(of?.kind === 'text' && of.text === '.')
  if (isElsewhere && of?.kind !== 'axis' && !isOwnBase(of))
    return toUnknown('this project lies in another build, which was not sent', place)
  return name.kind === 'text' ? { kind: 'reference', project: name.text, configurations: undefined } : undefined
}

function isOwnBase(value: Value | undefined): boolean {
  return value?.kind === 'key' && /^(?:baseDirectory|thisBuild|loadedBuild)$/.test(value.key.name)
}
