import { type Manifest, type Reading, type ReadOptions, Unreadable } from '../ecosystem.ts'
import { toDeclaredPython } from '../pip/python-of-files.ts'
import { readUvRules } from '../python/foreign-settings.ts'
import { documentOf, sortFiles } from '../python/project-documents.ts'
import { readPyproject } from '../python/pyproject.ts'
import { readLock } from '../python/read-lock.ts'
import { findLost, findStale, findStaleRules } from './stale.ts'
import { parseUvLock } from './uv-lock.ts'

/** Reads the packages that uv installs from a uv.lock, for all members of its workspace. */
export function readProject(manifest: Manifest, options: ReadOptions): Reading {
  const files = sortFiles('uv', manifest)
  const lockFile = files.only('uv.lock')
  if (lockFile === undefined)
    throw new Unreadable('No uv.lock was sent. Send it, or send the pyproject.toml alone to /v1/test/pyproject.')
  const { packages, roots, pythons, declared, rules, rootName } = parseUvLock(lockFile.text, lockFile.file)
  const manifests = files.all('pyproject.toml').map((each) => {
    const document = documentOf(each)
    return { ...each, document, declares: readPyproject(document) }
  })
  const isAtRoot = (each: (typeof manifests)[number]) => {
    if (manifests.length === 1) return true
    if (manifest.places !== undefined && each.file !== 'target')
      return manifest.places.additional[each.file] === 'pyproject.toml'
    return rootName === undefined ? each.declares.name === undefined : each.declares.name === rootName
  }
  const stale = manifests.flatMap((each) => {
    const { document, declares } = each
    const own = declares.name === undefined ? [] : findStale(declares, declared.get(declares.name))
    // uv reads the overrides and constraints of the workspace's root, and ignores those of other members.
    return isAtRoot(each) ? [...own, ...findStaleRules(readUvRules(document), rules)] : own
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
      unresolved: [...stale, ...findLost(declared)],
    },
  )
}
