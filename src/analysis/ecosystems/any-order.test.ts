import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fixturesOf } from '#test/fixture-folders.ts'
import { fixtureRegistries } from '#test/registries/fixture-registries.ts'
import type { Registries } from '../registries/registries.ts'
import { ecosystems } from './index.ts'

const ROUNDS = 3
const options = { includeDev: true, repositories: [], limits: { maxNodes: 1_000 } }

/** Delays each registry answer by up to four milliseconds, derived from a seed. */
function inAnyOrder(registries: Registries, seed: number): Registries {
  let state = seed
  const delay = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state % 5
  }
  const late = (reader: object) =>
    new Proxy(reader, {
      get(target, name) {
        const member = Reflect.get(target, name) as unknown
        if (typeof member !== 'function') return member
        return async (...parameters: unknown[]) => {
          await sleep(delay())
          return Reflect.apply(member, target, parameters) as unknown
        }
      },
    })
  const all = Object.entries(registries as unknown as Record<string, object>)
  return Object.fromEntries(all.map(([kind, reader]) => [kind, late(reader)])) as unknown as Registries
}

describe('results with registry responses in random order', () => {
  for (const ecosystem of ecosystems) {
    const fixtures = fixturesOf(ecosystem.id)
    const cases = readdirSync(fixtures).filter((name) => existsSync(path.join(fixtures, name, 'registry.json')))
    for (const name of cases) {
      test(`${ecosystem.id} ${name}: the same result in every order of registry responses`, async () => {
        const folder = path.join(fixtures, name)
        const text = (file: string) => readFileSync(path.join(folder, file), 'utf8')
        const files = readdirSync(folder).filter((file) => !['expected.json', 'registry.json'].includes(file))
        files.sort((a, b) => Number(ecosystem.manifestName.test(b)) - Number(ecosystem.manifestName.test(a)))
        const [target, ...additional] = files.map(text)
        const registries = fixtureRegistries(ecosystem.registry, JSON.parse(text('registry.json')))
        const read = (from: Registries) => ecosystem.read({ target: target!, additional }, from, options)
        const atOnce = JSON.stringify(await read(registries))
        const late = Array.from({ length: ROUNDS }, (_, round) => read(inAnyOrder(registries, round + 1)))
        for (const reading of await Promise.all(late)) assert.equal(JSON.stringify(reading), atOnce)
      })
    }
  }
})
