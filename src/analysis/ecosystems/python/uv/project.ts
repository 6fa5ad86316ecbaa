import { upFrom } from '#analysis/documents/file-paths.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest, Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import { tableIn } from '../declarations.ts'
import type { LockedDependency } from '../locked-packages.ts'
import { toDeclaredPython } from '../packaging/python-of-files.ts'
import { documentOf, sortFiles } from '../project-documents.ts'
import { readPyproject } from '../pyproject.ts'
import { readLock } from '../read-lock.ts'
import { readUvRules } from '../uv-rules.ts'
import { reachedAnywhere } from '../walk-lock.ts'
import { createComparison } from './requirement-sets.ts'
import { findLost, findStale, findStaleRules } from './stale.ts'
import { parseUvLock, type UvLock } from './uv-lock.ts'

/** Reads the packages that uv installs from a uv.lock, for all members of its workspace or for one. */
export function readProject(manifest: Manifest, options: ReadOptions): Reading {
  const files = sortFiles('uv', manifest)
  const lockFile = files.only('uv.lock')
  if (lockFile === undefined)
    throw new Unreadable('No uv.lock was sent. Send it, or send the pyproject.toml alone to /v1/test/pyproject.')
  const lock = parseUvLock(lockFile.text, lockFile.file)
  const { packages, pythons, declared, rules, rootName, rootGroups, environments } = lock
  const up = upFrom(manifest.places ?? { target: '', additional: [] })
  const compare = createComparison(pythons)
  const manifests = files.all('pyproject.toml').map((file) => {
    const document = documentOf(file)
    return { ...file, document, declares: readPyproject(document) }
  })
  const isSurelyAtRoot = ({ file, declares: { name } }: (typeof manifests)[number]) =>
    manifest.places !== undefined && file !== 'target'
      ? manifest.places.additional[file] === `${up}pyproject.toml`
      : name === rootName
  const isAtRoot = (manifest: (typeof manifests)[number]) => manifests.length === 1 || isSurelyAtRoot(manifest)
  const stale = manifests.flatMap((manifest) => {
    const { document, declares } = manifest
    const isWhole = isSurelyAtRoot(manifest)
    const groupsOnly = isWhole ? { published: [], groups: rootGroups, names: new Set<string>() } : undefined
    const locked = declares.name === undefined ? groupsOnly : declared.get(declares.name)
    const isKnown = declares.name !== undefined || locked !== undefined
    const hasRulesForGroups = tableIn(document, 'tool', 'uv', 'dependency-groups') !== undefined
    const own = isKnown ? findStale(declares, locked, { compare, hasRulesForGroups, isAtRoot: isAtRoot(manifest) }) : []
    // uv reads the rules of the workspace's root, and ignores those of other members.
    return isAtRoot(manifest)
      ? [...own, ...findStaleRules(readUvRules(document), rules, { compare, packages, isWhole })]
      : own
  })
  const whole = {
    name: 'uv.lock',
    file: lockFile.file,
    update: 'uv lock',
    manifest: 'pyproject.toml',
    packages,
    roots: lock.roots,
    hasProjectExtras: true,
    environments,
  } as const
  const tested = up === '' ? undefined : manifests.find(({ file }) => file === 'target')?.declares.name
  const roots = tested === undefined ? lock.roots : rootsOfMember(lock, tested)
  const needed = reachedAnywhere(whole, roots)
  const ofPart = packages.filter((lockedPackage) => lockedPackage.isProject || needed.has(lockedPackage))
  return readLock(
    { ...whole, roots, packages: tested === undefined ? packages : ofPart },
    {
      options,
      declared: files.declared ?? toDeclaredPython('uv.lock', pythons),
      filesRead:
        up === '' ? files.filesRead : files.filesRead.map((name) => (name === 'uv.lock' ? `${up}${name}` : name)),
      unresolved: [...stale, ...findLost(declared)],
    },
  )
}

/** Returns the dependencies of a member, and those of the members that it requires. */
function rootsOfMember({ rootsByProject }: UvLock, name: string): LockedDependency[] {
  const names = new Set([name])
  const roots: LockedDependency[] = []
  for (const member of names) {
    const own = rootsByProject.get(member) ?? []
    roots.push(...(member === name ? own : own.filter(({ kind }) => kind !== 'dev')))
    for (const { name: required, kind } of own) {
      if (rootsByProject.has(required) && kind !== 'dev') names.add(required)
    }
  }
  return roots
}
