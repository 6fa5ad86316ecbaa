import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fixturesOf } from '#test/fixture-folders.ts'
import { fixtureRegistries } from '#test/registries/fixture-registries.ts'
import { ecosystems } from './index.ts'
import { readLockfile } from './jvm/gradle/lockfile.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 1_000 } }

for (const ecosystem of ecosystems) {
  const fixtures = fixturesOf(ecosystem.id)
  for (const name of readdirSync(fixtures)) {
    const folder = path.join(fixtures, name)
    const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')
    const names = readdirSync(folder).filter((file) => !['expected.json', 'registry.json'].includes(file))
    names.sort((a, b) => Number(ecosystem.manifestName.test(b)) - Number(ecosystem.manifestName.test(a)))
    const texts = names.map(read)
    const isMarked = (text: string) => text.startsWith('{')
    if (!texts.some(isMarked)) continue
    test(`${ecosystem.id} ${name}: JSON with a byte order mark reads as without`, async () => {
      const registry = existsSync(path.join(folder, 'registry.json')) ? JSON.parse(read('registry.json')) : undefined
      const results = [(text: string) => text, (text: string) => (isMarked(text) ? `\uFEFF${text}` : text)].map(
        async (write) => {
          const [target, ...additional] = texts.map(write)
          const manifest = { target: target!, additional }
          const reading = await ecosystem.read(manifest, fixtureRegistries(ecosystem.registry, registry), options)
          const located = (await ecosystem.locate?.(manifest)) ?? []
          return { reading, located: located.map(({ name: of, line, range }) => [of, line, range?.text]) }
        },
      )
      assert.deepEqual(await results[1], await results[0])
    })
  }
}

test('dependencies.lock: a byte order mark is skipped', () => {
  const text = '\uFEFF{"compileClasspath":{"g:a":{"locked":"1.2"}}}'
  assert.deepEqual(readLockfile({ file: 0, text }), [{ name: 'g:a', version: '1.2', isDev: false }])
})
