import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toTable } from './table.ts'
import { widthOf } from './terminal-text.ts'

const columns = [
  { title: 'NAME', isFlexible: true },
  { title: 'ID' },
  { title: 'TYPE', isOptional: true },
  { title: 'TESTED', isOptional: true },
]
const id = '6f1c2a34-0000-4000-8000-000000000000'
const rows = [['acme/a-shop-with-a-long-name:services/payment/package.json', id, 'npm', '2026-01-01']]
const plain = { heading: (text: string) => text }

test('table without a width: shows every column in full', () => {
  const [title, row] = toTable(columns, rows, { ...plain, width: undefined }).split('\n')
  assert.match(title!, /^NAME +ID +TYPE +TESTED$/)
  assert.deepEqual(row!.split(/ {2,}/), rows[0])
})

test('table with a width: drops optional columns and shortens flexible ones until it fits', () => {
  for (const width of [120, 80, 60]) {
    const lines = toTable(columns, rows, { ...plain, width })
      .trimEnd()
      .split('\n')
    for (const line of lines) assert.ok(widthOf(line) <= width, `${width}: ${line}`)
    assert.ok(lines[1]!.includes(id), 'ids stay whole')
  }
  const narrow = toTable(columns, rows, { ...plain, width: 64 })
  assert.match(narrow, /^NAME +ID\nacme\/a-shop-with-a-long-\S*… {2}6f1c2a34/)
})

test('table: removes control characters from cells', () => {
  const text = toTable([{ title: 'NAME' }], [['a\u001b[31mb\nc']], { ...plain, width: 80 })
  assert.equal(text, 'NAME\na [31mb c\n')
})
