import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { fixturesOf } from '#test/fixture-folders.ts'
import { fixtureRegistries } from '#test/registries/fixture-registries.ts'
import type { Reading } from './ecosystem.ts'
import { ecosystems } from './index.ts'

/**
 * Golden cases: `<ecosystem>/fixtures/<case>/` holds the sent files (the target matches `manifestName`, or is a single
 * lockfile), `registry.json` if something must be resolved, and `expected.json`, which begins with the reason for the
 * case. `UPDATE_FIXTURES=1` writes the current result; review the difference before committing.
 */
interface Expected {
  readonly why: string
  readonly includeDev?: boolean
}

describe('fixtures of ecosystems', () => {
  test('every folder of fixtures belongs to an ecosystem', () => {
    const folders = globSync('**/fixtures', { cwd: import.meta.dirname }).map((folder) =>
      path.basename(path.dirname(folder)),
    )
    assert.deepEqual(folders.sort(), ecosystems.map(({ id }) => id).sort())
  })

  for (const ecosystem of ecosystems) {
    const fixtures = fixturesOf(ecosystem.id)
    for (const name of readdirSync(fixtures)) {
      const folder = path.join(fixtures, name)
      const expected = readJson(folder, 'expected.json') as Expected
      test(`${ecosystem.id} ${name}: ${expected.why}`, async () => {
        const files = readdirSync(folder).filter((file) => !['expected.json', 'registry.json'].includes(file))
        files.sort((a, b) => Number(ecosystem.manifestName.test(b)) - Number(ecosystem.manifestName.test(a)))
        const [target, ...additional] = files.map((file) => readFileSync(path.join(folder, file), 'utf8'))
        const options = { includeDev: expected.includeDev ?? false, repositories: [], limits: { maxNodes: 1_000 } }
        const content = existsSync(path.join(folder, 'registry.json')) ? readJson(folder, 'registry.json') : undefined
        const registries = fixtureRegistries(ecosystem.registry, content)
        const reading = await ecosystem.read({ target: target!, additional }, registries, options)
        const { why, includeDev } = expected
        const actual = { why, ...(includeDev === undefined ? {} : { includeDev }), ...toPlain(reading) }
        if (process.env['UPDATE_FIXTURES'] === '1') {
          writeFileSync(path.join(folder, 'expected.json'), `${JSON.stringify(actual, null, 2)}\n`)
        }
        assert.deepEqual(actual, readJson(folder, 'expected.json'))
      })
    }
  }
})

/** Formats the graph as readable lines: the requiring package, the range, and the result. */
function toPlain({ graph, unresolved, ...rest }: Reading) {
  const labels = graph.nodes.map(({ package: { name, version } }, index) =>
    index === 0 ? 'project' : `${name}@${version}`,
  )
  const unique = labels.map((label, index) => {
    const before = labels.slice(0, index).filter((other) => other === label).length
    return before === 0 ? label : `${label} (${before + 1})`
  })
  const edges = graph.nodes.flatMap((node, from) =>
    node.edges.map(({ kind, range, to }) => `${unique[from]} ${kind} ${range} → ${unique[to]}`),
  )
  const licenses = graph.nodes.flatMap(({ license }, index) =>
    license === undefined ? [] : [`${unique[index]} ${license}`],
  )
  const nodeFacts = graph.nodes.flatMap(({ advisoryNames, commit, isVersionGuessed, packages }, index) => {
    const facts = [
      isVersionGuessed && 'guessed',
      commit && `commit ${commit}`,
      advisoryNames && `also ${advisoryNames.join(' ')}`,
      packages && `packages ${packages.join(' ') || 'none'}`,
    ]
    return facts.some(Boolean) ? [[unique[index], ...facts.filter(Boolean)].join(', ')] : []
  })
  const { name, version } = graph.nodes[0]!.package
  return {
    project: [name, version],
    packages: unique.slice(1),
    edges,
    licenses,
    ...(nodeFacts.length > 0 && { known: nodeFacts }),
    unresolved,
    ...rest,
  }
}

function readJson(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
}
