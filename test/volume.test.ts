import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

const cases: readonly [percent: string | undefined, values: Readonly<Record<string, unknown>>][] = [
  [
    undefined,
    {
      'volume(200)': 20,
      'volume(1)': 1,
      'volume(12, { atLeast: 3 })': 3,
      'volume(2, { atLeast: 3 })': 2,
      'sampleOf(Array.from({ length: 25 }, (_, n) => n))': [0, 8, 16],
      'sampleOf([7])': [7],
      'sampleOf([])': [],
      'shareOf(Array.from({ length: 25 }, (_, n) => n), 0)': [9, 19],
      'shareOf(Array.from({ length: 25 }, (_, n) => n), 9)': [0, 10, 20],
      'shareOf(Array.from({ length: 25 }, (_, n) => n), 10)': [9, 19],
    },
  ],
  ['100', { 'volume(200, { atLeast: 3 })': 200, 'sampleOf([7, 8, 9])': [7, 8, 9], 'shareOf([7, 8, 9], 4)': [7, 8, 9] }],
  ['1', { 'volume(250)': 3 }],
]
for (const [percent, values] of cases) {
  test(`TEST_VOLUME ${percent ?? 'not set'}: ${Object.keys(values).join('; ')}`, () => {
    assert.deepEqual(JSON.parse(evaluate(percent, Object.keys(values))), Object.values(values))
  })
}

for (const percent of ['0', '101', 'all']) {
  test(`TEST_VOLUME ${percent} is refused`, () => {
    assert.throws(() => evaluate(percent, ['volume(1)']), /percentage from 1 to 100/)
  })
}

function evaluate(percent: string | undefined, expressions: readonly string[]): string {
  const { TEST_VOLUME: _own, ...others } = process.env
  const values = `JSON.stringify([${expressions.join(', ')}])`
  const program = `import { sampleOf, shareOf, volume } from '#test/volume.ts'; console.log(${values})`
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...others, ...(percent !== undefined && { TEST_VOLUME: percent }) },
  })
}
