import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest, Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import type { PyPiReader } from '#analysis/registries/pypi.ts'
import type { DeclaredDependencies } from '../declarations.ts'
import type { LockedDependency } from '../locked-packages.ts'
import { toDeclaredPython } from '../packaging/python-of-files.ts'
import { documentOf, sortFiles } from '../project-documents.ts'
import { readPyproject } from '../pyproject.ts'
import { readLock } from '../read-lock.ts'
import { resolveDeclared } from '../resolve-declared.ts'
import { toDirect, toRoots } from '../roots.ts'
import { type PyLock, parsePyLock } from './pylock.ts'

/** A lock for a purpose of its own, such as a group: it need not hold what the project requires (PEP 751). */
const NAMED_LOCK = /(?:^|\/)pylock\.[^./]+\.toml$/

/** Reads the packages of a pylock.toml; resolves a pyproject.toml without one as pip does. */
export async function readProject(manifest: Manifest, reader: PyPiReader, options: ReadOptions): Promise<Reading> {
  const files = sortFiles('pyproject', manifest)
  const [lockFile, pyproject] = [files.only('pylock.toml'), files.only('pyproject.toml')]
  if (lockFile !== undefined) {
    const lock = parsePyLock(lockFile.text, lockFile.file)
    const isOfProject = !NAMED_LOCK.test(manifest.places?.target ?? '')
    const declared = pyproject && isOfProject ? readPyproject(documentOf(pyproject)) : undefined
    return readLock(
      {
        name: 'pylock.toml',
        file: lockFile.file,
        update: 'the tool that wrote it',
        manifest: 'pyproject.toml',
        project: declared?.name,
        packages: lock.packages,
        roots: rootsOf(lock, declared),
        groups: lock.groups,
        environments: lock.environments,
      },
      {
        options,
        declared: files.declared ?? toDeclaredPython('pylock.toml', lock.pythons),
        filesRead: files.filesRead,
        unresolved: declared?.unresolved ?? [],
      },
    )
  }
  if (pyproject === undefined) throw new Unreadable('Neither a pyproject.toml nor a pylock.toml was sent')
  const declared = readPyproject(documentOf(pyproject))
  if (!declared.declaresAny) {
    const reason =
      'The pyproject.toml declares no dependencies: it has no table [project], [dependency-groups] or [tool.poetry]. Send the file that does.'
    throw new Unreadable(reason, { file: pyproject.file })
  }
  return resolveDeclared(declared, { manifest: 'pyproject.toml', files, reader, options })
}

/** Every entry is installed if its own marker holds, whichever other entries require it (PEP 751). */
function rootsOf({ packages }: PyLock, declared: DeclaredDependencies | undefined): LockedDependency[] {
  const own = declared === undefined ? [] : toRoots(declared).filter(({ kind }) => kind === 'prod')
  const names = new Set(own.map(({ name }) => name))
  return [
    ...own,
    ...packages.filter(({ name }) => !names.has(name)).map((lockedPackage) => toDirect(lockedPackage, 'prod')),
  ]
}
