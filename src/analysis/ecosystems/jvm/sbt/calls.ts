import { combineKey, findBuiltin } from './builtins.ts'
import { callExternal, type Deps } from './externals.ts'
import { applyPercent, callOnModule } from './module-values.ts'
import { callOnProject, plainProject, withUnread } from './project-values.ts'
import { callOnSimple } from './simple-values.ts'
import { areEqual, type Given, type Place, toBoolean, toList, toUnknown, type Value, whyUnknown } from './values.ts'

const MAX_LISTS = 4

/** Evaluates `value(…)`. */
export function callValue(value: Value, given: readonly Given[], place: Place, deps: Deps): Value {
  const values = given.map((each) => each.value)
  switch (value.kind) {
    case 'function': {
      const named = new Map(
        given.flatMap((each) => (each.name === undefined ? [] : [[each.name, each.value] as const])),
      )
      return value.call(
        given.flatMap((each) => (each.name === undefined ? [each.value] : [])),
        named,
      )
    }
    case 'external':
      return callExternal(value.name, given, place, deps)
    case 'unknown':
      return value
    case 'key': {
      // Old syntax: `scalaVersion(version => …)`.
      const [mapped] = values
      if (mapped?.kind === 'function') {
        return { kind: 'initialize', run: () => mapped.call([deps.settingValue(value.key, place)]) }
      }
      return callExternal(value.key.name, given, place, deps)
    }
    case 'object':
    case 'list':
    case 'text':
      return callMethod(value, 'apply', given, place, deps)
    case 'project':
      return value
    default:
      return toUnknown(whyUnknown(value), place)
  }
}

/** Evaluates `value.name(…)` or `value name …`, and plain selections. */
export function callMethod(value: Value, name: string, given: readonly Given[], place: Place, deps: Deps): Value {
  const known = onUnknown(value, name, given, place)
  if (known !== undefined) return known
  const values = given.map((each) => each.value)
  const native = callNative(value, name, { given, values, place, deps })
  if (native !== undefined) return native
  const extension = deps.findExtension(name)
  if (extension !== undefined) {
    const method = extension(value)
    return method.kind === 'function' && (given.length > 0 || method.pending === undefined)
      ? callValue(method, given, place, deps)
      : method
  }
  if (value.kind === 'project')
    return withUnread(value.project, toUnknown(`${name}(…) is not defined in what was sent`, place))
  const unknown = values.find((each) => each.kind === 'unknown')
  if (unknown !== undefined) return unknown
  return toPending(value, name, { given, place, deps })
}

/** Keeps the known arguments of a call on an unknown value. */
function onUnknown(value: Value, name: string, given: readonly Given[], place: Place): Value | undefined {
  const isOpen = value.kind === 'unknown' || value.kind === 'external' || value.kind === 'key' || isPending(value)
  if (!isOpen) return undefined
  const [first] = given
  const unknown = value.kind === 'unknown' ? value : toUnknown(whyUnknown(value), place)
  if (isJoin.has(name) && first !== undefined) {
    return toList([unknown, ...(first.value.kind === 'list' ? first.value.items : [first.value])])
  }
  if (ofProjects.has(name) && given.length > 0 && (value.kind === 'unknown' || isPending(value))) {
    return callOnProject({ ...plainProject, settings: [unknown] }, name, given, place)
  }
  return value.kind === 'unknown' ? value : undefined
}

const isJoin = new Set(['++', ':::', 'union'])
const ofProjects = new Set(['settings', 'dependsOn', 'aggregate', 'enablePlugins', 'disablePlugins', 'configs'])

function isPending(value: Value): boolean {
  return value.kind === 'function' && value.pending !== undefined
}

