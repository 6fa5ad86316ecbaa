import type { TomlTable } from 'smol-toml'
import type { Unresolved } from '#analysis/dependency-graph.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest, Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import { poetryHashes } from '../content-hash.ts'
import type { LockedDependency } from '../locked-packages.ts'
import { toDeclaredPython } from '../packaging/python-of-files.ts'
import { documentOf, sortFiles } from '../project-documents.ts'
import { readPyproject } from '../pyproject.ts'
import { readLock } from '../read-lock.ts'
import { toDirect, toRoots } from '../roots.ts'
import { type PoetryLock, parsePoetryLock } from './poetry-lock.ts'

const UPDATE = 'poetry lock'

/** Reads the packages that Poetry installs from a poetry.lock, with the pyproject.toml if it was sent. */
export async function readProject(manifest: Manifest, options: ReadOptions): Promise<Reading> {
  const files = sortFiles('poetry', manifest)
  const [lockFile, pyproject] = [files.only('poetry.lock'), files.only('pyproject.toml')]
  if (lockFile === undefined)
    throw new Unreadable('No poetry.lock was sent. Send it, or send the pyproject.toml alone to /v1/test/pyproject.')
  const lock = parsePoetryLock(lockFile.text, lockFile.file)
  const document = pyproject && documentOf(pyproject)
  const declared = document && readPyproject(document)
  const roots = declared === undefined ? rootsOfLock(lock) : toRoots(declared)
  const { packages } = lock
  const common = { name: 'poetry.lock', file: lockFile.file, update: UPDATE, manifest: 'pyproject.toml' }
  return readLock(
    { ...common, project: declared?.name, packages, roots },
    {
      options,
      declared: files.declared ?? toDeclaredPython(common.name, lock.pythons),
      filesRead: files.filesRead,
      unresolved: [...(declared?.unresolved ?? []), ...(document === undefined ? [] : await findStale(lock, document))],
    },
  )
}

/** Reports a lockfile that was written for other dependencies: Poetry refuses to install it. */
async function findStale({ contentHash }: PoetryLock, document: TomlTable): Promise<Unresolved[]> {
  const hashes = contentHash === undefined ? [] : await poetryHashes(document)
  if (hashes === undefined || hashes.includes(contentHash ?? '')) return []
  const reason =
    contentHash === undefined
      ? `poetry.lock does not tell for which dependencies it was written (content-hash), as if its end were missing; run ${UPDATE} to write it again`
      : `pyproject.toml declares other dependencies than those for which poetry.lock was written (content-hash); run ${UPDATE} to bring the two together`
  return [{ name: 'poetry.lock', range: '', code: 'not-in-lockfile', reason, requiredBy: 'pyproject.toml' }]
}

/**
 * Without a pyproject.toml, main packages that no other main package requires are the project's own, and every package
 * of other groups is for development. Lockfiles of Poetry 1.5 to 1.8 record no groups: all their packages are main.
 */
function rootsOfLock({ packages }: PoetryLock): LockedDependency[] {
  const main = packages.filter(({ kind }) => kind !== 'dev')
  const required = new Set(
    main.flatMap(({ name, dependencies }) =>
      dependencies.flatMap((dependency) =>
        dependency.name === name || dependency.ofExtras !== undefined ? [] : [dependency.name],
      ),
    ),
  )
  const leaders = main.filter(({ name }) => !required.has(name))
  return [...leaders, ...packages.filter(({ kind }) => kind === 'dev')].map((leader) =>
    toDirect(leader, leader.kind ?? 'prod'),
  )
}
