import type { Random } from './random.ts'

type Container = Record<string, unknown> | unknown[]
type ValuePosition = readonly [holder: Container, key: string | number]

const values: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e21, '', ' ', '*', '1.0.0', 'latest', '^1', '__proto__', [], {}, [[]], [null]],
  ...[{ '': '' }, { constructor: 1 }, ['a', 'b'], { name: 'a', version: '1.0.0' }, 'file:a', 'npm:b@1', '\ud800'],
]
const keys = ['__proto__', 'constructor', 'toString', '', 'version', 'dependencies', 'name', 'a', '\0', 'x'.repeat(300)]
const LONGEST = 40_000

/** A JSON document with one place changed; text that is no such document stays as it is. */
export function mutateJson(text: string, random: Random): string {
  if (text.length > LONGEST || !/^\s*[[{]/.test(text)) return text
  try {
    const root = { document: JSON.parse(text) as unknown }
    change(root, random)
    return JSON.stringify(root.document) ?? ''
  } catch {
    return text
  }
}

function change(root: Record<string, unknown>, random: Random): void {
  const [holder, key] = placeIn(root, random)
  const value = read(holder, key)
  const what = random.below(8)
  if (what === 0) write(holder, key, structuredClone(random.pick(values)))
  else if (what === 1) remove(holder, key)
  else if (what === 2) write(holder, key, structuredClone(read(...placeIn(root, random))))
  else if (what === 3) write(holder, key, [value])
  else if (what === 4) write(holder, key, { [random.pick(keys)]: value })
  else if (what === 5) write(holder, key, String(value))
  else if (isContainer(value) && !Array.isArray(value)) {
    const name = random.below(2) === 0 ? random.pick(keys) : String(placeIn(root, random)[1])
    write(value, name, structuredClone(what === 6 ? random.pick(values) : read(...placeIn(root, random))))
  } else write(holder, key, structuredClone(random.pick(values)))
}

/** Walks down from the top, so that what lies high is met as often as what lies deep. */
function placeIn(root: Container, random: Random): ValuePosition {
  let place: ValuePosition = [root, 'document']
  for (;;) {
    const value = read(...place)
    if (!isContainer(value)) return place
    const names = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
    if (names.length === 0 || random.below(4) === 0) return place
    place = [value, random.pick<string | number>(names)]
  }
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function read(holder: Container, key: string | number): unknown {
  return (holder as Record<string | number, unknown>)[key]
}

function remove(holder: Container, key: string | number): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
}

/** As JSON.parse does it, also for `__proto__`. */
function write(holder: Container, key: string | number, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}
