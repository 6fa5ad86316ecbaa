import type { Migration } from '../migration.ts'
import { accounts } from './0001-accounts.ts'
import { credentials } from './0002-credentials.ts'
import { changes } from './0003-changes.ts'
import { jobs } from './0004-jobs.ts'
import { apps } from './0005-apps.ts'
import { authorizationServer } from './0006-authorization-server.ts'
import { replacedSecrets } from './0007-replaced-secrets.ts'
import { advisories } from './0010-advisories.ts'
import { registryCache } from './0011-registry-cache.ts'

/** Every step of the schema, in order. */
export const migrations: readonly Migration[] = [
  accounts,
  credentials,
  changes,
  jobs,
  apps,
  authorizationServer,
  replacedSecrets,
  advisories,
  registryCache,
]
