import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { hackageVersions } from '#analysis/versions/hackage.ts'
import type { Unresolved } from '../../dependency-graph.ts'
import type { Manifest, Reading, ReadOptions } from '../ecosystem.ts'
import type { LockedPackage, Requirement } from '../locked/locked-project.ts'
import { readLocked } from '../locked/read-locked.ts'
import { readUnlocked } from '../locked/read-unlocked.ts'
import { parseFreeze } from './freeze.ts'
import { parseStackLock, parseStackYaml, type StackFile } from './stack.ts'

type Source = ReturnType<typeof identifyFiles>[number]

/** Reads a cabal.project.freeze, a stack.yaml.lock with its stack.yaml, or a stack.yaml alone. */
export function readHaskell(manifest: Manifest, options: ReadOptions): Reading {
  const files = identifyFiles('haskell', manifest)
  const fileOf = (kind: string): Source | undefined => {
    const [first, second] = files.filter((file) => file.kind === kind)
    if (second !== undefined) throw new Unreadable(`Several ${kind} files were sent. Send one.`, second)
    return first
  }
  const freeze = fileOf('cabal.project.freeze')
  if (freeze !== undefined) return readFreeze(freeze, options)
  const configuration = fileOf('stack.yaml')
  const declared = configuration && parseStackYaml(configuration)
  const lockFile = fileOf('stack.yaml.lock')
  if (lockFile !== undefined) return readStack(lockFile, declared, options)
  return readUnlocked(
    {
      name: '',
      version: '',
      manifestName: 'stack.yaml',
      remedy: 'Run stack build --dry-run and send stack.yaml.lock too.',
      declared: declared!.packages.map(({ name, version, elsewhere }) => ({
        name,
        range: version,
        kind: 'prod',
        ...(elsewhere === undefined ? { version } : { reason: `It comes from ${elsewhere}, not from Hackage` }),
      })),
      unresolved: declared!.snapshots.map((snapshot) => toUnknown(snapshot, 'stack.yaml')),
      filesRead: ['stack.yaml'],
    },
    options,
  )
}

/** A snapshot has thousands of packages, of which the project uses some. */
function toUnknown(snapshot: string, requiredBy: string): Unresolved {
  return {
    name: snapshot,
    range: '',
    code: 'version-unknown',
    reason:
      'Packages that the project takes from this snapshot are in no file, so they are unknown. To test them too, run cabal freeze and send cabal.project.freeze',
    requiredBy,
  }
}

function readFreeze({ text, file }: Source, options: ReadOptions): Reading {
  const { constraints, repositories } = parseFreeze(text, file)
  const packages = new Map<string, LockedPackage>()
  const unresolved: Unresolved[] = repositories.map((name) => ({
    name,
    range: '',
    code: 'not-from-registry',
    reason: 'Packages may come from this repository too, so advisories of Hackage may or may not apply to them',
    requiredBy: 'cabal.project.freeze',
  }))
  for (const { name, version, range, line } of constraints) {
    if (version !== undefined) packages.set(`${name} ${version}`, { name, version, requires: [] })
    else {
      const reason = 'The constraint names no single version. Run cabal freeze'
      unresolved.push({ name, range, code: 'version-unknown', reason, requiredBy: 'cabal.project.freeze', line })
    }
  }
  return readLocked(
    {
      name: '',
      version: '',
      lock: { name: 'cabal.project.freeze', file, update: 'cabal freeze' },
      manifestName: 'cabal.project.freeze',
      packages,
      direct: undefined,
      versions: hackageVersions,
      unresolved,
      filesRead: ['cabal.project.freeze'],
    },
    options,
  )
}

function readStack({ text, file }: Source, declared: StackFile | undefined, options: ReadOptions): Reading {
  const lock = parseStackLock({ text, file })
  const packages = new Map(lock.packages.map((one): [string, LockedPackage] => [one.name, { ...one, requires: [] }]))
  if (packages.size < lock.packages.length) throw new Unreadable('stack.yaml.lock has a package twice', { file })
  const direct = declared?.packages
    .filter(({ name, elsewhere }) => elsewhere === undefined || packages.has(name))
    .map(({ name, version, elsewhere }): Requirement => {
      const range = elsewhere === undefined ? `==${version}` : ''
      return { key: packages.has(name) ? name : undefined, name, range, kind: 'prod' }
    })
  const snapshots = lock.snapshots.length > 0 ? lock.snapshots : (declared?.snapshots ?? [])
  return readLocked(
    {
      name: '',
      version: '',
      lock: { name: 'stack.yaml.lock', file, update: 'stack build --dry-run' },
      manifestName: declared === undefined ? 'stack.yaml.lock' : 'stack.yaml',
      packages,
      // Packages that the configuration has under other names, such as those of repositories, are direct too.
      direct: direct && [
        ...direct,
        ...lock.packages.filter(({ name }) => !direct.some((one) => one.name === name)).map(toDirect),
      ],
      versions: hackageVersions,
      unresolved: snapshots.map((snapshot) => toUnknown(snapshot, 'stack.yaml.lock')),
      filesRead: ['stack.yaml.lock', ...(declared === undefined ? [] : ['stack.yaml'])],
    },
    options,
  )
}

function toDirect({ name }: { readonly name: string }): Requirement {
  return { key: name, name, range: '', kind: 'prod' }
}
