import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { readParts } from './read-parts.ts'
import { beginSnapshot, findPart, insertPart } from './store.ts'

onEveryEngine('parts of a stored snapshot', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  const partOf = (n: number) => Uint8Array.from([n, n + 1])

  /** Stores the first parts of a snapshot that has nine bytes in five. */
  async function begin(digest: string, parts: number) {
    const facts = { builtAt: 1, checkedAt: 1, source: 'test', isStarterSet: false, exploitSources: [], records: 0 }
    const stored = { digest, sizeBytes: 9, ...facts }
    await beginSnapshot(db(), stored, 1)
    for (let n = 0; n < parts; n++) await add(digest, n)
    return stored
  }
  const add = (digest: string, n: number) =>
    insertPart(db(), digest, { n, bytes: n === 4 ? partOf(n).slice(0, 1) : partOf(n) })
  const whole = [0, 1, 1, 2, 2, 3, 3, 4, 4]

  test('parts are read in order, including those stored while reading', async () => {
    const stored = await begin('late', 2)
    const missed: number[] = []
    const read: number[] = []
    const missing = async (n: number) => {
      missed.push(n)
      for (let partNumber = n; partNumber < Math.min(n + 2, 5); partNumber++) await add('late', partNumber)
      return (await findPart(db(), 'late', n))!
    }
    for await (const bytes of readParts(db(), stored, missing)) read.push(...bytes)
    assert.deepEqual(read, whole)
    assert.deepEqual(missed, [2, 4])
  })

  test('parts keep every byte, also when many are read concurrently', async () => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, n) => (n * 31) % 256)
    await begin('bytes', 0)
    await insertPart(db(), 'bytes', { n: 0, bytes })
    await insertPart(db(), 'bytes', { n: 1, bytes: new Uint8Array() })
    for (const read of await Promise.all(Array.from({ length: 30 }, () => findPart(db(), 'bytes', 0)))) {
      assert.deepEqual(Uint8Array.from(read!), bytes)
    }
    assert.deepEqual([...(await findPart(db(), 'bytes', 1))!], [])
    assert.equal(await findPart(db(), 'bytes', 2), undefined)
    assert.equal(await findPart(db(), "by'tes", 0), undefined)
  })

  test('reading ends with an error at a missing part', async () => {
    const stored = await begin('cut', 3)
    const read: number[] = []
    const missing = (n: number) => {
      throw new Error(`part ${n} is missing`)
    }
    await assert.rejects(async () => {
      for await (const bytes of readParts(db(), stored, missing)) read.push(...bytes)
    }, /part 3 is missing/)
    assert.deepEqual(read, whole.slice(0, 6))
  })
})
