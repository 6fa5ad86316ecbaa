import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from '../packaging/build.ts'
import { findObstacles } from './obstacles.ts'
import { writeArtifacts } from './write-artifacts.ts'

const USAGE = 'Usage: npm run release -- VERSION [--dry-run]'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Releases the clone: checks it, builds the package, writes tarball, bill of materials and checksums into `release/`, and
 * tags the commit. Pushes nothing. With `--dry-run`, creates no tag and goes on after a failed check.
 */
if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const [version] = positionals
  if (version === undefined || positionals.length > 1) {
    console.error(USAGE)
    process.exitCode = 2
  } else if (!(await release(version, values['dry-run']))) process.exitCode = 1
}

async function release(version: string, isDryRun: boolean): Promise<boolean> {
  const obstacles = findObstacles(root, version)
  for (const obstacle of obstacles) console.error(`✖ ${obstacle}`)
  if (obstacles.length > 0 && !isDryRun) return false
  const built = await build(join(root, 'dist'))
  const folder = join(root, 'release')
  for (const file of writeArtifacts(built, root, folder)) console.log(`✔ release/${file}`)
  const tag = `v${version}`
  if (isDryRun) console.log(`The tag ${tag} was not created: this is a dry run.`)
  else {
    execFileSync('git', ['-C', root, 'tag', '--annotate', tag, '--message', `Gatehouse ${version}`])
    console.log(`✔ tag ${tag}\nPublish it with: git push origin ${tag}\nAttach the files in release/ to it.`)
  }
  return obstacles.length === 0
}
