import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { migrate } from '../migrate.ts'
import { type Database, openDatabase } from '../open-database.ts'

const run = promisify(execFile)

describe('SQLite write-ahead log', () => {
  let dataDir: string
  let database: Database

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-log-'))
    database = openDatabase({ dataDir, maxConnections: 1, onError: () => {} })
    await migrate(database)
  })

  afterEach(() => rm(dataDir, { recursive: true }))

  const file = () => join(dataDir, 'gatehouse.sqlite')

  async function write(n: number): Promise<void> {
    const value = randomBytes(100_000).toString('hex')
    await database.db
      .insertInto('settings')
      .values({ name: `large-${n}`, value })
      .execute()
  }

  /** Reads from another connection, as another process would. */
  function pagesInLog(): number {
    const other = new DatabaseSync(file())
    try {
      return Number(other.prepare('pragma wal_checkpoint(noop)').get()!['log'])
    } finally {
      other.close()
    }
  }

  test('the log restarts during continuous writes, and the file contains all of them', async () => {
    let written = 0
    let isOver = false
    // Writers leave hardly a gap in which the log could restart without help.
    const writers = Array.from({ length: 8 }, async () => {
      while (!isOver) await write(written++)
    })
    let longest = 0
    for (let pages = 0; pages >= longest; pages = pagesInLog()) {
      longest = pages
      await nextTurn()
    }
    isOver = true
    await Promise.all(writers)
    assert.ok(longest >= 4096, `it was copied with ${longest} pages`)
    assert.ok(statSync(file()).size > 4096 * 4096, 'the file has them')
    await database.close()
    const other = new DatabaseSync(file())
    assert.deepEqual({ ...other.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
    const { stored } = other.prepare("select count(*) as stored from settings where name like 'large-%'").get()!
    assert.equal(stored, written)
    other.close()
  })

  test('the log grows while another process reads an older state, without blocking writers', async () => {
    const other = new DatabaseSync(file())
    other.exec('begin; select count(*) from settings')
    for (let n = 0; n < 200; n += 20) await Promise.all(Array.from({ length: 20 }, (_, at) => write(n + at)))
    assert.ok(pagesInLog() > 4096)
    other.exec('rollback')
    other.close()
    await database.close()
  })

  test('an otherwise idle process checkpoints and closes the log, then exits', { timeout: 300_000 }, async () => {
    await database.close()
    const program = join(dataDir, 'program.mjs')
    await writeFile(
      program,
      `import { openDatabase } from '${new URL('../open-database.ts', import.meta.url)}'
      const database = openDatabase({ dataDir: process.argv[2], maxConnections: 1, onError() {} })
      const value = 'x'.repeat(200_000)
      let written = 0
      async function write() {
        while (written++ < 800) {
          await database.db.insertInto('settings').values({ name: 'large-' + written, value }).execute()
        }
      }
      await Promise.all(Array.from({ length: 8 }, write))
      await database.close()
      console.log('closed')`,
    )
    const { stdout } = await run(process.execPath, [program, dataDir])
    assert.equal(stdout, 'closed\n')
  })
})
