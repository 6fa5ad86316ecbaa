import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { SharedBytes } from './shared-memory.ts'

describe('shared memory', () => {
  test('SharedBytes: joins any number of pieces', () => {
    for (const pieces of [[], ['ab'], ['ab', 'c'], Array.from({ length: 900 }, (_, n) => `${n} `.repeat(1000))]) {
      const whole = Buffer.from(pieces.join(''))
      const bytes = new SharedBytes(whole.length)
      for (const piece of pieces) bytes.add(Buffer.from(piece))
      const taken = bytes.take()
      assert.ok(taken.buffer instanceof SharedArrayBuffer)
      assert.ok(Buffer.from(taken).equals(whole))
    }
  })

  test('SharedBytes: unused shared memory is garbage-collected', () => {
    // Without the reported size V8 would keep all 100 times 8 MiB.
    const script = `
      import { SharedBytes } from ${JSON.stringify(new URL('shared-memory.ts', import.meta.url).href)}
      const piece = new Uint8Array(8 * 1024 * 1024)
      let collected = 0
      const registry = new FinalizationRegistry(() => collected++)
      for (let n = 0; n < 100; n++) {
        const bytes = new SharedBytes(piece.length)
        bytes.add(piece)
        registry.register(bytes.take().buffer, undefined)
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      console.log(collected)`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    })
    assert.ok(Number(stdout) > 10, `${stdout} were collected ${stderr}`)
  })
})
