import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const KEYCLOAK_VERSION = '26.5.6'

/** The folder into which `npm run install:keycloak` unpacks Keycloak. */
export const KEYCLOAK_FOLDER = join(
  fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url)),
  `keycloak-${KEYCLOAK_VERSION}`,
)
