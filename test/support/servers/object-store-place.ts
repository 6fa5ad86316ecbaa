import { homedir } from 'node:os'
import { join } from 'node:path'

export const VERSITYGW_VERSION = '1.8.0'

/** The folder into which `npm run install:versitygw` builds the S3 server of tests. */
export const VERSITYGW_FOLDER = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  `gatehouse-tests/versitygw-${VERSITYGW_VERSION}`,
)

export const VERSITYGW = join(VERSITYGW_FOLDER, 'versitygw')
