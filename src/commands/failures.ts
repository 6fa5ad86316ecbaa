import { WrongSecretKey } from '#features/setup/first-start.ts'
import { ConfigFaults } from '#foundation/config.ts'
import { DataDirInUse, DataDirUnusable } from '#foundation/db/data-dir.ts'
import {
  DatabaseUnreachable,
  findStorageFault,
  type StorageFault,
  UnsuitableDatabase,
} from '#foundation/db/storage-faults.ts'
import { ObjectStoreFailed } from '#foundation/objects/object-store-failure.ts'
import { UnusableSecretKey } from '#foundation/secrets/secret-key-file.ts'

/**
 * Exit codes of sysexits.h: a required resource is in use or unreachable; reading or writing failed; the configuration
 * is invalid.
 */
const EXIT_UNAVAILABLE = 69
const EXIT_IO = 74
const EXIT_CONFIG = 78

/** Thrown if the address of GATEHOUSE_HOST and GATEHOUSE_PORT cannot be listened on. */
export class CannotListen extends Error {}

export interface Failure {
  readonly sentence: string
  readonly exitCode: number
}

/** Describes a failure that an operator can fix; undefined for internal errors, which keep their stack. */
export function describeFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined
  const exitCode = exitCodeOf(error)
  const remedy = error instanceof DatabaseUnreachable ? `. ${error.remedy}` : ''
  if (exitCode !== undefined) return { sentence: error.message + remedy, exitCode }
  const fault = findStorageFault(error)
  return fault && { sentence: `${sentences[fault]} (${error.message})`, exitCode: EXIT_IO }
}

function exitCodeOf(error: Error): number | undefined {
  const isConfig = [ConfigFaults, WrongSecretKey, UnusableSecretKey, UnsuitableDatabase, ObjectStoreFailed].some(
    (kind) => error instanceof kind,
  )
  if (isConfig) return EXIT_CONFIG
  const isOutOfReach = [DataDirInUse, CannotListen, DatabaseUnreachable].some((kind) => error instanceof kind)
  if (isOutOfReach) return EXIT_UNAVAILABLE
  return error instanceof DataDirUnusable ? EXIT_IO : undefined
}

const sentences: Readonly<Record<StorageFault, string>> = {
  full: 'The disk is full. Nothing was changed. Free some space and start again.',
  'read-only': 'Storage cannot be written. Make the data directory and its files writable for this user',
  broken:
    'The database file is damaged. Stop every server that uses it, move it away with its -wal and -shm files, and restore the last backup',
  unreachable: 'Storage cannot be opened. Check that the database exists and that this user may open it',
  locked:
    'Another process kept the database locked; nothing was changed. Stop other commands that write, or try again when the server is less busy',
}
