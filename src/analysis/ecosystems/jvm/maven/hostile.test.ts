import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { type Reading, RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { MavenReader } from '#analysis/registries/maven.ts'
import { type MavenContent, mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { type ShortPom, toPomXml } from '#test/registries/short-poms.ts'
import { maven } from './index.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 } }
const project = (pom: ShortPom) => toPomXml('org.example:project:1', pom)

function read(target: string, content: MavenContent | MavenReader = {}, ...additional: string[]): Promise<Reading> {
  const reader = isReader(content) ? content : mavenReaderOf(content)
  return maven.read({ target, additional }, registriesOf({ maven: reader }), options)
}

function isReader(content: MavenContent | MavenReader): content is MavenReader {
  return typeof content['pom'] === 'function'
}

const packagesOf = ({ graph }: Reading) =>
  graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
const codesOf = ({ unresolved }: Reading) => unresolved.map(({ name, code }) => `${name} ${code}`)

describe('refused Maven files', () => {
  const fine = project({})
  const cases: [why: string, files: [string, ...string[]], message: RegExp, file: 'target' | number, line?: number][] =
    [
      ['empty', [' '], /empty, so it is not a pom\.xml/, 'target', 1],
      ['truncated', [fine.slice(0, -5)], /unterminated end tag/, 'target', 4],
      ['another kind of XML', ['<metadata/>'], /not a pom\.xml .*its root element is <metadata>/, 'target', 1],
      [
        'a page, as additional file',
        [fine, '<html><body>x</body></html>'],
        /This is an HTML page, not one of pom\.xml, maven\.config/,
        0,
      ],
      ['a build.gradle', [fine, fine, 'plugins { id "java" }'], /This is a build script of Gradle/, 1],
      ['nested deeply', [`<project>${'<a>'.repeat(200_000)}`], /depth limit of 100/, 'target', 1],
      ['brackets of 10 MB in one line', [`<project>${'<'.repeat(10_000_000)}`], /unterminated tag/, 'target', 1],
    ]
  for (const [why, [target, ...additional], message, file, line] of cases) {
    test(`Maven file is refused: ${why}`, async () => {
      await assert.rejects(read(target, {}, ...additional), (error) => {
        assert.ok(error instanceof Unreadable, String(error))
        assert.match(error.message, message)
        assert.deepEqual([error.file, error.line], [file, line])
        return true
      })
    })
  }
})

describe('odd POMs', () => {
  test('pom.xml: an entity bomb has no effect, and dependencies that use it are reported', async () => {
    const levels = Array.from({ length: 60 }, (_, level) => `<!ENTITY l${level + 1} "&l${level};&l${level};">`)
    const bomb = `<!DOCTYPE project [<!ENTITY l0 "1">${levels.join('')}]>`
    const reading = await read(bomb + project({ dependencies: ['g:a:&l60;'] }))
    assert.deepEqual(codesOf(reading), ['g:a not-in-registry'])
  })

  test('pom.xml: properties that double each other are resolved up to a limit, beyond it reported', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `p${index}`)
    const properties = Object.fromEntries(names.map((name, index) => [name, `\${p${index + 1}}\${p${index + 1}}`]))
    const reading = await read(
      project({ properties: { ...properties, p60: '1' }, dependencies: ['g:a:${p0}', 'g:b:${p58}'] }),
      { 'g:b:1111': {} },
    )
    assert.deepEqual(packagesOf(reading), ['g:b@1111'])
    assert.deepEqual(codesOf(reading), ['g:a not-static'])
  })

  test('pom.xml: properties in cycles are reported', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `p${index}`)
    const all = names.map((name) => `\${${name}}`).join('')
    const properties = Object.fromEntries(names.map((name) => [name, all]))
    assert.deepEqual(codesOf(await read(project({ properties, dependencies: ['g:a:${p3}'] }))), ['g:a not-static'])
  })

  test('pom.xml: names of object members are ordinary names', async () => {
    const properties = { __proto__: 'x', constructor: '1' }
    const content = { 'constructor:toString:1': {}, '__proto__:hasOwnProperty:1': {} }
    const target = project({
      properties: JSON.parse(`{"__proto__":"1","constructor":"1","x":"${properties.constructor}"}`),
      dependencies: ['constructor:toString:${constructor}', '__proto__:hasOwnProperty:${__proto__}', 'g:a:${toString}'],
    })
    const reading = await read(target, content)
    assert.deepEqual(packagesOf(reading), ['constructor:toString@1', '__proto__:hasOwnProperty@1'])
    assert.deepEqual(codesOf(reading), ['g:a not-static'])
  })

  test('pom.xml: coordinates that would change the repository path are not requested', async () => {
    const dependencies = ['..:..:..', 'g/../h:a:1', 'g:a%2f:1', 'g:a:1/../2', 'g:a?b:1', 'g:#:1', ':a:1']
    const nobody = { pom: () => assert.fail('asked'), versions: () => assert.fail('asked') }
    const reading = await read(project({ dependencies }), nobody)
    assert.deepEqual(packagesOf(reading), [])
    assert.equal(reading.unresolved.length, dependencies.length)
  })

  test('pom.xml: a parent that is its own ancestor or the project itself is reported', async () => {
    const loop = { 'g:p:1': { packaging: 'pom', parent: 'g:q:1' }, 'g:q:1': { packaging: 'pom', parent: 'g:p:1' } }
    assert.deepEqual(codesOf(await read(project({ parent: 'g:p:1' }), loop)), ['g:p not-static'])
    assert.deepEqual(codesOf(await read(project({ parent: 'org.example:project:1' }))), [
      'org.example:project not-static',
    ])
  })

  test('pom.xml: a cycle of imports terminates and is reported', async () => {
    const bom = (next: string) => ({ packaging: 'pom', managed: [`g:${next}:1 type=pom scope=import`, 'g:x:1'] })
    const content = { 'g:a:1': bom('b'), 'g:b:1': bom('c'), 'g:c:1': bom('a'), 'g:x:1': {} }
    const reading = await read(project({ managed: ['g:a:1 type=pom scope=import'], dependencies: ['g:x'] }), content)
    assert.deepEqual(packagesOf(reading), ['g:x@1'])
    assert.deepEqual(codesOf(reading), ['g:a not-static'])
  })

  test('pom.xml: a cycle of relocations terminates and is reported', async () => {
    const content = { 'g:a:1': { relocation: 'g:b:1' }, 'g:b:1': { relocation: 'g:a:1' } }
    assert.deepEqual(codesOf(await read(project({ dependencies: ['g:a:1'] }), content)), ['g:a not-static'])
  })

  test('pom.xml: ranges that exclude each other terminate and are reported', async () => {
    const content = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `g:p${index}:1`,
        { dependencies: [`g:x:[1,${40 - index})`, `g:x${index}:[1,2)`] },
      ]),
    )
    const versions = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`g:x:${index + 1}`, {}]))
    const dependencies = Object.keys(content)
    const reading = await read(project({ dependencies }), { ...content, ...versions })
    assert.ok(
      reading.unresolved.some(({ name }) => name === 'g:x'),
      'p39 wants [1,1)',
    )
  })
})

