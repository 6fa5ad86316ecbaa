import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { returnMemoryWhenIdle } from './return-memory.ts'

const MB = 1024 * 1024

/** Runs one check a second with the given utilizations and sizes; returns the indexes of checks that collected. */
function collectionsOf({ timers }: TestContext['mock'], looks: [number, number][]) {
  timers.enable({ apis: ['setInterval'] })
  const collected: number[] = []
  let look = -1
  let size = 0
  returnMemoryWhenIdle({
    readUtilization() {
      look++
      size = looks[look]![1]
      return looks[look]![0]
    },
    readSize: () => size,
    collect() {
      collected.push(look)
      size = 30 * MB
    },
  })
  timers.tick(looks.length * 1000)
  return collected
}

test('memory after the start: collected once, when the server is idle', ({ mock }) => {
  assert.deepEqual(
    collectionsOf(mock, [
      [0.9, 80 * MB],
      [0.4, 80 * MB],
      [0.02, 80 * MB],
      [0.02, 31 * MB],
      [0.02, 93 * MB],
    ]),
    [2],
  )
})

test('memory after a burst: collected when the server is idle again', ({ mock }) => {
  assert.deepEqual(
    collectionsOf(mock, [
      [0.02, 80 * MB],
      [0.9, 300 * MB],
      [0.9, 300 * MB],
      [0.02, 300 * MB],
      [0.02, 300 * MB],
    ]),
    [0, 3, 4],
  )
})

test('memory of a busy server: not collected', ({ mock }) => {
  assert.deepEqual(
    collectionsOf(
      mock,
      Array.from({ length: 600 }, () => [0.5, 900 * MB]),
    ),
    [],
  )
})
