import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Command } from 'commander'
import { type Config, readConfig } from '#foundation/config.ts'

const HELP = `
Copies the database of a running server in a consistent state, without interruption. To restore: stop the server, put the file into the data folder as gatehouse.sqlite, remove gatehouse.sqlite-wal and gatehouse.sqlite-shm from it, start. The secret key is needed too: without it no credential in the backup works. On PostgreSQL use pg_dump.
`

export function backupCommand(): Command {
  return new Command('backup')
    .argument('<file>', 'where to; must not exist yet')
    .option('--with-key', 'also copy the secret key to FILE.key; both files together reveal encrypted data')
    .addHelpText('after', HELP)
    .action(backUp)
}

function backUp(path: string, { withKey = false }: { withKey?: boolean }): void {
  const config = readConfig(process.env)
  const target = resolve(path)
  const paths = {
    target,
    database: join(config.dataDir, 'gatehouse.sqlite'),
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
  copyDatabase(paths.database, target)
  if (paths.copyOfKey !== undefined) copyFileSync(paths.key, paths.copyOfKey, constants.COPYFILE_EXCL)
  const megabytes = (statSync(target).size / 1_000_000).toFixed(1)
  const key = config.secretKey === undefined ? paths.key : 'the value of GATEHOUSE_SECRET_KEY'
  console.log(`${target}: ${megabytes} MB, checked${withKey ? '' : `. Keep ${key} too, in another place.`}`)
}

interface BackupPaths {
  readonly target: string
  readonly database: string
  readonly key: string
  /** Undefined when it is not asked for. */
  readonly copyOfKey: string | undefined
}

function whyNot(config: Config, { target, database, key, copyOfKey }: BackupPaths): string | undefined {
  if (config.databaseUrl !== undefined) return 'The data is in PostgreSQL. Use pg_dump, and back up the secret key too.'
  if (!existsSync(database)) return `No database at ${database}. Check GATEHOUSE_DATA_DIR.`
  if (!existsSync(dirname(target)))
    return `The folder ${dirname(target)} does not exist. Create it, or choose another file.`
  for (const path of [target, copyOfKey])
    if (path !== undefined && existsSync(path)) return `${path} already exists. Choose another file.`
  if (copyOfKey === undefined) return undefined
  if (config.secretKey !== undefined)
    return 'The secret key is the value of GATEHOUSE_SECRET_KEY. Back that up, and omit --with-key.'
  return existsSync(key) ? undefined : `No secret key at ${key}. Omit --with-key.`
}

/** One reading transaction, so that the copy is of one moment; it has its name only once it is whole and on disk. */
function copyDatabase(database: string, target: string): void {
  const draft = `${target}.partial`
  rmSync(draft, { force: true })
  try {
    const source = new DatabaseSync(database, { readOnly: true, timeout: 10_000 })
    source.exec(`vacuum into '${draft.replaceAll("'", "''")}'`)
    source.close()
    const copy = new DatabaseSync(draft, { readOnly: true })
    const checked = copy.prepare('pragma integrity_check').get()
    copy.close()
    if (checked?.['integrity_check'] !== 'ok') throw new Error(`The copy is damaged: ${checked?.['integrity_check']}`)
    chmodSync(draft, 0o600)
    syncToDisk(draft)
    renameSync(draft, target)
    syncToDisk(dirname(target))
  } finally {
    rmSync(draft, { force: true })
  }
}

function syncToDisk(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}
