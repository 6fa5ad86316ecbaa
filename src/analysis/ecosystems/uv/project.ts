import { type Manifest, type Reading, type ReadOptions, Unreadable } from '../ecosystem.ts'
import { toDeclaredPython } from '../pip/python-of-files.ts'
import { tableIn } from '../python/declarations.ts'
import { documentOf, sortFiles } from '../python/project-documents.ts'
import { readPyproject } from '../python/pyproject.ts'
import { readLock } from '../python/read-lock.ts'
import { readUvRules } from '../python/uv-rules.ts'
import { createComparison } from './requirement-sets.ts'
import { findLost, findStale, findStaleRules } from './stale.ts'
import { parseUvLock } from './uv-lock.ts'

/** Reads the packages that uv installs from a uv.lock, for all members of its workspace. */
export function readProject(manifest: Manifest, options: ReadOptions): Reading {
  const files = sortFiles('uv', manifest)
  const lockFile = files.only('uv.lock')
  if (lockFile === undefined)
    throw new Unreadable('No uv.lock was sent. Send it, or send the pyproject.toml alone to /v1/test/pyproject.')
  const lock = parseUvLock(lockFile.text, lockFile.file)
  const { packages, roots, pythons, declared, rules, rootName, rootGroups, environments } = lock
  const compare = createComparison(pythons)
  const manifests = files.all('pyproject.toml').map((each) => {
    const document = documentOf(each)
    return { ...each, document, declares: readPyproject(document) }
  })
  const isSurelyAtRoot = ({ file, declares: { name } }: (typeof manifests)[number]) =>
    manifest.places !== undefined && file !== 'target'
      ? manifest.places.additional[file] === 'pyproject.toml'
      : name === rootName
  const isAtRoot = (each: (typeof manifests)[number]) => manifests.length === 1 || isSurelyAtRoot(each)
  const stale = manifests.flatMap((each) => {
    const { document, declares } = each
    const isWhole = isSurelyAtRoot(each)
    const groupsOnly = isWhole ? { published: [], groups: rootGroups, names: new Set<string>() } : undefined
    const locked = declares.name === undefined ? groupsOnly : declared.get(declares.name)
    const isKnown = declares.name !== undefined || locked !== undefined
    const hasRulesForGroups = tableIn(document, 'tool', 'uv', 'dependency-groups') !== undefined
    const own = isKnown ? findStale(declares, locked, { compare, hasRulesForGroups, isAtRoot: isAtRoot(each) }) : []
    // uv reads the rules of the workspace's root, and ignores those of other members.
    return isAtRoot(each)
      ? [...own, ...findStaleRules(readUvRules(document), rules, { compare, packages, isWhole })]
      : own
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
      environments,
    },
    {
      options,
      declared: files.declared ?? toDeclaredPython('uv.lock', pythons),
      filesRead: files.filesRead,
      unresolved: [...stale, ...findLost(declared)],
    },
  )
}
