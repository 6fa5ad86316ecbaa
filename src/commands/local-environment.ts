import { join } from 'node:path'
import type { Environment } from '../client/connection.ts'
import { userFolder } from '../client/user-folder.ts'

/**
 * Returns the environment for tests without a server: the settings of a server, with the embedded storage in the user's
 * cache folder (XDG Base Directory Specification). It contains advisories and registry answers, but no secrets of other
 * users.
 */
export function localEnvironment(environment: Environment): Environment {
  const { DATABASE_URL: _database, GATEHOUSE_DATA_DIR: _dataDir, ...rest } = environment
  return { ...rest, GATEHOUSE_DATA_DIR: join(userFolder(environment, 'XDG_CACHE_HOME'), 'gatehouse') }
}
