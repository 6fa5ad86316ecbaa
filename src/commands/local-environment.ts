import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the environment for tests without a server: the settings of a server, with the embedded storage in the user's
 * cache folder (XDG Base Directory Specification). It holds advisories and registry answers, no secrets of others.
 */
export function localEnvironment(environment: Environment): Environment {
  const { DATABASE_URL: _database, GATEHOUSE_DATA_DIR: _dataDir, ...rest } = environment
  return { ...rest, GATEHOUSE_DATA_DIR: localDataDir(environment) }
}

function localDataDir({ XDG_CACHE_HOME: cache = '', HOME: home }: Environment): string {
  return join(isAbsolute(cache) ? cache : join(home || homedir(), '.cache'), 'gatehouse')
}