describe('hostile Maven repositories', () => {
  const endless = (below: (number: number) => ShortPom): MavenReader => ({
    pom: async ({ group, artifact, version }) => {
      const number = Number(artifact.slice(1))
      const text = toPomXml(`${group}:${artifact}:${version}`, below(number))
      return { text, repository: 'https://registry.example' }
    },
    versions: async () => ({ versions: ['1'] }),
  })

  test('maven: an endless chain of packages ends at the limit, which is reported', async () => {
    const reader = endless((number) => ({ dependencies: [`g:p${number + 1}:1`] }))
    const reading = await read(project({ dependencies: ['g:p0:1'] }), reader)
    assert.equal(packagesOf(reading).length, 100)
    assert.deepEqual(codesOf(reading), ['g:p100 bound-met'])
    assert.match(reading.boundsMet.join(), /more than 100 packages/)
  })

  test('maven: an endlessly growing tree of packages ends at the limit, which is reported', async () => {
    const below = (number: number) => Array.from({ length: 9 }, (_, index) => `g:p${number * 9 + index + 1}:1`)
    const reading = await read(
      project({ dependencies: ['g:p0:1'] }),
      endless((number) => ({ dependencies: below(number) })),
    )
    assert.equal(packagesOf(reading).length, 100)
    assert.ok(reading.unresolved.every(({ code }) => code === 'bound-met'))
  })

  test('maven: an endless chain of parents ends at the limit, which is reported', async () => {
    const reader = endless((number) => ({ packaging: 'pom', parent: `g:p${number + 1}:1` }))
    const reading = await read(project({ dependencies: ['g:p0:1'] }), reader)
    assert.match(reading.unresolved[0]!.reason, /more than 50 ancestors/)
  })

  test('maven: an endless chain of imports ends at the limit, which is reported', async () => {
    const reader = endless((number) => ({ packaging: 'pom', managed: [`g:p${number + 1}:1 type=pom scope=import`] }))
    const reading = await read(project({ managed: ['g:p0:1 type=pom scope=import'] }), reader)
    assert.deepEqual(
      reading.unresolved.map(({ code }) => code),
      ['bound-met'],
    )
  })

  test('maven: a response with the POM of another package counts as that of the requested one', async () => {
    const liar: MavenReader = {
      pom: async () => ({
        text: toPomXml('evil:other:9', { licenses: ['Free'] }),
        repository: 'https://registry.example',
      }),
      versions: async () => undefined,
    }
    assert.deepEqual(packagesOf(await read(project({ dependencies: ['g:a:1'] }), liar)), ['g:a@1'])
  })

  const garbage: [why: string, text: string][] = [
    ['a page', '<html><body>project</body></html>'],
    ['half a POM', toPomXml('g:a:1', { dependencies: ['g:b:1'] }).slice(0, 200)],
    ['binary data', '\0\x01\x02'],
  ]
  for (const [why, text] of garbage) {
    test(`maven: ${why} instead of a POM is reported`, async () => {
      const reading = await read(project({ dependencies: ['g:a:1'] }), { 'g:a:1': text })
      assert.deepEqual(codesOf(reading), ['g:a not-in-registry'])
    })
  }

  test('maven: metadata that lists versions without POMs is reported', async () => {
    const reader: MavenReader = {
      pom: async () => undefined,
      versions: async () => ({ versions: ['1', '', '../2', '[3]'] }),
    }
    const reading = await read(project({ dependencies: ['g:a:[0,)'] }), reader)
    assert.ok(reading.unresolved.length > 0)
  })

  test('maven: an unreachable repository is reported for every package that needs it, also test dependencies', async () => {
    const reader: MavenReader = {
      pom: () => Promise.reject(new RegistryUnreachable('down')),
      versions: () => Promise.reject(new RegistryUnreachable('down')),
    }
    const target = project({
      parent: 'g:parent:1',
      managed: ['g:bom:1 type=pom scope=import'],
      dependencies: ['g:a:1', 'g:b:[1,2)', 'g:t:1 scope=test'],
    })
    const reading = await maven.read({ target, additional: [] }, registriesOf({ maven: reader }), {
      ...options,
      includeDev: false,
    })
    assert.deepEqual(
      codesOf(reading).sort(),
      ['g:a', 'g:b', 'g:bom', 'g:parent', 'g:t'].map((name) => `${name} registry-unreachable`),
    )
    assert.ok(packagesOf(reading).includes('g:a@1'), 'what is asked for at one version is tested all the same')
  })

  test('maven: more conflicts of ranges than the limit are reported, and one version is kept', async () => {
    const numbers = Array.from({ length: 115 }, (_, index) => index + 1)
    const content: MavenContent = Object.fromEntries([
      ...numbers.map((number) => [`g:shared:${number}`, {}]),
      ...numbers.map((number) => [`g:p${number}:1`, { dependencies: [`g:shared:[1,${116 - number}]`] }]),
    ])
    const target = project({ dependencies: numbers.map((number) => `g:p${number}:1`) })
    const registries = registriesOf({ maven: mavenReaderOf(content) })
    const reading = await maven.read({ target, additional: [] }, registries, { ...options, limits: { maxNodes: 1000 } })
    const kept = packagesOf(reading).find((label) => label.startsWith('g:shared@'))
    assert.match(kept ?? '', /@/)
    assert.notEqual(kept, 'g:shared@1', 'the case is about a version that not all accept')
    assert.ok(codesOf(reading).includes('g:shared bound-met'))
    assert.equal(reading.boundsMet.length, 1)
  })

  test('maven: an internal error is not reported as an unreachable registry', async () => {
    const reader: MavenReader = { pom: () => Promise.reject(new TypeError('ours')), versions: async () => undefined }
    await assert.rejects(read(project({ dependencies: ['g:a:1'] }), reader), TypeError)
  })
})
