import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { type Config, readConfig } from '#foundation/config.ts'
import { lockDataDir, prepareDataDir, sqliteFile } from '#foundation/db/data-dir.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { openDatabase } from '#foundation/db/open-database.ts'
import { importPostgres } from '#foundation/db/portable/import-postgres.ts'
import { publishFile } from '#foundation/publish-file.ts'
import { fingerprintOf } from '#foundation/secrets/keyring.ts'
import { syncToDisk } from '#foundation/sync-to-disk.ts'
import { ClientFailure } from '../../client/failure.ts'
import { examineBackup } from './examine-backup.ts'
import { examineTarget } from './examine-target.ts'

const HELP = `
Stop all servers first. The backup may come from either engine. With DATABASE_URL it is restored to PostgreSQL, else to the data folder. FILE.key is used if it exists. Nothing is changed before backup and key are checked.
`

export function restoreCommand(): Command {
  return new Command('restore')
    .argument('<file>', 'backup file of "gatehouse backup"')
    .option('--key-file <file>', 'the secret key of the backup; default: FILE.key, else the configured key')
    .option('--replace', 'replace the data in the data folder or the PostgreSQL database')
    .addHelpText('after', HELP)
    .action(restore)
}

interface RestoreOptions {
  readonly keyFile?: string
  readonly replace?: true
}

async function restore(file: string, { keyFile, replace }: RestoreOptions): Promise<void> {
  const read = readConfig(process.env)
  process.umask(0o077)
  const path = resolve(file)
  const backup = examineBackup(path)
  const config = { ...read, dataDir: prepareDataDir(read.dataDir) }
  const key = chooseKey(config, { path, keyFile })
  if (!backup.fingerprints.includes(fingerprintOf(key.bytes))) {
    throw new ClientFailure(`${key.from} is not the secret key of this backup. Pass --key-file with the right one.`)
  }
  const lock = config.databaseUrl === undefined ? lockDataDir(config.dataDir) : undefined
  try {
    await examineTarget(config, { mayReplace: replace === true })
    if (config.databaseUrl === undefined) putFile(path, config.dataDir)
    else await fillPostgres(config, config.databaseUrl, path)
    const kept = putKey(config, key.bytes)
    console.log(`${path}: restored into ${config.databaseUrl === undefined ? config.dataDir : 'PostgreSQL'}.${kept}`)
    console.log('Start the server with "gatehouse serve".')
  } finally {
    lock?.release()
  }
}

interface ChosenKey {
  readonly bytes: Buffer
  readonly from: string
}

/** Returns the configured key. It cannot be changed here, so it must be the key of the backup. */
function chooseKey(config: Config, { path, keyFile }: { path: string; keyFile: string | undefined }): ChosenKey {
  if (config.secretKey !== undefined) return { bytes: config.secretKey, from: 'The value of GATEHOUSE_SECRET_KEY' }
  const candidates = keyFile === undefined ? [`${path}.key`, join(config.dataDir, 'secret.key')] : [resolve(keyFile)]
  const from = candidates.find((candidate) => existsSync(candidate))
  if (from === undefined) {
    throw new ClientFailure(
      `No secret key at ${candidates[0]}. Pass --key-file, or set GATEHOUSE_SECRET_KEY to the key of the backup.`,
    )
  }
  const written = readFileSync(from, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/i.test(written)) {
    throw new ClientFailure(
      `${from} does not contain 64 hexadecimal digits. Pass --key-file with the key of the backup.`,
    )
  }
  return { bytes: Buffer.from(written, 'hex'), from }
}

/** Puts the file in place once it is complete. A previous file is renamed and kept. */
function putFile(path: string, dataDir: string): void {
  const target = sqliteFile(dataDir)
  const draft = `${target}.restoring`
  copyFileSync(path, draft)
  syncToDisk(draft)
  const suffix = `.replaced-${new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)}`
  // A write-ahead log belongs to its database and would damage another one.
  for (const name of ['', '-wal', '-shm']) {
    if (existsSync(`${target}${name}`)) renameSync(`${target}${name}`, `${target}${suffix}${name}`)
  }
  publishFile(draft, target)
}

/** Migrates a copy first, if the backup is of an earlier version. */
async function fillPostgres(config: Config, url: string, path: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-restore-'))
  try {
    const copy = sqliteFile(folder)
    copyFileSync(path, copy)
    const settings = { dataDir: folder, maxConnections: config.databaseConnections, onError: () => {} }
    for (const target of [{ ...settings }, { ...settings, url }]) {
      const database = openDatabase(target)
      try {
        await migrate(database)
      } finally {
        await database.close()
      }
    }
    await importPostgres(url, copy)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Stores the key where the server looks for it. Returns a sentence about a previous key. */
function putKey(config: Config, key: Buffer): string {
  if (config.secretKey !== undefined) return ''
  const target = join(config.dataDir, 'secret.key')
  const written = `${key.toString('hex')}\n`
  const before = existsSync(target) ? readFileSync(target, 'utf8') : undefined
  if (before?.trim().toLowerCase() === written.trim()) return ''
  const aside = before === undefined ? undefined : `${target}.replaced`
  if (aside !== undefined) renameSync(target, aside)
  writeFileSync(`${target}.restoring`, written, { mode: 0o600 })
  syncToDisk(`${target}.restoring`)
  publishFile(`${target}.restoring`, target)
  return aside === undefined ? '' : ` The previous key is now ${aside}.`
}
