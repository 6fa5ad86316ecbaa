import { type Manifest, type Reading, type ReadOptions, Unreadable } from '../ecosystem.ts'
import { toDeclaredPython } from '../pip/python-of-files.ts'
import { readUvRules } from '../python/foreign-settings.ts'
import { documentOf, sortFiles } from '../python/project-documents.ts'
import { readPyproject } from '../python/pyproject.ts'
import { readLock } from '../python/read-lock.ts'
import { findStale, findStaleRules } from './stale.ts'
import { parseUvLock } from './uv-lock.ts'

/** Reads the packages that uv installs from a uv.lock, for all members of its workspace. */
export function readProject(manifest: Manifest, options: ReadOptions): Reading {
  const files = sortFiles('uv', manifest)
  const lockFile = files.only('uv.lock')
  if (lockFile === undefined)
    throw new Unreadable('No uv.lock was sent. Send it, or send the pyproject.toml alone to /v1/test/pyproject.')
  const { packages, roots, pythons, declared, rules } = parseUvLock(lockFile.text, lockFile.file)
  const stale = files.all('pyproject.toml').flatMap((each) => {
    const document = documentOf(each)
    const manifest = readPyproject(document)
    const own = manifest.name === undefined ? [] : findStale(manifest, declared.get(manifest.name))
    return [...own, ...findStaleRules(readUvRules(document), rules)]
  })
  return readLock(
    {
      name: 'uv.lock',
      file: lockFile.file,
      update: 'uv lock',
      manifest: 'pyproject.toml',
      packages,
      roots,
      hasProjectExtras: true,
    },
    {
      options,
      declared: files.declared ?? toDeclaredPython('uv.lock', pythons),
      filesRead: files.filesRead,
      unresolved: stale,
    },
  )
}
