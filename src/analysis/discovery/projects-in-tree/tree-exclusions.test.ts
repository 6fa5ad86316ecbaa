import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Tree } from './tree.ts'
import { readTreeExclusions } from './tree-exclusions.ts'

function treeOf(files: Readonly<Record<string, string>>): Tree {
  return {
    paths: new Set(Object.keys(files)),
    read: async (paths) => new Map(paths.flatMap((path) => (files[path] ? [[path, files[path]] as const] : []))),
  }
}

const at = Date.UTC(2030, 0, 1)
const globally = (...patterns: string[]) =>
  `version: v1.25.0\nexclude:\n  global:\n${patterns.map((pattern) => `    - ${pattern}\n`).join('')}`

async function excluded(files: Readonly<Record<string, string>>, paths: readonly string[], setting = 'allow' as const) {
  const exclusions = await readTreeExclusions(treeOf(files), { setting, at, isLeftOut: () => false })
  return { paths: paths.filter((path) => exclusions.excludedBy(path) !== undefined), notes: exclusions.notes }
}

describe('exclusions of policy files', () => {
  const paths = ['package.json', 'old/package.json', 'app/old/pom.xml', 'app/new/pom.xml', 'older/go.mod']

  const patterns: readonly (readonly [pattern: string, excluded: readonly string[]])[] = [
    ['old', ['old/package.json', 'app/old/pom.xml']],
    ['old/', ['old/package.json', 'app/old/pom.xml']],
    ['/old', ['old/package.json']],
    ['./old', ['old/package.json']],
    ['app/*', ['app/old/pom.xml', 'app/new/pom.xml']],
    ['app/*/pom.xml', ['app/old/pom.xml', 'app/new/pom.xml']],
    ["'**/old/**'", ['old/package.json', 'app/old/pom.xml']],
    ["'old*'", ['old/package.json', 'app/old/pom.xml', 'older/go.mod']],
    ['package.json', ['package.json', 'old/package.json']],
    ['package.json/', []],
    ['pom', []],
    ["'./'", []],
    ['.', []],
    ["'*'", ['package.json', 'old/package.json', 'app/old/pom.xml', 'app/new/pom.xml', 'older/go.mod']],
    ["'{old,older}'", ['old/package.json', 'app/old/pom.xml', 'older/go.mod']],
    ["'app/{new,x}/'", ['app/new/pom.xml']],
  ]
  for (const [pattern, expected] of patterns) {
    test(`exclusion pattern ${pattern} excludes ${expected.length === 0 ? 'nothing' : expected.join(' and ')}`, async () => {
      assert.deepEqual((await excluded({ '.snyk': globally(pattern) }, paths)).paths, expected)
    })
  }

  test('exclusions apply in and below the folder of their policy file', async () => {
    const files = { 'app/.snyk': globally('old', '/new') }
    assert.deepEqual((await excluded(files, paths)).paths, ['app/old/pom.xml', 'app/new/pom.xml'])
  })

  test('exclusions expire', async () => {
    const until = (day: string) => globally(`old:\n        expires: ${day}`)
    assert.deepEqual((await excluded({ '.snyk': until('2029-12-31') }, paths)).paths, [])
    assert.equal((await excluded({ '.snyk': until('2030-01-02') }, paths)).paths.length, 2)
  })

  test('unreadable, forbidden or unreasoned exclusions exclude nothing, with a note', async () => {
    const broken = await excluded({ '.snyk': 'exclude: [' }, paths)
    assert.deepEqual(broken.paths, [])
    assert.match(broken.notes[0]!, /^\.snyk: Not applied: Invalid YAML/)
    const files = treeOf({ '.snyk': globally('old', 'app:\n        reason: known') })
    for (const [setting, count, note] of [
      ['forbid', 0, /2 of its exclusions .* forbids policy files/],
      ['require-reason', 2, /1 of its exclusions .* requires a reason/],
    ] as const) {
      const { excludedBy, notes } = await readTreeExclusions(files, { setting, at, isLeftOut: () => false })
      assert.equal(paths.filter((path) => excludedBy(path)).length, count)
      assert.match(notes.join(), note)
    }
    const missing: Tree = { paths: new Set(['.snyk']), read: async () => new Map() }
    const link = await readTreeExclusions(missing, { setting: 'allow', at, isLeftOut: () => false })
    assert.match(link.notes[0]!, /\.snyk could not be read/)
  })

  test('exclusions that take more steps than a tree has: applied to none of the further files, with a note', async () => {
    const many = Array.from({ length: 5_000 }, (_, n) => `${n}/${'a/'.repeat(100)}pom.xml`)
    const heavy = Array.from({ length: 199 }, (_, n) => `'${'**/*a*/'.repeat(20)}z${n}'`)
    const { paths: applied, notes } = await excluded({ '.snyk': globally(...heavy, "'*.xml'") }, many)
    assert.equal(applied.length < many.length, true)
    assert.match(notes.join(), /patterns of the policy files and workspaces take more than 20,000,000 steps/)
  })

  test('more than 100 policy files: those nearest to the root are read, with a note', async () => {
    const files = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`d${n}/.snyk`, globally('x')]))
    const { paths: remaining, notes } = await excluded({ ...files, '.snyk': globally('old') }, paths)
    assert.equal(remaining.length, 2)
    assert.match(notes[0]!, /Of 102 policy files, the first 100/)
  })
})
