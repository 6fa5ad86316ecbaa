import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectIn, getKind } from './index.ts'
import { toOutline } from './outline.ts'

test('file kinds: many comments with blanks in them take linear time', () => {
  const jvmConfig = getKind('jvm.config')
  assert.equal(jvmConfig.detect?.(toOutline('  \t#a/b \t#c\n'.repeat(3_000))), false)
})

test('jvm.config: recognized behind comments', () => {
  assert.equal(detectIn(toOutline('# memory - of all\n\n#\r\n-Xmx1g\n'))?.id, 'jvm.config')
})