/** Waits for further argument lists: `foldLeft(a)(f)`. */
function toPending(
  value: Value,
  name: string,
  { given, place, deps }: { readonly given: readonly Given[]; readonly place: Place; readonly deps: Deps },
): Value {
  if (given.length > MAX_LISTS) return toUnknown(`${name} is not supported`, place)
  return {
    kind: 'function',
    pending: name,
    call(more) {
      if (more.length === 0) return toUnknown(`${name} is not supported`, place)
      return callMethod(value, name, [...given, ...more.map((each) => ({ name: undefined, value: each }))], place, deps)
    },
  }
}

interface Call {
  readonly given: readonly Given[]
  readonly values: readonly Value[]
  readonly place: Place
  readonly deps: Deps
}

function callNative(value: Value, name: string, { given, values, place, deps }: Call): Value | undefined {
  const [first] = values
  if ((name === '==' || name === '!=' || name === 'equals') && first !== undefined) {
    const equal = areEqual(value, first)
    if (equal === undefined) return undefined
    return toBoolean(equal === (name !== '!='))
  }
  if ((name === '%' || name === '%%' || name === '%%%') && first !== undefined) {
    const module = applyPercent(value, name, first, place)
    if (module !== undefined) return module
  }
  switch (value.kind) {
    case 'text':
      if (name === 'at' && first?.kind === 'text') return { kind: 'resolver', url: first.text }
      return callOnSimple(value, name, values)
    case 'number':
    case 'boolean':
    case 'list':
      return callOnSimple(value, name, values)
    case 'tuple': {
      const at = /^_(\d)$/.exec(name)?.[1]
      return at === undefined ? undefined : value.items[Number(at) - 1]
    }
    case 'module':
      return callOnModule(value.module, name, values, place)
    case 'project':
      return name === '/' ? combineKey(value, first) : callOnProject(value.project, name, given, place)
    case 'object': {
      if (isPluginJoin(name, first)) return toList([value, first!])
      const member = value.find(name)
      return member === undefined || given.length === 0 ? member : callValue(member, given, place, deps)
    }
    case 'function':
      return name === 'apply' ? callValue(value, given, place, deps) : undefined
    case 'external':
      return onExternal(value.name, name, { given, values, place, deps })
    case 'key':
    case 'configuration':
    case 'axis':
      return onKey(value, name, { given, values, place, deps })
    case 'reference':
      return name === '/' ? combineKey(value, first) : undefined
    default:
      return undefined
  }
}

function onExternal(path: string, name: string, { given, values, place, deps }: Call): Value | undefined {
  if (name === '/') return combineKey({ kind: 'external', name: path, place }, values[0])
  if (/(?:^|\.)[A-Z]\w*$/.test(path) && isPluginJoin(name, values[0])) {
    return toList([{ kind: 'external', name: path, place }, values[0]!])
  }
  if (name === 'extend' || name === 'in') return { kind: 'external', name: path, place }
  if (given.length > 0) return callExternal(`${path}.${name}`, given, place, deps)
  if (/^(?:sbt|Keys|sbt\.Keys|_root_|_root_\.sbt|Configurations|scala|librarymanagement)$/.test(path))
    return findBuiltin(name, place)
  return findBuiltin(`${path}.${name}`, place)
}

/** `enablePlugins(PlayJava && LagomPlay)`. */
function isPluginJoin(name: string, other: Value | undefined): boolean {
  return name === '&&' && other !== undefined && ['external', 'object', 'list'].includes(other.kind)
}

/** Evaluates `key in (ThisBuild, Test)`, `Test / key`, `key.map(f)`. */
function onKey(
  value: Extract<Value, { kind: 'key' | 'configuration' | 'axis' }>,
  name: string,
  { given, values, place, deps }: Call,
): Value | undefined {
  const [first] = values
  if (name === '/') return combineKey(value, first)
  if (value.kind === 'configuration' && ['extend', 'hide', 'describedAs', 'intransitive'].includes(name)) return value
  if (value.kind !== 'key') return undefined
  if (name === 'in') return values.reduce<Value | undefined>((key, axis) => key && combineKey(axis, key), value)
  if ((name === 'map' || name === 'apply') && first?.kind === 'function') return callValue(value, given, place, deps)
  return undefined
}
