import type { Cross, Module, Rule, SourcePosition, Value } from './values.ts'
import { isUnknown, nothing, toList, toText, toUnknown, whyUnknown } from './values.ts'

const binary: Cross = { kind: 'binary' }
const plainModule = {
  configurations: undefined,
  exclusions: [],
  isTransitive: true,
  isForced: false,
  isPlugin: false,
  isFromUrl: false,
}

/** Evaluates `"group" % "name"`, `%%`, `%%%`, then `% "version"` and `% "test"` (sbt's DependencyBuilders). */
export function applyPercent(left: Value, operator: string, right: Value, place: SourcePosition): Value | undefined {
  if (left.kind === 'text') return beginModule(left.text, operator, right, place)
  if (operator !== '%') return undefined
  if (left.kind === 'artifact') {
    const { group, name, cross } = left
    const isOfPlatform = cross.kind === 'platform'
    const module = { ...plainModule, group, name, cross: isOfPlatform ? binary : cross, isOfPlatform, place }
    if (right.kind === 'text') return { kind: 'module', module: { ...module, version: right.text } }
    return { kind: 'module', module: { ...module, version: undefined, reason: whyUnknown(right) } }
  }
  if (left.kind === 'module') {
    const configurations = configurationsOf(right)
    // Unknown configurations count as the product's.
    return { kind: 'module', module: { ...left.module, configurations } }
  }
  if (left.kind === 'project' || left.kind === 'reference') {
    const project = left.kind === 'project' ? left.project.id : left.project
    return project === undefined ? undefined : { kind: 'reference', project, configurations: configurationsOf(right) }
  }
  return undefined
}

function beginModule(group: string, operator: string, right: Value, place: SourcePosition): Value {
  if (right.kind !== 'text')
    return toUnknown(`the name of a module of ${group} is not known: ${whyUnknown(right)}`, place)
  const cross: Cross = operator === '%' ? { kind: 'none' } : operator === '%%' ? binary : { kind: 'platform' }
  return { kind: 'artifact', group, name: right.text, cross }
}

function configurationsOf(value: Value): string | undefined {
  if (value.kind === 'text') return value.text
  return value.kind === 'configuration' ? value.name : undefined
}

/** Methods that leave the module as it is here. */
const sameModule = new Set([
  'classifier',
  'withSources',
  'withJavadoc',
  'changing',
  'artifacts',
  'extra',
  'withExtraAttributes',
])

/** Evaluates a method of modules; undefined if unknown. `args` are its arguments, with tuples unpacked. */
export function callOnModule(
  module: Module,
  name: string,
  args: readonly Value[],
  place: SourcePosition,
): Value | undefined {
  const changed = (change: Partial<Module>): Value => ({ kind: 'module', module: { ...module, ...change } })
  const [first] = args
  if (sameModule.has(name)) return changed({})
  switch (name) {
    case 'exclude':
    case 'excludeAll':
    case 'withExclusions': {
      const rules = name === 'exclude' ? [toRule(toList(args))] : args.flatMap(listed).map(toRule)
      // Dropping an unreadable exclusion tests more, never less.
      const exclusions = [...module.exclusions, ...rules.filter((rule) => rule !== undefined)]
      return changed({ exclusions })
    }
    case 'intransitive':
      return changed({ isTransitive: false })
    case 'force':
      return changed({ isForced: true })
    case 'from':
      return changed({ isFromUrl: true })
    case 'cross':
    case 'withCrossVersion':
      return first?.kind === 'cross'
        ? changed({ cross: first.cross })
        : toUnknown(`how the name of ${module.group}:${module.name} ends is not known`, place)
    case 'withDottyCompat':
      return changed({ cross: { kind: 'for3Use2' } })
    case 'withConfigurations': {
      const [configuration] = first === undefined ? [] : listed(first)
      return changed({ configurations: configuration === undefined ? undefined : configurationsOf(configuration) })
    }
    case 'withName':
      return first?.kind === 'text' ? changed({ name: first.text }) : undefined
    case 'organization':
      return toText(module.group)
    case 'name':
      return toText(module.name)
    case 'revision':
      return module.version === undefined ? toUnknown(module.reason ?? 'no version', place) : toText(module.version)
    default:
      return undefined
  }
}

function listed(value: Value): readonly Value[] {
  return value.kind === 'list' || value.kind === 'tuple' ? value.items : [value]
}

/** Reads `ExclusionRule("group", "name")`, `"group" % "name"`, or a group alone; undefined for others. */
export function toRule(value: Value): Rule | undefined {
  const none: Cross = { kind: 'none' }
  if (value.kind === 'rule') return value.rule
  if (value.kind === 'artifact') return { group: value.group, name: value.name, cross: value.cross }
  if (value.kind === 'text') return { group: value.text, name: '*', cross: none }
  if (value.kind !== 'list' && value.kind !== 'tuple') return undefined
  const [group = nothing, name = toText('*')] = value.items
  if (group.kind !== 'text' || name.kind !== 'text' || isUnknown(name)) return undefined
  return { group: group.text, name: name.text, cross: none }
}
