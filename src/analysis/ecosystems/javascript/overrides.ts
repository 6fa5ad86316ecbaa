import semver from 'semver'
import { isObject, type JsonObject, objectAt, ownValue, shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { parseSpec, splitAtVersion } from './spec.ts'

/** A key of `overrides` with its nested rules; the root rule stands for the whole member. */
export interface OverrideRule {
  readonly parent: OverrideRule | undefined
  readonly name: string
  /** The versions to which the key applies; `*` for all. */
  readonly keyRange: string
  /** The replacement; equal to `keyRange` for a key that only scopes others. */
  readonly value: string
  readonly children: readonly OverrideRule[]
}

interface GrowingRule extends OverrideRule {
  readonly children: OverrideRule[]
}

const maxDepth = 50
const maxRules = 2_000
/** Maximum number of keys for versions of one package: each is compared with every range. */
const maxKeysOfOneName = 20
const longestRange = 1_000

/**
 * Parses the root project's `overrides`, replacing `$name` with the project's own range (npm documentation:
 * package.json, overrides).
 */
export function parseOverrides(
  overrides: JsonObject | undefined,
  document: JsonObject,
  file: 'target' | number,
): OverrideRule | undefined {
  if (overrides === undefined) return undefined
  const root: GrowingRule = { parent: undefined, name: '', keyRange: '*', value: '*', children: [] }
  const open = [{ rule: root, members: overrides, depth: 1 }]
  let rules = 0
  for (const { rule, members, depth } of open) {
    if (depth > maxDepth) throw new Unreadable(`"overrides" exceeds the depth limit of ${maxDepth}`, { file })
    const keysByName = new Map<string, number>()
    for (const [key, value] of Object.entries(members)) {
      if (key === '.') continue
      const { name, rest } = splitAtVersion(key)
      keysByName.set(name, (keysByName.get(name) ?? 0) + 1)
      if (++rules > maxRules || keysByName.get(name)! > maxKeysOfOneName) {
        const message = `"overrides" has more than ${maxRules} rules, or more than ${maxKeysOfOneName} for one package`
        throw new Unreadable(message, { file })
      }
      const keyRange = rest === '' ? '*' : rest
      const own = isObject(value) ? ownValue(value, '.') : value
      if (own !== undefined && typeof own !== 'string') {
        throw new Unreadable(`"overrides" must give a string for "${shorten(key)}"`, { file })
      }
      const child: GrowingRule = {
        parent: rule,
        name,
        keyRange,
        value: own === undefined ? keyRange : referred(own === '' ? '*' : own, document, file),
        children: [],
      }
      rule.children.push(child)
      if (isObject(value)) open.push({ rule: child, members: value, depth: depth + 1 })
    }
  }
  return root.children.length === 0 ? undefined : root
}

/** Returns the rule for a dependency below `rule`, or `rule` itself, which then applies further below. */
export function ruleFor(rule: OverrideRule, name: string, range: string): OverrideRule {
  const keys = new Set<string>()
  for (let scope: OverrideRule | undefined = rule; scope !== undefined; scope = scope.parent) {
    for (const candidate of scope.parent === undefined ? scope.children : [...scope.children, scope]) {
      if (candidate.name !== name) continue
      const key = `${candidate.name}@${candidate.keyRange}`
      if (keys.has(key)) continue
      keys.add(key)
      if (appliesTo(candidate, name, range)) return candidate
    }
  }
  return rule
}

/** Returns the dependency's range under its rule. */
export function overriddenRange(rule: OverrideRule, name: string, range: string): string {
  return rule.name === name && rule.value !== '*' ? rule.value : range
}

/**
 * Returns every overridden package, with the value if its only rule is unscoped and for all versions; undefined if it
 * depends on the place.
 */
export function overriddenPackages(root: OverrideRule): Map<string, string | undefined> {
  const packages = new Map<string, string | undefined>()
  const open = [...root.children]
  for (const rule of open) {
    const isOnly = !packages.has(rule.name) && rule.parent === root && rule.keyRange === '*'
    if (packages.has(rule.name) || rule.value !== '*') packages.set(rule.name, isOnly ? rule.value : undefined)
    open.push(...rule.children)
  }
  return packages
}

function appliesTo(rule: OverrideRule, name: string, range: string): boolean {
  if (rule.keyRange === '*') return true
  const { selector, elsewhere } = parseSpec(name, range)
  if (elsewhere !== undefined || semver.validRange(selector, { loose: true }) === null) return true
  if (rule.keyRange.length > longestRange) return false
  try {
    return semver.intersects(selector, rule.keyRange, { loose: true })
  } catch {
    return false
  }
}

function referred(value: string, document: JsonObject, file: 'target' | number): string {
  if (!value.startsWith('$')) return value
  const name = value.slice(1)
  const where = { file, entry: '' }
  for (const key of ['devDependencies', 'optionalDependencies', 'dependencies', 'peerDependencies']) {
    const range = ownValue(objectAt(document, key, where) ?? {}, name)
    if (typeof range === 'string') return range
  }
  throw new Unreadable(`"overrides" refers to "${shorten(value)}", which the file does not depend on`, { file })
}
