import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { KEYCLOAK_FOLDER, KEYCLOAK_VERSION } from '#test/access/keycloak-place.ts'
import { getDefaultRegistryUrl } from '../src/scanning/registries/default-registries.ts'

/** Downloads Keycloak (164 MB), checks it and unpacks it where its test looks. Keycloak needs Java 17 or newer. */
const SHA256 = 'fa3dd5df90b9ac006712c2f0991be4e8a6cb30ac538e0439ce2f45fc40f4c692'

if (existsSync(join(KEYCLOAK_FOLDER, 'bin/kc.sh'))) {
  console.log(`Keycloak ${KEYCLOAK_VERSION} is already in ${KEYCLOAK_FOLDER}.`)
} else {
  const name = `keycloak-quarkus-dist-${KEYCLOAK_VERSION}.tar.gz`
  const path = `org/keycloak/keycloak-quarkus-dist/${KEYCLOAK_VERSION}/${name}`
  const answer = await fetch(new URL(path, `${getDefaultRegistryUrl('maven').replace(/\/$/, '')}/`))
  if (!answer.ok) throw new Error(`The registry answered ${answer.status} for ${path}.`)
  const archive = Buffer.from(await answer.arrayBuffer())
  const digest = createHash('sha256').update(archive).digest('hex')
  if (digest !== SHA256) throw new Error(`${name} has SHA-256 ${digest}, not ${SHA256}. It was not unpacked.`)
  const folder = dirname(KEYCLOAK_FOLDER)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, name)
  writeFileSync(file, archive)
  execFileSync('tar', ['-xzf', file, '-C', folder])
  rmSync(file)
  console.log(`Keycloak ${KEYCLOAK_VERSION} is in ${KEYCLOAK_FOLDER}.`)
}
