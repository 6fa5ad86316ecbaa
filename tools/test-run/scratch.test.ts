import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createScratch } from './scratch.ts'

const memory = mkdtempSync(join(tmpdir(), 'gatehouse-memory-'))
after(() => rmSync(memory, { recursive: true }))

test('scratch folder: created anew; folders of ended runs are removed, others kept', () => {
  // No process gets the number 0, and this one runs.
  const [ended, running] = [0, process.pid].map((pid) => join(memory, `gatehouse-test-run-${pid}-abc`))
  for (const path of [ended!, running!, join(memory, 'other')]) mkdirSync(path)
  const folder = createScratch(memory)
  assert.ok(existsSync(folder))
  assert.deepEqual([existsSync(ended!), existsSync(running!), existsSync(join(memory, 'other'))], [false, true, true])
  rmSync(folder, { recursive: true })
})

test('scratch folder: in the temporary folder if there is no file system in memory', () => {
  const folder = createScratch(join(memory, 'missing'))
  assert.ok(folder.startsWith(tmpdir()))
  rmSync(folder, { recursive: true })
})
