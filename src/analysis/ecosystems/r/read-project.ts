import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { isObject, type JsonObject, objectAt, ownValue, shorten, textOf } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { cranVersions } from '#analysis/versions/cran.ts'
import type { Manifest, Reading, ReadOptions } from '../ecosystem.ts'
import type { LockedPackage, Requirement } from '../locked/locked-project.ts'
import { readLocked } from '../locked/read-locked.ts'

/** Packages that are part of R itself. */
const BASE = new Set(
  'R base compiler datasets graphics grDevices grid methods parallel splines stats stats4 tcltk tools utils'.split(' '),
)

/** Reads a renv.lock, which tells nothing about what the project requires itself. */
export function readProject(manifest: Manifest, options: ReadOptions): Reading {
  const [lock, second] = identifyFiles('renv', manifest)
  if (second !== undefined) throw new Unreadable('Several renv.lock files were sent. Send one.', second)
  const { file } = lock
  const entries = objectAt(lock.json(), 'Packages', { file, entry: '' }) ?? {}
  const packages = new Map(
    Object.entries(entries).map(([key, entry]) => {
      if (isObject(entry)) return [key, toPackage(key, entry, file)]
      throw new Unreadable(`The package "${shorten(key)}" must be an object`, { file })
    }),
  )
  return readLocked(
    {
      name: '',
      version: '',
      lock: { name: 'renv.lock', file, update: 'renv::snapshot()' },
      manifestName: 'renv.lock',
      packages,
      direct: undefined,
      versions: cranVersions,
      unresolved: [],
      filesRead: ['renv.lock'],
    },
    options,
  )
}

function toPackage(key: string, entry: JsonObject, file: 'target' | number): LockedPackage {
  const name = textOf(entry, 'Package')
  const version = textOf(entry, 'Version')
  if (name !== key || version === undefined) {
    const problem = name !== key ? `is called "${shorten(String(name))}" inside` : 'has no version'
    throw new Unreadable(`The package "${shorten(key)}" of renv.lock ${problem}`, { file })
  }
  const elsewhere = sourceOf(entry)
  const license = textOf(entry, 'License')
  const commit = textOf(entry, 'RemoteSha')
  return {
    name,
    version,
    requires: requirementsOf(entry),
    ...(elsewhere !== undefined && { elsewhere }),
    ...(license !== undefined && { license }),
    ...(elsewhere !== undefined && commit !== undefined && { commit }),
  }
}

/** Before renv 1.1 names are in `Requirements`, later they are in the fields of the package's DESCRIPTION. */
function requirementsOf(entry: JsonObject): Requirement[] {
  return ['Requirements', 'Depends', 'Imports', 'LinkingTo'].flatMap((field) => {
    const written = ownValue(entry, field)
    const texts = Array.isArray(written) ? written : typeof written === 'string' ? written.split(',') : []
    return texts.flatMap((text): Requirement[] => {
      const [, name, range = ''] = /^\s*([\w.]+)\s*(?:\(([^)]*)\))?/.exec(String(text)) ?? []
      return name === undefined || BASE.has(name) ? [] : [{ key: name, name, range: range.trim(), kind: 'prod' }]
    })
  })
}

/** CRAN and the mirrors of its packages. */
const PUBLIC = /^(?:CRAN|RSPM|PPM|P3M|CRANextra|https?:\/\/(?:[\w-]+\.)*(?:cran|r-project|rstudio|posit)\.)/i

function sourceOf(entry: JsonObject): string | undefined {
  const source = textOf(entry, 'Source') ?? 'an unknown source'
  const repository = textOf(entry, 'Repository')
  if (source === 'Repository' && repository !== undefined && PUBLIC.test(repository)) return undefined
  if (source === 'Repository') return `the repository ${shorten(withoutCredentials(repository ?? 'without a name'))}`
  const [owner, remote] = [textOf(entry, 'RemoteUsername'), textOf(entry, 'RemoteRepo')]
  const path = owner === undefined || remote === undefined ? textOf(entry, 'RemoteUrl') : `${owner}/${remote}`
  return shorten(path === undefined ? source : `${source} (${withoutCredentials(path)})`)
}
