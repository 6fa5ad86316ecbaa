import type { Config } from '../config.ts'
import type { RepositoryBounds } from './repository-source.ts'

const MB = 1024 * 1024
const MAX_TESTED_FILES = 200_000

/** Returns the operator's limits for reading untrusted files. */
export function configuredBounds(config: Config): RepositoryBounds {
  return {
    fileBytes: config.bodyLimitBytes,
    readBytes: config.importDiskMb * MB,
    diskBytes: config.importDiskMb * MB,
    files: config.importFiles,
    testedFiles: MAX_TESTED_FILES,
    seconds: config.importSeconds,
  }
}
