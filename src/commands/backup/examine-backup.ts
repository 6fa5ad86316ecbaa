import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { migrations } from '#foundation/db/migrations/index.ts'
import { ClientFailure } from '../../client/failure.ts'

export interface Backup {
  /** Fingerprints of the secret keys with which its data can be read. */
  readonly fingerprints: readonly string[]
}

/** Checks a backup without changing it. Throws `ClientFailure` with what to do. */
export function examineBackup(path: string): Backup {
  if (!existsSync(path)) throw new ClientFailure(`${path} does not exist. Name a file that "gatehouse backup" wrote.`)
  const file = new DatabaseSync(path, { readOnly: true })
  try {
    if (file.prepare('pragma integrity_check').get()?.['integrity_check'] !== 'ok') {
      throw new ClientFailure(`${path} is damaged. Use another backup.`)
    }
    requireKnownSteps(path, file)
    return { fingerprints: listFingerprints(file) }
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SQLITE_ERROR') throw error
    throw new ClientFailure(
      `${path} is not a backup of Gatehouse (${(error as Error).message}). Name a file that "gatehouse backup" wrote.`,
      { cause: error },
    )
  } finally {
    file.close()
  }
}

function requireKnownSteps(path: string, file: DatabaseSync): void {
  const migrationNames = new Set(migrations.map(({ name }) => name))
  const unknown = file
    .prepare('select name from kysely_migration order by name')
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !migrationNames.has(name))
  if (unknown.length === 0) return
  throw new ClientFailure(
    `${path} was written by a newer version of Gatehouse (it has ${unknown.join(', ')}). Restore it with that version.`,
  )
}

function listFingerprints(file: DatabaseSync): string[] {
  const stored = file.prepare("select value from settings where name = 'secret-key-fingerprint'").all()
  const hasKeys = file.prepare("select 1 from sqlite_schema where name = 'secret_keys'").get() !== undefined
  const wrapped = hasKeys ? file.prepare('select distinct wrapped_by as value from secret_keys').all() : []
  return [...stored, ...wrapped].map(({ value }) => String(value))
}
