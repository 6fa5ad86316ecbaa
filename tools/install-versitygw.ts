import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { VERSITYGW, VERSITYGW_FOLDER, VERSITYGW_VERSION } from '#test/servers/object-store-place.ts'

/** Builds the S3 server of the tests of object storage; needs Go 1.24 or newer and its module proxy. */
if (existsSync(VERSITYGW)) {
  console.log(`versitygw ${VERSITYGW_VERSION} is already in ${VERSITYGW_FOLDER}.`)
} else {
  mkdirSync(VERSITYGW_FOLDER, { recursive: true })
  // Go verifies the module with its checksum database.
  execFileSync('go', ['install', `github.com/versity/versitygw/cmd/versitygw@v${VERSITYGW_VERSION}`], {
    stdio: 'inherit',
    env: { ...process.env, GOBIN: VERSITYGW_FOLDER },
  })
  console.log(`versitygw ${VERSITYGW_VERSION} is in ${VERSITYGW_FOLDER}.`)
}
