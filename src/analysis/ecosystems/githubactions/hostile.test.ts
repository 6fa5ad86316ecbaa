import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { githubactions } from './index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 10 } }
const read = (target: string) => githubactions.read({ target, additional: [] }, noRegistries, options)
const withSteps = (steps: string) => `on: push\njobs:\n  a:\n    runs-on: x\n    steps:${steps}`
const withUses = (text: string) => withSteps(`\n      - uses: ${text}\n`)

const refused: readonly [title: string, text: string, message: RegExp][] = [
  ['a list of jobs', 'on: push\njobs:\n  - uses: a/b@v1.0.0\n', /"?jobs"? is not a map/],
  ['no jobs', 'on: push\njobs:\n', /jobs is not a map/],
  ['a job that is a text', 'on: push\njobs:\n  a: b\n', /a job is not a map/],
  ['steps that are a map', withSteps('\n      uses: a/b@v1.0.0\n'), /"steps" is not a list/],
  ['no steps', withSteps('\n'), /"steps" is not a list/],
  ['a step that is a text', withSteps('\n      - a/b@v1.0.0\n'), /a step is not a map/],
  ['several uses in one step', withSteps('\n      - uses: [a/b@v1.0.0]\n'), /"uses" is not a text/],
  ['a key twice', withSteps('\n      - uses: a/b@v1.0.0\n        uses: a/b@v2.0.0\n'), /duplicated/],
  ['two documents', `${withUses('a/b@v1.0.0')}---\n${withUses('a/b@v1.0.0')}`, /several documents/],
  ['an unknown alias', withSteps(' *x\n'), /unresolved alias/],
  ['a recursive alias', withSteps(' &x\n      - *x\n'), /unresolved alias/],
  ['a merge key', withSteps('\n      - &x { uses: a/b@v1.0.0 }\n      - <<: *x\n'), /no merge keys/],
  ['a tab', withSteps('\n\t- uses: a/b@v1.0.0\n'), /Invalid YAML/],
  ['an open quote at its end', withUses('"a/b@v1.0.0'), /Invalid YAML/],
  ['marks of a merge', `<<<<<<< HEAD\n${withUses('a/b@v1.0.0')}=======\n>>>>>>> x\n`, /conflict/],
  [
    '11 actions',
    withSteps(`\n${Array.from({ length: 11 }, (_, n) => `      - uses: a/b@v1.0.${n}\n`).join('')}`),
    /10/,
  ],
  ['more than a million characters', `${withUses('a/b@v1.0.0')}#${' '.repeat(1_000_000)}`, /exceeds 1000000/],
]

describe('damaged workflows', () => {
  for (const [title, text, message] of refused)
    test(`workflow with ${title}: refused`, async () => {
      await assert.rejects(read(text), message)
    })

  for (const text of [
    'a/b',
    'a/b@',
    '@v1.0.0',
    'b@v1.0.0',
    'a/b@v1',
    'a/b@1.0',
    '../a@v1.0.0',
    `a/b@${'1'.repeat(39)}`,
  ])
    test(`workflow that uses ${text}: reported as unresolved`, async () => {
      const { graph, unresolved } = await read(withUses(`"${text}"`))
      assert.deepEqual([graph.nodes.length, unresolved.length], [1, 1])
      assert.equal(unresolved[0]!.line, 6)
    })
})
