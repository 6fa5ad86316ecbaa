import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { whyNoDatabase } from '#foundation/db/data-dir.ts'
import { commandProcess } from '#test/servers/command-process.ts'

const root = mkdtempSync(join(tmpdir(), 'gatehouse-storage-'))
const commands = commandProcess()
after(async () => {
  await commands[Symbol.asyncDispose]()
  rmSync(root, { recursive: true })
})

test('commands of the operator: where no server was started, exit with 2 and create nothing', async () => {
  const uses = [
    ['admin', 'create-key'],
    ['admin', 'reset-password', 'ada@example.test'],
    ['secret-key', 'rotate'],
    ['credentials', 'check', '--stored', '2d0c41e2-91f4-4d57-8a8b-0f6b8a6c2f10'],
    ['advisories', 'status'],
  ]
  for (const args of uses) {
    const { code, output, errors } = await commands.run(args, { folder: root, environment: { HOME: root } })
    assert.deepEqual([code, output], [2, ''], args.join(' '))
    assert.match(
      errors,
      /^No database at data.gatehouse\.sqlite\. Run this command in the folder of the server, or set GATEHOUSE_DATA_DIR/,
    )
    assert.deepEqual(readdirSync(root), [], args.join(' '))
  }
})

test('a database that this user may not look at is not reported as missing', () => {
  const folder = join(root, 'closed')
  const file = join(folder, 'gatehouse.sqlite')
  mkdirSync(folder)
  assert.deepEqual(whyNoDatabase(file)?.isClosed, false)
  writeFileSync(file, '')
  assert.equal(whyNoDatabase(file), undefined)
  chmodSync(root, 0o711)
  chmodSync(folder, 0o600)
  const reason = asOrdinaryUser(() => whyNoDatabase(file))
  chmodSync(folder, 0o700)
  assert.match(reason?.text ?? '', /may not be read by this user\. Run this command as the user of the server\./)
})

/** Modes do not bind the superuser. */
function asOrdinaryUser<T>(work: () => T): T {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid!(65_534)
  try {
    return work()
  } finally {
    process.seteuid!(0)
  }
}
