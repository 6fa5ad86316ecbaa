import { type IdentifiedFile, identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { hexVersions } from '#analysis/versions/hex.ts'
import type { Manifest, Reading, ReadOptions } from '../../ecosystem.ts'
import type { LockedPackage, Requirement } from '../../locked/locked-project.ts'
import { readLocked } from '../../locked/read-locked.ts'
import { readUnlocked } from '../../locked/read-unlocked.ts'
import { type BeamLock, parseMixLock, parseRebarLock } from './beam-lock.ts'
import { type BeamDependency, type BeamManifest, parseMixExs, parseRebarConfig } from './declarations.ts'

const NO_EDGES = 'A rebar.lock does not tell which package requires which: every package is a direct dependency.'
const UNKNOWN_EDGES =
  'mix.lock does not tell what packages outside of Hex require, so packages for development are tested too.'

const mix = { lock: 'mix.lock', manifest: 'mix.exs', update: 'mix deps.get', parse: parseMixExs } as const
const rebar = { lock: 'rebar.lock', manifest: 'rebar.config', update: 'rebar3 lock', parse: parseRebarConfig } as const

/** Reads a mix.lock or rebar.lock with the files that declare its packages, or such files alone. */
export function readHex(manifest: Manifest, options: ReadOptions): Reading {
  const files = identifyFiles('hex', manifest)
  const [target] = files
  const tool = target.kind === rebar.lock || target.kind === rebar.manifest ? rebar : mix
  const own = files.filter(({ kind }) => kind === tool.lock || kind === tool.manifest)
  const [lock, second] = own.filter(({ kind }) => kind === tool.lock)
  if (second !== undefined) throw new Unreadable(`Two files of the kind ${tool.lock} were sent`, { file: second.file })
  const sent = own.filter(({ kind }) => kind === tool.manifest)
  const manifests = sent.map(({ text }) => tool.parse(text))
  const declared = manifests.flatMap(({ dependencies }, at) =>
    dependencies.map((dependency) => ({ ...dependency, ...placeOf(sent[at]!) })),
  )
  const about = {
    name: manifests[0]?.name ?? '',
    version: manifests[0]?.version ?? '',
    manifestName: tool.manifest,
    filesRead: own.map(({ kind }) => kind),
  }
  if (lock === undefined) {
    const remedy = `Run ${tool.update} and commit ${tool.lock}.`
    const reading = readUnlocked({ ...about, remedy, declared: declared.flatMap(withPin), unresolved: [] }, options)
    return manifests.every(({ isStatic }) => isStatic) ? reading : withUnknown(reading, tool)
  }
  const packages = tool === mix ? parseMixLock(lock.text, lock.file) : parseRebarLock(lock.text, lock.file)
  const project = {
    ...about,
    lock: { name: tool.lock, file: lock.file, update: tool.update },
    packages: checkable(packages, manifests),
    versions: hexVersions,
    unresolved: [],
  }
  if (tool === rebar) {
    const direct = [...declared.flatMap((one) => toRequirement(one, packages, true)), ...undeclared(packages, declared)]
    const reading = readLocked({ ...project, direct }, options)
    return { ...reading, boundsMet: packages.size === 0 ? [] : [NO_EDGES] }
  }
  const isComplete = manifests.every(({ isStatic }) => isStatic)
  const direct = declared.flatMap((one) => toRequirement(one, packages, isComplete))
  const hasUnknown = hasUnknownEdges(packages, manifests)
  const withDev = { ...options, includeDev: options.includeDev || hasUnknown }
  const reading = readLocked({ ...project, direct: declared.length === 0 ? undefined : direct }, withDev)
  const isNoted = hasUnknown && !options.includeDev && declared.some(({ kind }) => kind === 'dev')
  return isNoted ? { ...reading, boundsMet: [...reading.boundsMet, UNKNOWN_EDGES] } : reading
}

function placeOf({ file }: IdentifiedFile) {
  return file === 'target' ? {} : { file: `additional file ${file + 1}` }
}

/** Returns the requirement of a declaration; none for projects of the repository and what the lock need not have. */
function toRequirement(one: Placed, packages: BeamLock, isComplete: boolean): Requirement[] {
  const { app, name, range, kind, line, source, file } = one
  const isNeeded = isComplete && kind !== 'optional' && source !== 'path' && source !== 'umbrella'
  if (!isNeeded && !packages.has(app)) return []
  return [{ key: app, name, range: source === 'git' ? '' : range, kind, line, ...(file !== undefined && { file }) }]
}

type Placed = BeamDependency & { readonly file?: string }

/**
 * Leaves out optional requirements that are not locked, and ranges that do not hold: those of packages that the project
 * overrides, those of leftovers that nothing requires, and all unless the manifest tells.
 */
function checkable(packages: BeamLock, manifests: readonly BeamManifest[]): Map<string, LockedPackage> {
  const isKnown = manifests.length > 0 && manifests.every(({ isStatic }) => isStatic)
  const overridden = new Set(
    manifests.flatMap(({ dependencies }) => dependencies.flatMap(({ app, isOverride }) => (isOverride ? [app] : []))),
  )
  const used = new Set(manifests.flatMap(({ dependencies }) => dependencies.map(({ app }) => app)))
  for (const app of used) for (const { key } of packages.get(app)?.requires ?? []) used.add(key!)
  return new Map(
    [...packages].map(([app, entry]) => {
      const requires = entry.requires.flatMap((requirement): Requirement[] => {
        const key = requirement.key!
        if (requirement.kind === 'optional' && !packages.has(key)) return []
        return [isKnown && used.has(app) && !overridden.has(key) ? requirement : { ...requirement, range: '' }]
      })
      return [app, { ...entry, requires }]
    }),
  )
}

/** Returns true if packages of git or of folders may require others, which the lock does not tell. */
function hasUnknownEdges(packages: BeamLock, manifests: readonly BeamManifest[]): boolean {
  const members = new Set(manifests.map(({ name }) => name))
  const isUnknown = ({ app, source }: BeamDependency) => source === 'path' && !members.has(app)
  return (
    manifests.some(({ dependencies, isStatic }) => !isStatic || dependencies.some(isUnknown)) ||
    [...packages.values()].some(({ commit }) => commit !== undefined)
  )
}

function undeclared(packages: BeamLock, declared: readonly BeamDependency[]): Requirement[] {
  const names = new Set(declared.filter(({ kind }) => kind !== 'dev').map(({ app }) => app))
  return [...packages].flatMap(([key, { name }]) => (names.has(key) ? [] : [{ key, name, range: '', kind: 'prod' }]))
}

/** A requirement of a single version leaves Hex no choice. */
function withPin({ source, ...one }: Placed) {
  if (source === 'umbrella') return []
  const version = hexVersions.isValid(one.range.replace(/^==\s*/, '')) ? one.range.replace(/^==\s*/, '') : undefined
  const reason =
    source === undefined
      ? undefined
      : `It comes from ${source === 'git' ? 'a git repository' : 'a folder'}: advisories may or may not apply to it`
  const pin = source === undefined && version !== undefined ? { version } : {}
  return [{ ...one, ...pin, ...(reason !== undefined && { reason }) }]
}

/** Reports a manifest without a lock whose dependencies depend on running it. */
function withUnknown(reading: Reading, { manifest, lock, update }: typeof mix | typeof rebar): Reading {
  const reason = `Running ${manifest} may add dependencies. Run ${update} and commit ${lock}.`
  const unknown = { name: manifest, range: '', code: 'not-static' as const, reason, requiredBy: manifest }
  return { ...reading, unresolved: [...reading.unresolved, unknown] }
}
