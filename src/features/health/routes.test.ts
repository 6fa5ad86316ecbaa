import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { freshDatabase } from '#test/fresh-database.ts'
import { storageCheck } from './routes.ts'

describe('whether storage is usable', () => {
  const checkIn = async (dataDir: string) => {
    await using database = await freshDatabase('sqlite')
    return await storageCheck({ db: database.db, database, config: { dataDir } as never }).check()
  }

  test('it is while there is room', async () => assert.equal(await checkIn('.'), undefined))

  // Nothing can be stored in this file system of the kernel, whoever asks.
  test('it is not without room', () => assert.rejects(checkIn('/proc'), /^Error: 0 KiB are left on the disk$/))
})
