import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Command } from 'commander'
import { type Config, readConfig } from '#foundation/config.ts'
import { sqliteFile, whyNoDatabase } from '#foundation/db/data-dir.ts'
import { findPendingSteps } from '#foundation/db/migrate.ts'
import { openDatabase } from '#foundation/db/open-database.ts'
import { exportPostgres } from '#foundation/db/portable/export-postgres.ts'
import { publishFile } from '#foundation/publish-file.ts'
import { syncToDisk } from '#foundation/sync-to-disk.ts'
import { isIntact } from './database-file.ts'

const HELP = `
Copies the database in a consistent state while servers run. The file is an SQLite database, also from PostgreSQL; "gatehouse restore" restores it to either engine. Back up the secret key too: without it, no credential in the backup works.
`

export function backupCommand(): Command {
  return new Command('backup')
    .argument('<file>', 'file to write; must not exist yet')
    .option('--with-key', 'also copy the secret key to FILE.key; both files together reveal encrypted data')
    .addHelpText('after', HELP)
    .action(backUp)
}

async function backUp(path: string, { withKey = false }: { withKey?: boolean }): Promise<void> {
  const config = readConfig(process.env)
  const target = resolve(path)
  const paths = {
    target,
    database: sqliteFile(config.dataDir),
    key: join(config.dataDir, 'secret.key'),
    copyOfKey: withKey ? `${target}.key` : undefined,
  }
  const refusal = whyNot(config, paths)
  if (refusal !== undefined) {
    console.error(refusal)
    process.exitCode = 1
    return
  }
  process.umask(0o077)
  await copyAll(config, paths)
  const megabytes = (statSync(target).size / 1_000_000).toFixed(1)
  const key = config.secretKey === undefined ? paths.key : 'the value of GATEHOUSE_SECRET_KEY'
  console.log(`${target}: ${megabytes} MB, checked${withKey ? '' : `. Keep ${key} too, in another place.`}`)
}

interface BackupPaths {
  readonly target: string
  readonly database: string
  readonly key: string
  /** Undefined unless requested. */
  readonly copyOfKey: string | undefined
}

function whyNot(config: Config, { target, database, key, copyOfKey }: BackupPaths): string | undefined {
  const missing = config.databaseUrl === undefined ? whyNoDatabase(database) : undefined
  if (missing !== undefined) return missing.text
  if (!existsSync(dirname(target)))
    return `The folder ${dirname(target)} does not exist. Create it, or choose another file.`
  if (existsSync(target)) return `${target} already exists. Choose another file.`
  if (copyOfKey === undefined) return undefined
  if (config.secretKey !== undefined)
    return 'The secret key is the value of GATEHOUSE_SECRET_KEY. Back that up, and omit --with-key.'
  if (!existsSync(key)) return `No secret key at ${key}. Omit --with-key.`
  // Without the backup beside it, a copy of this key is from a backup that was killed.
  const isOther = existsSync(copyOfKey) && !readFileSync(copyOfKey).equals(readFileSync(key))
  return isOther ? `${copyOfKey} already exists. Choose another file.` : undefined
}

/** Renames the copies to their final names only once they are complete and on disk. */
async function copyAll(config: Config, { target, database, key, copyOfKey }: BackupPaths): Promise<void> {
  const folder = `${target}.partial`
  rmSync(folder, { recursive: true, force: true })
  try {
    mkdirSync(folder)
    const draftOfKey = join(folder, 'secret.key')
    // Copied before the database: during a rotation, storage also accepts the previous key.
    if (copyOfKey !== undefined) copyFileSync(key, draftOfKey)
    const draft = sqliteFile(folder)
    if (config.databaseUrl === undefined) copyEmbedded(database, draft)
    else await copyPostgres(config, config.databaseUrl, folder)
    if (!isIntact(draft)) throw new Error('The copy is damaged.')
    chmodSync(draft, 0o600)
    syncToDisk(draft)
    if (copyOfKey !== undefined) {
      syncToDisk(draftOfKey)
      publishFile(draftOfKey, copyOfKey)
    }
    publishFile(draft, target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Copies in one read transaction, so that the copy is a consistent snapshot. */
function copyEmbedded(database: string, draft: string): void {
  const source = new DatabaseSync(database, { readOnly: true, timeout: 10_000 })
  source.exec(`vacuum into '${draft.replaceAll("'", "''")}'`)
  source.close()
}

async function copyPostgres(config: Config, url: string, folder: string): Promise<void> {
  const database = openDatabase({ url, dataDir: config.dataDir, maxConnections: 1, onError: () => {} })
  try {
    // Refuses a database of a newer version, whose columns are unknown to this one.
    await findPendingSteps(database)
  } finally {
    await database.close()
  }
  await exportPostgres(url, folder)
}
