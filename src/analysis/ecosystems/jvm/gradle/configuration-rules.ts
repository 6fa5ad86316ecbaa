import { isDevConfiguration } from './configurations.ts'
import { readDependencyInto } from './declared.ts'
import { toExclusion } from './dependency-options.ts'
import { markRead, reportUnread, type ScriptContext } from './facts.ts'
import { type Call, callsIn, closureOf, type Expression } from './language/expressions.ts'
import { evaluate } from './language/values.ts'

/** Rules in code, whose effect is known only by running them. */
const RULES =
  /^(?:eachDependency|dependencySubstitution|capabilitiesResolution|componentSelection|withDependencies|defaultDependencies)$/
const ALL = /^(?:all|configureEach|each|forEach|every)$/
/**
 * Configurations of the product: an exclusion here applies to it. Exclusions in others leave the package on another
 * class path.
 */
const OF_PRODUCT = /^(?:implementation|api|compile|runtimeClasspath)$/
const FINDING = /^(?:getByName|named|create|maybeCreate|register|getAt)$/

/** Reads `configurations.all { exclude …; resolutionStrategy { force … } }`. */
export function readConfigurations(call: Call, context: ScriptContext) {
  const [, ...names] = call.names
  const [first] = call.positional
  const configuration =
    FINDING.test(names[0] ?? '') && first !== undefined ? evaluate(first, context.variables) : names[0]
  const isOursAlone = ALL.test(names.at(-1) ?? '') && closureOf(call).length === 0 && first?.kind === 'path'
  if (isOursAlone) return reportRule('configurations', call, context)
  if (names.length > 0) return readRule(call, typeof configuration === 'string' ? configuration : '?', context)
  for (const nestedCall of callsIn(closureOf(call))) readRule(nestedCall, nestedCall.names[0]!, context)
}

function readRule(call: Call, configuration: string, context: ScriptContext) {
  const { names, positional } = call
  const name = names.at(-1)!
  const isDev = context.isBuild || isDevConfiguration(configuration)
  if (name === 'exclude') exclude(call, configuration, context)
  if (/^(?:force|setForcedModules|forcedModules)$/.test(name)) force(positional, call, { ...context, isBuild: isDev })
  const rule = names.find((name) => RULES.test(name))
  if (rule !== undefined) return reportRule(rule, call, { ...context, isBuild: isDev })
  if (isCondition(name)) return reportConditional(call, context)
  for (const { kind, value, ...statement } of closureOf(call)) {
    if (kind === 'expression' && value.kind === 'call') readRule(value, configuration, context)
    else if (kind === 'assign' && 'names' in statement && statement.names.at(-1) === 'forcedModules')
      force([value], call, { ...context, isBuild: isDev })
  }
  for (const chainedCall of call.chained) readRule(chainedCall, configuration, context)
}

function isCondition(name: string): boolean {
  return /^(?:if|else|when|switch|for|while)$/.test(name)
}

/**
 * Reports conditional exclusions and forced versions without applying them: an exclusion that does not apply would hide
 * a dependency.
 */
function reportConditional(call: Call, context: ScriptContext) {
  const rules = [...closureOf(call).map(({ value }) => value), ...call.chained, ...call.positional]
  for (const rule of rules) {
    if (rule.kind !== 'call') continue
    if (isCondition(rule.names.at(-1)!)) reportConditional(rule, context)
    else if (rule.names.at(-1) !== 'exclude' && rule.names.length + rule.positional.length > 1)
      reportRule(rule.names.join('.'), rule, context)
  }
}

function exclude(call: Call, configuration: string, { facts, variables, file, isBuild }: ScriptContext) {
  if (!ALL.test(configuration) && !OF_PRODUCT.test(configuration)) return
  const exclusion = toExclusion(call, variables)
  if (exclusion !== undefined) facts.excluded.push(exclusion)
  else reportUnread(facts, { name: 'exclude', place: { file, line: call.line }, isDev: isBuild })
}

function force(positional: readonly Expression[], call: Call, context: ScriptContext) {
  if (!context.isBuild) readDependencyInto(context.facts.forced, { ...call, positional }, context)
}

function reportRule(rule: string, call: Call, context: ScriptContext) {
  const { facts, file, isBuild } = context
  markRead(call, context)
  reportUnread(facts, { name: rule, place: { file, line: call.line }, isDev: isBuild })
}
