import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import semver from 'semver'

/** Returns what must be done before a clone can be released as `version`, as sentences. */
export function findObstacles(clone: string, version: string): string[] {
  const read = (path: string) => (existsSync(join(clone, path)) ? readFileSync(join(clone, path), 'utf8') : '')
  const git = (...args: string[]) => execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8' }).trim()
  if (semver.valid(version) !== version) return [`${version} is not a semantic version, such as 0.2.0.`]
  const present = (JSON.parse(read('package.json')) as { version: string }).version
  const heading = read('CHANGELOG.md').match(new RegExp(`^## ${RegExp.escape(version)}\\b.*$`, 'm'))?.[0]
  const isDated = heading !== undefined && /^## \S+ \(\d{4}-\d{2}-\d{2}\)$/.test(heading)
  return [
    git('status', '--porcelain') !== '' && 'The clone has changes that are not committed: commit or discard them.',
    git('tag', '--list', `v${version}`) !== '' && `The tag v${version} exists: choose the next version.`,
    present !== version && `package.json has the version ${present}: run npm version ${version} --no-git-tag-version.`,
    !isDated && `CHANGELOG.md needs the heading "## ${version} (YYYY-MM-DD)" with the day of the release.`,
    !hasData(clone, version) &&
      `test/upgrades/${version} is missing or has an older schema: run node tools/with-postgres.ts node tools/upgrade-fixtures.ts.`,
    read('SECURITY.md').includes('must enter an address here') &&
      'SECURITY.md names no address for reports of vulnerabilities: enter one.',
  ].filter((sentence) => sentence !== false)
}

/** Returns true if data of the version is stored, for the tests of later upgrades, with the newest step of the schema. */
function hasData(clone: string, version: string): boolean {
  const steps = globSync('src/foundation/db/migrations/**/[0-9]*.ts', { cwd: clone }).map((path) =>
    basename(path, '.ts'),
  )
  return ['sqlite', 'postgres'].every((engine) => {
    const path = join(clone, 'test/upgrades', version, `${engine}.json`)
    if (!existsSync(path)) return false
    return (JSON.parse(readFileSync(path, 'utf8')) as { schema?: string }).schema === steps.sort().at(-1)
  })
}
