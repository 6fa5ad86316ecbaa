import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Command } from 'commander'
import { readConfig } from '#foundation/config.ts'

const HELP = `
Takes a running server's database as it is at one moment, without stopping anybody. To restore: stop the server, put the
file into the data folder as gatehouse.sqlite, remove gatehouse.sqlite-wal and gatehouse.sqlite-shm from it, start. The
secret key is needed too: without it no credential in the backup is known. On PostgreSQL use pg_dump.
`

export function backupCommand(): Command {
  return new Command('backup')
    .description('Write a copy of the embedded database to a file, also beside a running server')
    .argument('<file>', 'where to; must not exist yet')
    .option('--with-key', 'copy the secret key too, to FILE.key; whoever has both can read what is encrypted')
    .addHelpText('after', HELP)
    .action(backUp)
}

function backUp(path: string, { withKey }: { withKey?: true }): void {
  const { databaseUrl, dataDir } = readConfig(process.env)
  const target = resolve(path)
  const refusal = whyNot({ databaseUrl, target, database: join(dataDir, 'gatehouse.sqlite') })
  if (refusal !== undefined) {
    console.error(refusal)
    process.exitCode = 1
    return
  }
  process.umask(0o077)
  copyDatabase(join(dataDir, 'gatehouse.sqlite'), target)
  const key = join(dataDir, 'secret.key')
  if (withKey && existsSync(key)) copyFileSync(key, `${target}.key`)
  const megabytes = (statSync(target).size / 1_000_000).toFixed(1)
  console.log(`${target}: ${megabytes} MB, checked${withKey ? '' : `. Keep ${key} too, in another place.`}`)
}

function whyNot(wanted: { databaseUrl: string | undefined; target: string; database: string }): string | undefined {
  if (wanted.databaseUrl !== undefined) return 'The data is in PostgreSQL: use pg_dump, and keep the secret key too.'
  if (!existsSync(wanted.database)) return `There is no database at ${wanted.database}: look at GATEHOUSE_DATA_DIR.`
  return existsSync(wanted.target) ? `${wanted.target} is there already; name another file.` : undefined
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
    const file = openSync(draft, 'r')
    fsyncSync(file)
    closeSync(file)
    renameSync(draft, target)
  } finally {
    rmSync(draft, { force: true })
  }
}
