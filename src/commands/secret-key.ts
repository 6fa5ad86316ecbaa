import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import { countOutdated } from '#features/secret-keys/reseal.ts'
import { beginRotation, finishRotation, RotationRefused, rotationState } from '#features/secret-keys/rotate.ts'
import { listFingerprints } from '#features/secret-keys/store.ts'
import { fingerprintOf } from '#foundation/secrets/keyring.ts'
import type { Services } from '#foundation/services.ts'
import { ClientFailure } from '../client/failure.ts'
import { readSecretKey } from '../composition/create-services.ts'
import { withServices } from './with-services.ts'

const HELP = `
Servers keep running. "rotate" creates a new secret key; the previous one stays valid until "finish". Stored secrets are encrypted again in the background. Credentials and tokens stay valid.
`

export function secretKeyCommand(): Command {
  const command = new Command('secret-key').addHelpText('after', HELP)
  command
    .command('rotate')
    .description('Start using a new secret key; the previous one stays valid')
    .option('--key-file <file>', 'the new key, 64 hexadecimal digits (openssl rand -hex 32); default: a random one')
    .option('--lead-seconds <seconds>', 'seconds for all servers to load the new key', toSeconds, 15)
    .action((options: RotateOptions) => run((services) => rotate(services, options)))
  command
    .command('status')
    .description('Show whether a rotation is pending, and how many values still need the previous key')
    .action(() => run(showStatus))
  command
    .command('finish')
    .description('Invalidate the previous secret key; run this when all servers have the new one')
    .action(() => run(finish))
  return command
}

interface RotateOptions {
  readonly keyFile?: string
  readonly leadSeconds: number
}

async function run(work: (services: Services) => Promise<void>): Promise<void> {
  try {
    await withServices(work)
  } catch (error) {
    throw error instanceof RotationRefused ? new ClientFailure(error.message, { cause: error }) : error
  }
}

async function rotate(services: Services, { keyFile, leadSeconds }: RotateOptions): Promise<void> {
  const { config, db } = services
  if (config.secretKey !== undefined && keyFile === undefined) {
    throw new ClientFailure(
      'The secret key is the value of GATEHOUSE_SECRET_KEY. Write a new one to a file (openssl rand -hex 32 > FILE) and pass --key-file FILE.',
    )
  }
  const paths = pathsIn(config.dataDir)
  if (config.secretKey === undefined && (await resume(services))) return
  const secretKey = readSecretKey(config)
  const newKey = keyFile === undefined ? randomBytes(32) : readKeyFile(keyFile)
  // Write the key to disk before storage uses it: an interruption must not lose it.
  if (config.secretKey === undefined) writeKey(paths.next, newKey)
  const usedFrom = await beginRotation({ db, now: services.now }, { secretKey, newKey, leadMs: leadSeconds * 1000 })
  console.log(`The new secret key encrypts from ${new Date(usedFrom).toISOString()} on. The previous one stays valid.`)
  if (config.secretKey === undefined) replaceFile(services)
  else
    console.log(
      `Set GATEHOUSE_SECRET_KEY to the content of ${keyFile} on every server and restart them one after another. Then run "gatehouse secret-key finish". Keep the previous key with the backups from before: they need it.`,
    )
}

/** Completes a rotation that was interrupted before the file was replaced. */
async function resume(services: Services): Promise<boolean> {
  const { next } = pathsIn(services.config.dataDir)
  if (!existsSync(next)) return false
  if (!(await listFingerprints(services.db)).includes(fingerprintOf(readKeyFile(next)))) return false
  replaceFile(services)
  return true
}

function replaceFile({ config, keyring }: Services): void {
  const { current, next } = pathsIn(config.dataDir)
  const previous = `${current}.${keyring.fingerprint.slice(0, 8)}`
  // A key file must exist at all times: a server that starts now would create another key.
  const previousKey = readKeyFile(current)
  writeKey(previous, previousKey)
  renameSync(next, current)
  console.log(
    `${current} holds the new key. Copy it to every other server of this database, then run "gatehouse secret-key finish". ${previous} holds the previous key: keep it with the backups from before, which need it.`,
  )
}

async function showStatus({ db, keyring }: Services): Promise<void> {
  const { isPending, isOldKey, activeAt } = await rotationState(db, keyring)
  if (!isPending) {
    console.log('No rotation of the secret key is pending.')
    return
  }
  const { sealedPlaces } = await import('../composition/sealed-places.ts')
  const outdated = await countOutdated({ db, keyring }, sealedPlaces)
  console.log(`A rotation is pending. The new key encrypts from ${new Date(activeAt).toISOString()} on.`)
  console.log(`${outdated} stored values need the previous key.`)
  if (isOldKey) console.log('This command was started with the previous secret key.')
}

async function finish(services: Services): Promise<void> {
  const { sealedPlaces } = await import('../composition/sealed-places.ts')
  const { resealed } = await finishRotation(services, sealedPlaces, { wait: sleep })
  console.log(
    `${resealed} more values were encrypted with the new key. The previous key is no longer valid. Browsers that signed in before the rotation must sign in again.`,
  )
}

function pathsIn(dataDir: string): { current: string; next: string } {
  const current = join(dataDir, 'secret.key')
  return { current, next: `${current}.next` }
}

function readKeyFile(path: string): Buffer {
  let written: string
  try {
    written = readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw new ClientFailure(`${path} cannot be read (${(cause as NodeJS.ErrnoException).code}). Name another file.`, {
      cause,
    })
  }
  if (/^[0-9a-f]{64}$/i.test(written)) return Buffer.from(written, 'hex')
  throw new ClientFailure(`${path} does not contain 64 hexadecimal digits. Create a key with: openssl rand -hex 32`)
}

function writeKey(path: string, key: Uint8Array): void {
  const file = openSync(path, 'w', 0o600)
  writeSync(file, `${Buffer.from(key).toString('hex')}\n`)
  fsyncSync(file)
  closeSync(file)
}

function toSeconds(text: string): number {
  const seconds = Number(text)
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 3600) {
    throw new InvalidArgumentError('It must be a whole number of seconds from 1 to 3600.')
  }
  return seconds
}
