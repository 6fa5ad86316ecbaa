import type { TomlTable } from 'smol-toml'
import type { Unresolved } from '#analysis/dependency-graph.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest, Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import type { PyPiReader } from '#analysis/registries/pypi.ts'
import { pipenvHashes } from '../content-hash.ts'
import type { DeclaredDependencies } from '../declarations.ts'
import type { LockedDependency } from '../locked-packages.ts'
import { toDeclaredPython } from '../packaging/python-of-files.ts'
import { readPipfile } from '../pipfile.ts'
import { documentOf, sortFiles } from '../project-documents.ts'
import { readLock } from '../read-lock.ts'
import { resolveDeclared } from '../resolve-declared.ts'
import { toDirect, toRoots } from '../roots.ts'
import { type PipfileLock, parsePipfileLock } from './pipfile-lock.ts'

const UPDATE = 'pipenv lock'

/** Reads the packages that Pipenv installs from a Pipfile.lock; resolves a Pipfile without one as pip does. */
export async function readProject(manifest: Manifest, reader: PyPiReader, options: ReadOptions): Promise<Reading> {
  const files = sortFiles('pipenv', manifest)
  const [lockFile, pipfile] = [files.only('Pipfile.lock'), files.only('Pipfile')]
  const document = pipfile && documentOf(pipfile)
  const declared = document && readPipfile(document)
  if (lockFile !== undefined) {
    const lock = parsePipfileLock(lockFile.json(), lockFile.file)
    return readLock(
      {
        name: 'Pipfile.lock',
        file: lockFile.file,
        update: UPDATE,
        manifest: 'Pipfile',
        packages: lock.packages,
        roots: rootsOf(lock, declared),
      },
      {
        options,
        declared: files.declared ?? toDeclaredPython('Pipfile.lock', lock.python),
        filesRead: files.filesRead,
        unresolved: [
          ...(declared?.unresolved ?? []),
          ...(document === undefined ? [] : await findStale(lock, document)),
        ],
      },
    )
  }
  if (declared === undefined) throw new Unreadable('Neither a Pipfile.lock nor a Pipfile was sent')
  return resolveDeclared(declared, { manifest: 'Pipfile', files, reader, options })
}

/**
 * Returns all packages as direct dependencies: the lockfile does not record dependents. Each section is a resolution
 * of its own, so a package with several versions is required at that of the section.
 */
function rootsOf({ packages }: PipfileLock, declared: DeclaredDependencies | undefined): LockedDependency[] {
  const byName = Map.groupBy(packages, ({ name }) => name)
  const own = (declared === undefined ? [] : toRoots(declared)).map((root) => {
    const entries = byName.get(root.name) ?? []
    const [entry, ...others] = entries.filter(({ kind }) => kind === root.kind)
    const isForked = entries.some(({ version }) => version !== entry?.version)
    return entry === undefined || !isForked || others.length > 0 ? root : { ...root, version: entry.version }
  })
  const keys = new Set(own.map(({ name, kind }) => `${kind} ${name}`))
  const others = packages.filter(({ name, kind }) => !keys.has(`${kind} ${name}`))
  return [...own, ...others.map((other) => toDirect(other, other.kind))]
}

/** Reports a lockfile that was written for another Pipfile: `pipenv install --deploy` refuses it. */
async function findStale({ hash }: PipfileLock, document: TomlTable): Promise<Unresolved[]> {
  const hashes = await pipenvHashes(document)
  if (hashes === undefined || hashes.includes(hash ?? '')) return []
  const reason = `The Pipfile is not the one for which Pipfile.lock was written (_meta.hash); run ${UPDATE} to bring the two together`
  return [{ name: 'Pipfile.lock', range: '', code: 'not-in-lockfile', reason, requiredBy: 'Pipfile' }]
}
