import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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
    !existsSync(join(clone, 'test/upgrades', version)) &&
      `test/upgrades/${version} is missing: run node tools/with-postgres.ts node tools/upgrade-fixtures.ts.`,
    read('SECURITY.md').includes('must enter an address here') &&
      'SECURITY.md names no address for reports of vulnerabilities: enter one.',
  ].filter((sentence) => sentence !== false)
}
