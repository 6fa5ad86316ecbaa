import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noGoProxy } from '#test/registries/go-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { gomodules } from './index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }

async function read(target: string, additional: readonly string[] = [], standardLibrary = true) {
  const reading = await gomodules.read({ target, additional }, registriesOf({ go: noGoProxy }), {
    ...options,
    standardLibrary,
  })
  const index = reading.graph.nodes.findIndex(({ package: { name } }) => name === 'stdlib')
  const edge = reading.graph.nodes[0]!.edges.find(({ to }) => to === index)
  return { ...reading, version: reading.graph.nodes[index]?.package.version, place: edge?.declaredAt }
}

describe('version of the standard library of Go', () => {
  const cases = [
    ['only a go line', 'go 1.22.1', '1.22.1', 'go.mod (standard library 1.22.1 by go 1.22.1)', 3],
    [
      'a higher toolchain',
      'go 1.21\n\ntoolchain go1.22.3',
      '1.22.3',
      'go.mod (standard library 1.22.3 by toolchain go1.22.3)',
      5,
    ],
    [
      'a toolchain below the go line, which go raises',
      'go 1.23.4\ntoolchain go1.22.0',
      '1.23.4',
      'go.mod (standard library 1.23.4 by go 1.23.4)',
      3,
    ],
    [
      'a toolchain with a suffix',
      'go 1.21\ntoolchain go1.22.3-custom',
      '1.22.3',
      'go.mod (standard library 1.22.3 by toolchain go1.22.3-custom)',
      4,
    ],
    [
      'the default toolchain',
      'go 1.21.4\ntoolchain default',
      '1.21.4',
      'go.mod (standard library 1.21.4 by go 1.21.4)',
      3,
    ],
    ['neither line', '', undefined, 'go.mod', undefined],
  ] as const
  for (const [title, lines, version, fileRead, line] of cases) {
    test(`go.mod with ${title}: ${version ?? 'no standard library'}`, async () => {
      const reading = await read(`module example.com/p\n\n${lines}\n`)
      assert.deepEqual([reading.version, reading.filesRead, reading.place?.line], [version, [fileRead], line])
    })
  }

  test('member of a workspace: the toolchain of go.work decides, that of the member does not count', async () => {
    const member = 'module example.com/p\n\ngo 1.21\n\ntoolchain go1.25.0\n'
    const reading = await read(member, ['go 1.22.0\n\ntoolchain go1.24.2\n\nuse .\n'])
    assert.equal(reading.version, '1.24.2')
    assert.deepEqual(reading.filesRead, ['go.mod', 'go.work (standard library 1.24.2 by toolchain go1.24.2)'])
    assert.deepEqual(reading.place, { file: 0, line: 3 })
  })

  test('standard library left out: it is counted as excluded', async () => {
    const reading = await read('module example.com/p\n\ngo 1.21\n', [], false)
    assert.deepEqual([reading.version, reading.excluded], [undefined, [{ reason: 'standard-library', packages: 1 }]])
  })
})
