import { orderVersions, parsePythonVersion } from '#analysis/versions/pep440-version.ts'
import type { LockedPackage } from './locked-packages.ts'
import { isArchiveName, parseFileName, parseWheel } from './packaging/file-name.ts'
import { toProjectName } from './packaging/project-name.ts'

/** A package that the files of a lockfile's entry name in place of the entry's own. */
export interface NamedPackage {
  readonly name: string
  readonly version: string
  readonly file: string
}

const NONE: readonly NamedPackage[] = []

/** Returns how the names of a package's files begin, before a hyphen or a dot; the name is normalized. */
function startOfNames(name: string, version: string): string {
  return `${name.replaceAll('-', '_')}-${version}`
}

/** Returns other packages that the files of an entry name; the tool installs those files. */
export function findOtherPackages({
  name,
  version,
  files,
  elsewhere,
}: Pick<LockedPackage, 'name' | 'version' | 'files' | 'elsewhere'>): readonly NamedPackage[] {
  if (files.length === 0 || version === undefined || elsewhere !== undefined) return NONE
  const expected = startOfNames(name, version)
  const isExpected = (file: string) => file[expected.length] === '-' || file[expected.length] === '.'
  let others: Map<string, NamedPackage> | undefined
  for (const file of files) {
    if (file.startsWith(expected) && isExpected(file)) continue
    const start = file
      .slice(0, expected.length + 1)
      .replaceAll('.', '_')
      .toLowerCase()
    if (start.slice(0, -1) === expected.replaceAll('.', '_') && isExpected(file)) continue
    const other = findOther({ name, version }, file)
    if (other === undefined) continue
    others ??= new Map()
    others.set(`${other.name}@${other.version}`, { ...other, file })
  }
  return others === undefined ? NONE : [...others.values()]
}

function findOther(own: { name: string; version: string }, file: string) {
  if (!isArchiveName(file)) return undefined
  const parsed = /\.whl$/i.test(file) ? parseWheel(file) : (parseFileName(file, own.name) ?? parseSource(file))
  if (parsed === undefined || (parsed.project === own.name && isSame(parsed.version, own.version))) return undefined
  return { name: parsed.project, version: parsed.version }
}

/** Parses `<name>-<version>.tar.gz` of any project; undefined if the last part is no version. */
function parseSource(file: string): { project: string; version: string } | undefined {
  const [, name, version] = /^(.+)-([^-]+?)(?:\.tar)?\.\w+$/.exec(file) ?? []
  if (name === undefined || version === undefined || parsePythonVersion(version) === undefined) return undefined
  return { project: toProjectName(name), version }
}

/** Returns true for equal versions, and for text that is no version and cannot be compared. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [parsePythonVersion(one.replaceAll('_', '+')), parsePythonVersion(other)]
  if (a === undefined || b === undefined) return true
  return orderVersions(a, b) === 0 || orderVersions({ ...a, local: undefined }, { ...b, local: undefined }) === 0
}
