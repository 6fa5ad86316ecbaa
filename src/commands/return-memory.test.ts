import assert from 'node:assert/strict'
import { test } from 'node:test'
import { returnMemoryWhenIdle } from './return-memory.ts'

test('memory of the start: returned once, when the server is idle', ({ mock }) => {
  mock.timers.enable({ apis: ['setInterval'] })
  const utilizations = [0.9, 0.4, 0.02, 0.02]
  const collectedAfter: number[] = []
  let looks = 0
  returnMemoryWhenIdle({
    readUtilization: () => utilizations[looks++]!,
    collect: () => collectedAfter.push(looks),
  })
  mock.timers.tick(10_000)
  assert.deepEqual(collectedAfter, [3])
})

test('memory of the start: a server that stays busy is left alone', ({ mock }) => {
  mock.timers.enable({ apis: ['setInterval'] })
  let looks = 0
  returnMemoryWhenIdle({
    readUtilization() {
      looks++
      return 0.5
    },
    collect: () => assert.fail('collected in a busy server'),
  })
  mock.timers.tick(600_000)
  assert.equal(looks, 60)
})
