import { isDeepStrictEqual } from 'node:util'
import type { Registries } from '../../src/analysis/registries/registries.ts'
import type { Input, Target } from './input.ts'
import type { Fault } from './messages.ts'

export type Outcome = 'read' | 'refused' | Pick<Fault, 'kind' | 'message' | 'key'>

const LONGEST_MS = 1_000
const prototypes = [Object, Array, Function, String, Number, RegExp, Map, Set, Promise, Error].map(
  ({ prototype }) => prototype as object,
)

/** Runs a target on inputs and judges what happens; `slowestMs` is processor time of this thread. */
export function createExecutor(target: Target, worlds: readonly Registries[]) {
  const whole = new Map(prototypes.map((prototype) => [prototype, new Set(Reflect.ownKeys(prototype))]))
  let slowestMs = 0

  async function once({ texts, world }: Input): Promise<{ outcome: Outcome; result: unknown }> {
    const registries = worlds[world]
    const before = process.threadCpuUsage()
    let outcome: Outcome = 'read'
    let result: unknown
    try {
      result = target.run(texts, registries)
      if (result instanceof Promise) result = await result
    } catch (error) {
      outcome = target.isRefusal(error) ? 'refused' : toFault(error)
      result = error instanceof Error ? error.message : error
    }
    const { user, system } = process.threadCpuUsage(before)
    const ms = (user + system) / 1_000
    slowestMs = Math.max(slowestMs, ms)
    if (ms > LONGEST_MS) outcome = { kind: 'too slow', message: `${Math.round(ms)} ms`, key: 'too slow' }
    const changed = restorePrototypes(whole)
    if (changed !== undefined) outcome = { kind: 'changed a prototype', message: changed, key: 'prototype' }
    return { outcome, result }
  }

  return {
    once: async (input: Input) => (await once(input)).outcome,
    async twice(input: Input): Promise<Outcome> {
      const first = await once(input)
      if (typeof first.outcome === 'object') return first.outcome
      const second = await once(input)
      if (first.outcome === second.outcome && isDeepStrictEqual(first.result, second.result)) return first.outcome
      return { kind: 'not the same twice', message: '', key: 'not the same twice' }
    },
    slowestMs: () => slowestMs,
  }
}

/** Removes properties that an input added to prototypes, which would affect the next input. Returns the last one. */
function restorePrototypes(whole: ReadonlyMap<object, ReadonlySet<string | symbol>>): string | undefined {
  let added: string | undefined
  for (const [prototype, keys] of whole) {
    const now = Reflect.ownKeys(prototype)
    if (now.length === keys.size) continue
    for (const key of now.filter((name) => !keys.has(name))) {
      added = `${prototype.constructor.name}.prototype.${String(key)}`
      Reflect.deleteProperty(prototype, key)
    }
  }
  return added
}

/** Converts an error to a fault. The place where the error was thrown identifies the bug. */
function toFault(error: unknown): Outcome {
  if (!(error instanceof Error)) return { kind: 'threw', message: String(error), key: String(error) }
  const frames = (error.stack ?? '').split('\n').filter((line) => /\/src\/|-targets\.ts/.test(line))
  const place = /[^/]+\.ts:\d+/.exec(frames[0] ?? '')?.[0] ?? ''
  const message = error.message.slice(0, 300)
  return {
    kind: 'threw',
    message: `${error.name}: ${message} (${place})`,
    key: `${error.name} ${place === '' ? message : place}`,
  }
}
