import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** Returns the folders of the packages that own the given modules. */
export function packagesOf(modules: readonly string[]): string[] {
  return [...new Set(modules.flatMap((path) => packageFolder(path) ?? []))]
}

/** Returns the names, licenses and license texts of packages, sorted by name. Throws for one that names no license. */
export function noticesOf(packages: readonly string[]): string {
  const notices = new Map(packages.map((folder) => noticeOf(folder)))
  const sorted = [...notices].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, notice]) => notice)
  return [`Gatehouse contains the following ${sorted.length} packages.\n`, ...sorted].join(`\n${'-'.repeat(80)}\n\n`)
}

/** Returns the folder of the installed package, at any depth of `node_modules`. Modules made by a bundler have none. */
function packageFolder(path: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path.replace(/^\0|\?.*$/g, ''))?.[0]
}

function noticeOf(folder: string): [string, string] {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  if (license === undefined) throw new Error(`${folder} names no license: find out before it is shipped`)
  const texts = readdirSync(folder)
    .filter((file) => /^(lic.*|notice|copying)/i.test(file) && !/\.(js|ts|json)$/.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const title = `${name} ${version} (${license})`
  return [title, `${[title, ...texts].join('\n\n')}\n`]
}
