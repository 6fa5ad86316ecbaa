import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '#foundation/problem.ts'
import { volume } from '#test/volume.ts'
import { type JsonLimits, JsonShape } from './json-shape.ts'

const limits: JsonLimits = { maxDepth: 50, maxValues: 1000, member: { name: 'files', maxValues: 1000 } }

function scanned(text: string, { pieces = 7, ...changed }: Partial<JsonLimits> & { pieces?: number } = {}): JsonShape {
  const shape = new JsonShape({ ...limits, ...changed })
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieces) shape.scan(bytes.subarray(at, at + pieces))
  return shape
}

function refusal(text: string, changed: Partial<JsonLimits> = {}): string | undefined {
  try {
    scanned(text, changed)
    return undefined
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error.code
  }
}

describe('limits of JSON bodies', () => {
  test('JSON depth: refused at the first level above the limit; brackets in strings do not count', () => {
    assert.equal(refusal('['.repeat(51)), 'invalid-request')
    assert.equal(refusal(`${'['.repeat(50)}${']'.repeat(50)}`), undefined)
    assert.equal(refusal(JSON.stringify('['.repeat(500))), undefined)
    assert.equal(refusal(JSON.stringify({ a: `\\"${'['.repeat(500)}` })), undefined)
  })

  test('JSON values: refused above the limit; those of the large member have a limit of their own', () => {
    const list = (length: number) => JSON.stringify(Array.from({ length }, () => 1))
    assert.equal(refusal(list(1001)), 'too-large')
    assert.equal(refusal(list(1000)), undefined)
    assert.equal(refusal(`{"files":${list(1001)}}`), 'too-large')
    assert.equal(refusal(`{"files":${list(1001)}}`, { member: { name: 'files', maxValues: 5000 } }), undefined)
    assert.equal(refusal(`{"files":1,"x":${list(1001)}}`, { member: { name: 'files', maxValues: 5000 } }), 'too-large')
  })

  test('large member: refused if it is sent twice', () => {
    assert.equal(refusal('{"files":1,"files":2}'), 'invalid-request')
  })

  test('large member: found in any object, however the body is cut into pieces', () => {
    const names = fc.constantFrom('files', 'file', 'filess', 'fil"es', 'files\\', 'other', '"files":', '')
    const bodies = fc.dictionary(names, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 })
    fc.assert(
      fc.property(bodies, fc.integer({ min: 1, max: 9 }), fc.constantFrom(0, 2), (body, pieces, indent) => {
        const text = JSON.stringify(body, null, indent)
        const { member } = scanned(text, { pieces })
        if (!Object.hasOwn(body, 'files')) return assert.equal(member, undefined)
        const bytes = Buffer.from(text)
        const inside = bytes.subarray(member!.start, member!.end).toString()
        const outside = `${bytes.subarray(0, member!.start)}null${bytes.subarray(member!.end)}`
        assert.deepEqual(JSON.parse(inside), JSON.parse(text).files)
        assert.deepEqual(JSON.parse(outside), { ...JSON.parse(text), files: null })
      }),
      { numRuns: volume(500) },
    )
  })
})
