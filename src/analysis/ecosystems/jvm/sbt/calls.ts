import { combineKey, findBuiltin } from './builtins.ts'
import { type Context, callExternal } from './externals.ts'
import { applyPercent, callOnModule } from './module-values.ts'
import { callOnProject, plainProject, withUnread } from './project-values.ts'
import { callOnSimple } from './simple-values.ts'
import { areEqual, type Given, toBoolean, toList, toUnknown, type Value, whyUnknown } from './values.ts'

const MAX_LISTS = 4

/** Evaluates `value(…)`. */
export function callValue(value: Value, args: readonly Given[], context: Context): Value {
  switch (value.kind) {
    case 'function': {
      const keywordArgs = new Map(
        args.flatMap((arg) => (arg.name === undefined ? [] : [[arg.name, arg.value] as const])),
      )
      return value.call(
        args.flatMap((arg) => (arg.name === undefined ? [arg.value] : [])),
        keywordArgs,
      )
    }
    case 'external':
      return callExternal(value.name, args, context)
    case 'key': {
      // Old syntax: `scalaVersion(version => …)`.
      const mapped = args[0]?.value
      if (mapped?.kind !== 'function') return callExternal(value.key.name, args, context)
      return { kind: 'initialize', run: () => mapped.call([context.settingValue(value.key, context.place)]) }
    }
    case 'object':
    case 'list':
    case 'text':
      return callMethod(value, 'apply', args, context)
    case 'unknown':
    case 'project':
      return value
    default:
      return toUnknown(whyUnknown(value), context.place)
  }
}

/** Evaluates `value.name(…)` or `value name …`, and plain selections. */
export function callMethod(value: Value, name: string, args: readonly Given[], context: Context): Value {
  const result = onUnknown(value, name, args, context) ?? callNative(value, name, args, context)
  if (result !== undefined) return result
  const extension = context.findExtension(name)
  if (extension !== undefined) {
    const method = extension(value)
    return method.kind === 'function' && (args.length > 0 || method.pending === undefined)
      ? callValue(method, args, context)
      : method
  }
  if (value.kind === 'project')
    return withUnread(value.project, toUnknown(`${name}(…) is not defined in what was sent`, context.place))
  return args.find((arg) => arg.value.kind === 'unknown')?.value ?? toPending(value, name, args, context)
}

/** Keeps the known arguments of a call on an unknown value. */
function onUnknown(value: Value, name: string, args: readonly Given[], { place }: Context): Value | undefined {
  const isPending = value.kind === 'function' && value.pending !== undefined
  if (!isPending && value.kind !== 'unknown' && value.kind !== 'external' && value.kind !== 'key') return undefined
  const [first] = args
  const unknown = value.kind === 'unknown' ? value : toUnknown(whyUnknown(value), place)
  if (isJoin.has(name) && first !== undefined) {
    return toList([unknown, ...(first.value.kind === 'list' ? first.value.items : [first.value])])
  }
  if (ofProjects.has(name) && args.length > 0 && (value.kind === 'unknown' || isPending)) {
    return callOnProject({ ...plainProject, settings: [unknown] }, name, args, place)
  }
  return value.kind === 'unknown' ? value : undefined
}

const isJoin = new Set(['++', ':::', 'union'])
const ofProjects = new Set(['settings', 'dependsOn', 'aggregate', 'enablePlugins', 'disablePlugins', 'configs'])

/** Waits for further argument lists: `foldLeft(a)(f)`. */
function toPending(value: Value, name: string, args: readonly Given[], context: Context): Value {
  const unsupported = toUnknown(`${name} is not supported`, context.place)
  if (args.length > MAX_LISTS) return unsupported
  return {
    kind: 'function',
    pending: name,
    call(more) {
      const all = [...args, ...more.map((argument) => ({ name: undefined, value: argument }))]
      return more.length === 0 ? unsupported : callMethod(value, name, all, context)
    },
  }
}

function callNative(value: Value, name: string, args: readonly Given[], context: Context): Value | undefined {
  const { place } = context
  const values = args.map((arg) => arg.value)
  const [first] = values
  if ((name === '==' || name === '!=') && first !== undefined) {
    const equal = areEqual(value, first)
    return equal === undefined ? undefined : toBoolean(equal === (name === '=='))
  }
  const module = /^%{1,3}$/.test(name) && first !== undefined ? applyPercent(value, name, first, place) : undefined
  if (module !== undefined) return module
  if (name === '/') {
    const key = combineKey(value, first)
    if (key !== undefined) return key
  }
  if (isPluginJoin(value, name, first)) return toList([value, first!])
  switch (value.kind) {
    case 'text':
      if (name === 'at' && first?.kind === 'text') return { kind: 'resolver', url: first.text }
      return callOnSimple(value, name, values)
    case 'number':
    case 'boolean':
    case 'list':
      return callOnSimple(value, name, values)
    case 'tuple':
      return /^_\d$/.test(name) ? value.items[Number(name.slice(1)) - 1] : undefined
    case 'module':
      return callOnModule(value.module, name, values, place)
    case 'project':
      return callOnProject(value.project, name, args, place)
    case 'object': {
      const member = value.find(name)
      return member === undefined || args.length === 0 ? member : callValue(member, args, context)
    }
    case 'function':
      return name === 'apply' ? callValue(value, args, context) : undefined
    case 'external':
      return onExternal(value, name, args, context)
    case 'configuration':
      return ['extend', 'hide', 'describedAs', 'intransitive'].includes(name) ? value : undefined
    case 'key':
      // `key in (ThisBuild, Test)`
      if (name === 'in') return values.reduce<Value | undefined>((key, axis) => key && combineKey(axis, key), value)
      return name === 'apply' && first?.kind === 'function' ? callValue(value, args, context) : undefined
    default:
      return undefined
  }
}

type External = Extract<Value, { kind: 'external' }>

function onExternal(value: External, name: string, args: readonly Given[], context: Context): Value {
  if (name === 'extend' || name === 'in') return value
  if (args.length > 0) return callExternal(`${value.name}.${name}`, args, context)
  const isPackage = /^(?:sbt|Keys|sbt\.Keys|_root_|_root_\.sbt|Configurations|scala|librarymanagement)$/.test(
    value.name,
  )
  return findBuiltin(isPackage ? name : `${value.name}.${name}`, context.place)
}

/** `enablePlugins(PlayJava && LagomPlay)`. */
function isPluginJoin(value: Value, name: string, other: Value | undefined): boolean {
  if (name !== '&&' || other === undefined || !['external', 'object', 'list'].includes(other.kind)) return false
  return value.kind === 'object' || (value.kind === 'external' && /(?:^|\.)[A-Z]\w*$/.test(value.name))
}
