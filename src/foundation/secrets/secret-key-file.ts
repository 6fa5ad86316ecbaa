import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Thrown if the secret key file has unexpected content. */
export class UnusableSecretKey extends Error {}

/**
 * Returns the server's secret key from `secret.key` in the data directory, created on the first start and readable only
 * by its owner.
 */
export function readOrCreateSecretKey(dataDir: string): Buffer {
  const path = join(dataDir, 'secret.key')
  return readKey(path) ?? createKey(path)
}

function readKey(path: string): Buffer | undefined {
  let written: string
  try {
    written = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  if (!/^[0-9a-f]{64}$/i.test(written)) {
    throw new UnusableSecretKey(
      `${path} does not contain 64 hexadecimal digits. Restore it from a backup: encrypted data cannot be read without it`,
    )
  }
  return Buffer.from(written, 'hex')
}

/** Writes the key under another name and links it into place, so that concurrent first starts read the same one. */
function createKey(path: string): Buffer {
  const draft = `${path}.${process.pid}`
  const file = openSync(draft, 'w', 0o600)
  writeSync(file, `${randomBytes(32).toString('hex')}\n`)
  fsyncSync(file)
  closeSync(file)
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  return readKey(path)!
}
