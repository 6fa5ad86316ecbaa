import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { volume } from '#test/volume.ts'
import { noResolutions } from '../resolutions.ts'
import { readBunLock } from './bun-lock.ts'

test('bun.lock: a dependency is the nearest package above its dependent, or beside it', () => {
  const name = fc.constantFrom('a', 'b', 'c', '@s/a', '@s/b')
  const place = fc.array(name, { minLength: 1, maxLength: 4 })
  const places = fc.uniqueArray(place, { minLength: 1, maxLength: 12, selector: (names) => names.join('/') })
  fc.assert(
    fc.property(places, name, (all, dependency) => {
      const keys = all.map((names) => names.join('/'))
      const info = { dependencies: { [dependency]: '*' } }
      // The version tells the place.
      const packages = Object.fromEntries(keys.map((key, at) => [key, [`${all[at]!.at(-1)}@1.0.${at}`, '', info, '']]))
      const lock = readBunLock(JSON.stringify({ lockfileVersion: 1, workspaces: {}, packages }), 'target')
      for (const [at, names] of all.entries()) {
        const entry = lock.entries.find(({ version }) => version === `1.0.${at}`)!
        const { entries } = lock.find(entry, entry.dependencies[0]!, noResolutions)
        const above = names.map((_, count) => [...names.slice(0, names.length - count), dependency].join('/'))
        const nearest = [...above, dependency].find((key) => keys.includes(key))
        const actual = entries.map(({ version }) => keys[Number(version!.slice('1.0.'.length))])
        assert.deepEqual(actual, nearest === undefined ? [] : [nearest], `${keys[at]} requires ${dependency}: ${keys}`)
      }
    }),
    { numRuns: volume(1_000) },
  )
})
