import {
  areEqual,
  type Key,
  type Setting,
  type SourcePosition,
  toList,
  toUnknown,
  type Value,
  whyUnknown,
} from './values.ts'

/** The settings of a build by scope: a project, the whole build (`ThisBuild`), or everywhere (`Global`). */
export interface Settings {
  add(owner: string, setting: Setting): void
  /** Returns a key's value in a project; undefined if it is not set. */
  valueIn(axis: string, name: string): Value | undefined
  /** Returns the value in the currently evaluated project. */
  current(key: Key): Value | undefined
  /** Returns the places that set an unsupported key in a project or its build, except for tests. */
  placesOf(axis: string, name: string): readonly SourcePosition[]
  /** Returns true if a project itself or the build sets the key. */
  isSet(axis: string, name: string): boolean
}

export interface SettingsParts {
  /** Project axis of the root folder. */
  readonly root: string
  defaultOf(name: string, axis: string): Value | undefined
}

/** Keys that count for the project in any configuration or task: tests more, never less. */
const unscoped = new Set(['libraryDependencies', 'resolvers'])

/** Follows sbt's delegation: from a project to `ThisBuild` to `Global`, and from a configuration to none. */
export function createSettings({ root, defaultOf }: SettingsParts): Settings {
  const byAxis = new Map<string, Map<string, Setting[]>>()
  const cache = new Map<string, Value | undefined>()
  const underway = new Map<string, Value | undefined>()
  let at = root

  function axisOf(project: string | undefined, owner: string): string {
    if (project === undefined) return owner
    return project === '.' ? root : project
  }

  function resolve(axis: string, key: Key): Value | undefined {
    const { name, axes } = key
    if (axes.length > 0 && !unscoped.has(name)) {
      for (const ancestor of chainOf(axis)) {
        const text = textOf(key)
        if (byAxis.get(ancestor)?.has(text)) return compute(ancestor, text, name)
      }
    }
    return find(chainOf(axis), name, axis)
  }

  /** Returns the value of the first axis that sets the key. */
  function find(chain: readonly string[], name: string, axis: string): Value | undefined {
    for (const ancestor of chain) if (byAxis.get(ancestor)?.has(name)) return compute(ancestor, name, name)
    return defaultOf(name, axis)
  }

  function compute(axis: string, text: string, name: string): Value | undefined {
    const id = `${axis}\n${text}`
    if (cache.has(id)) return cache.get(id)
    const before = () => find(chainOf(axis).slice(1), name, axis)
    if (underway.has(id)) {
      // A setting that refers to itself gets its previous value; an indirect reference is a cycle.
      if ([...underway.keys()].at(-1) === id) return underway.get(id) ?? before()
      return toUnknown(`${name} depends on itself`, byAxis.get(axis)!.get(text)!.at(-1)!.place)
    }
    const outer = at
    at = axis
    let value: Value | undefined
    try {
      for (const setting of byAxis.get(axis)!.get(text)!) {
        underway.set(id, value)
        value = apply(setting, () => value ?? before())
      }
    } finally {
      underway.delete(id)
      at = outer
    }
    if (underway.size === 0) cache.set(id, value)
    return value
  }

  return {
    add(owner, setting) {
      const axis = axisOf(setting.key.project, owner)
      const keys = byAxis.get(axis) ?? new Map<string, Setting[]>()
      const text = textOf(setting.key)
      keys.set(text, [...(keys.get(text) ?? []), setting])
      byAxis.set(axis, keys)
    },
    valueIn: (axis, name) => resolve(axis, { name, project: undefined, axes: [] }),
    current: (key) => resolve(axisOf(key.project, at), key),
    placesOf(axis, name) {
      const settings = chainOf(axis).flatMap((ancestor) => [...(byAxis.get(ancestor)?.values() ?? [])].flat())
      const isOfTests = ({ key }: Setting) => key.axes.some((ax) => /test/i.test(ax))
      return settings.flatMap((setting) => (setting.key.name === name && !isOfTests(setting) ? setting.place : []))
    },
    isSet: (axis, name) => chainOf(axis).some((ancestor) => byAxis.get(ancestor)?.has(name)),
  }
}

function textOf({ name, axes }: Key): string {
  return axes.length === 0 || unscoped.has(name) ? name : `${axes.join('/')}/${name}`
}

function chainOf(axis: string): readonly string[] {
  if (axis === 'Global') return [axis]
  return axis === 'ThisBuild' ? [axis, 'Global'] : [axis, 'ThisBuild', 'Global']
}

function apply({ operator, read, place }: Setting, before: () => Value | undefined): Value {
  const right = read()
  if (operator === ':=' || operator === '=') return right
  const left = before() ?? toUnknown('nothing says what it was before', place)
  if (operator === '~=') return right.kind === 'function' ? right.call([left]) : toUnknown(whyUnknown(right), place)
  const items = left.kind === 'list' ? left.items : [left]
  if (operator === '+=') return toList([...items, right])
  if (operator === '++=') return toList([...items, ...(right.kind === 'list' ? right.items : [right])])
  const removed = operator === '-=' || right.kind !== 'list' ? [right] : right.items
  return toList(items.filter((item) => !removed.some((other) => areEqual(item, other))))
}
