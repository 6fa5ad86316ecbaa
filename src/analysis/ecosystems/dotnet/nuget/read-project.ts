import type { Unresolved } from '#analysis/dependency-graph.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { nugetVersions, parseNuGetRange } from '#analysis/versions/nuget.ts'
import type { Manifest, Reading, ReadOptions } from '../../ecosystem.ts'
import type { LockedPackage, LockedProject, Requirement } from '../../locked/locked-project.ts'
import { readLocked } from '../../locked/read-locked.ts'
import { type Declared, readUnlocked } from '../../locked/read-unlocked.ts'
import { checkLock, devNamesOf } from './check-lock.ts'
import { type LockSection, parseAssets, parsePackagesLock } from './lock-sections.ts'
import { lowerBounds, mergeSections } from './locked-sections.ts'
import { type EvaluatedProject, evaluatePackages, type PackageDeclaration } from './package-items.ts'
import { parsePackagesConfig } from './packages-config.ts'
import { type ProjectFiles, sortFiles } from './project-files.ts'

/** A project with the packages that its files declare. */
interface Context {
  readonly files: ProjectFiles
  readonly projects: readonly EvaluatedProject[]
  readonly options: ReadOptions
}

/**
 * Reads a project by its packages.lock.json, else by its packages.config or project.assets.json, else by the versions
 * that its project file declares.
 */
export function readProject(manifest: Manifest, options: ReadOptions): Reading {
  const files = sortFiles(manifest)
  const context = { files, projects: files.projects.map(evaluatePackages), options }
  if (files.lock !== undefined) return readLock(context, files.lock)
  if (files.configs.length > 0) return readConfigs(context)
  if (files.assets !== undefined) return readAssets(context, files.assets)
  if (files.projects.length === 0) {
    throw new Unreadable('Neither a lockfile nor a project file was sent. Send one of them as the target')
  }
  return readDeclarations(context)
}

type Lock = NonNullable<ProjectFiles['lock']>

function readLock(context: Context, { file, json }: Lock): Reading {
  const name = context.files.nameOf(file)
  const { version, sections } = parsePackagesLock(json(), file)
  const lock = { name, file, update: 'dotnet restore --force-evaluate' }
  return readSections(context, sections, { lock, label: `${name} (version ${version})` })
}

function readAssets(context: Context, { file, json }: Lock): Reading {
  const name = context.files.nameOf(file)
  const assets = parseAssets(json(), file)
  const errors = assets.errors.map(
    ({ name: library, message }): Unresolved => ({
      name: shorten(library),
      range: '',
      code: 'version-unknown',
      reason: `dotnet restore failed: ${shorten(message)}`,
      requiredBy: name,
    }),
  )
  const lock = { name, file, update: 'dotnet restore' }
  const reading = readSections(context, assets.sections, { lock, label: name, ...assets })
  return { ...reading, unresolved: [...errors, ...reading.unresolved] }
}

interface LockInput {
  readonly lock: LockedProject['lock']
  readonly label: string
  readonly name?: string
  readonly version?: string
}

function readSections(context: Context, sections: readonly LockSection[], input: LockInput): Reading {
  const { lock, label } = input
  const graph = mergeSections(sections, lock.name)
  const manifestName = manifestNameOf(context) ?? lock.name
  const checks = context.projects.map((project) => checkLock(project, sections, { lockName: lock.name, manifestName }))
  const isDev = ({ name, kind }: Requirement) =>
    kind === 'dev' || (checks.length > 0 && checks.every(({ devNames }) => devNames.has(name.toLowerCase())))
  const configs = context.files.configs.flatMap(({ file, xml }) => parsePackagesConfig(xml(), file))
  const lacking = configs
    .filter(({ name, version }) => !graph.packages.has(`${name}@${version}`.toLowerCase()))
    .map(({ name, version }): Requirement => ({ key: undefined, name, range: `[${version}]`, kind: 'prod' }))
  return readLocked(
    {
      name: context.projects[0]?.name || input.name || '',
      version: context.projects[0]?.version || input.version || '',
      lock,
      manifestName,
      packages: graph.packages,
      direct: [
        ...graph.direct.map((requirement) =>
          isDev(requirement) ? { ...requirement, kind: 'dev' as const } : requirement,
        ),
        ...checks.flatMap(({ missing }) => missing),
        ...lacking,
      ],
      versions: lowerBounds,
      unresolved: [...graph.unresolved, ...checks.flatMap(({ unresolved }) => unresolved)],
      filesRead: [label, ...filesReadOf(context)],
    },
    context.options,
  )
}

/** Reads packages.config, which lists every installed package with its version. */
function readConfigs(context: Context): Reading {
  const { configs, nameOf } = context.files
  const packages = new Map<string, LockedPackage>()
  const direct: Requirement[] = []
  const unresolved: Unresolved[] = []
  const name = nameOf(configs[0]!.file)
  for (const { name: id, version, allowed, isDev, element } of configs.flatMap(({ file, xml }) =>
    parsePackagesConfig(xml(), file),
  )) {
    const key = `${id}@${version}`.toLowerCase()
    packages.set(key, { name: id, version, requires: [] })
    direct.push({
      key,
      name: id,
      range: version === '' ? '' : `[${version}]`,
      kind: isDev ? 'dev' : 'prod',
      line: element.line,
    })
    if (allowed === '' || nugetVersions.satisfies(version, allowed)) continue
    const reason = `Its version ${shorten(version)} is not in allowedVersions; run nuget update ${name}`
    unresolved.push({
      name: id,
      range: allowed,
      code: 'lockfile-contradiction',
      reason,
      requiredBy: name,
      line: element.line,
    })
  }
  const declared = context.projects.flatMap((project) => [...project.frameworks.values()].flat())
  const others = toDeclared(declared, name).filter(
    (one) => !direct.some((requirement) => requirement.name.toLowerCase() === one.name.toLowerCase()),
  )
  const reading = readLocked(
    {
      name: context.projects[0]?.name ?? '',
      version: context.projects[0]?.version ?? '',
      lock: { name, file: configs[0]!.file, update: `nuget update ${name}` },
      manifestName: name,
      packages,
      direct: [
        ...direct,
        ...others.map(({ name, range }): Requirement => ({ key: undefined, name, range, kind: 'prod' })),
      ],
      versions: nugetVersions,
      unresolved,
      filesRead: [...configs.map(({ file }) => nameOf(file)), ...filesReadOf(context)],
    },
    context.options,
  )
  return reading
}

/** Reads a project file without a lock: NuGet takes the lowest version that is allowed. */
function readDeclarations(context: Context): Reading {
  const [project] = context.projects
  const manifestName = manifestNameOf(context)!
  const all = context.projects.flatMap(({ frameworks }) => [...frameworks.values()].flat())
  const dev = new Set(context.projects.flatMap((one) => [...devNamesOf(one)]))
  const declared = toDeclared(all, context.files.nameOf(context.files.projects[0]!.project.file))
  return readUnlocked(
    {
      name: project!.name,
      version: project!.version,
      manifestName,
      remedy: REMEDY,
      declared: declared.map((one) => ({ ...one, kind: dev.has(one.name.toLowerCase()) ? 'dev' : 'prod' })),
      unresolved: context.projects.flatMap(({ unreadImports }) =>
        unreadImports.map(
          (path): Unresolved => ({
            name: shorten(path),
            range: '',
            code: 'not-static',
            reason: 'It is imported but was not sent, so packages and versions that it declares are unknown',
            requiredBy: manifestName,
          }),
        ),
      ),
      filesRead: filesReadOf(context),
    },
    context.options,
  )
}

const REMEDY = 'Set RestorePackagesWithLockFile to true, run dotnet restore and commit packages.lock.json'

/** Returns what is known of each declared package, once for each version. */
function toDeclared(declarations: readonly PackageDeclaration[], projectName: string): Declared[] {
  const byKey = new Map(declarations.map((one) => [`${one.name.toLowerCase()}\n${one.range}\n${one.undecided}`, one]))
  return [...byKey.values()].map(({ name, range, item, written, undecided }): Declared => {
    const bounds = range === undefined ? undefined : parseNuGetRange(range)
    const isExact = bounds?.min !== undefined && bounds.max === bounds.min
    const isMinimum =
      bounds?.min !== undefined && bounds.max === undefined && bounds.includesMin && !/[[(]/.test(range!)
    const version = bounds !== undefined && !bounds.isFloating && (isExact || isMinimum) ? bounds.min : undefined
    const parts = [
      undecided.length > 0 &&
        `It is declared only if ${shorten(undecided.join(' and '))}, which the files do not decide`,
      version === undefined
        ? describeRange(range, written?.text)
        : isMinimum &&
          `Tested with ${version}, the lowest version that it allows, which NuGet takes unless another package requires a higher one`,
      version !== undefined && 'The packages that it requires are unknown without a lockfile',
    ]
    const isHere = item.file.path === undefined || item.file.path.endsWith(projectName)
    return {
      name,
      range: range ?? written?.text ?? '',
      kind: 'prod',
      ...(isHere && { line: item.line }),
      ...(version !== undefined && { version }),
      reason: `${parts.filter(Boolean).join('. ')}. ${REMEDY}`,
    }
  })
}

function describeRange(range: string | undefined, written: string | undefined): string {
  if (range !== undefined) {
    return parseNuGetRange(range) === undefined
      ? `"${shorten(range)}" is not a range of NuGet`
      : 'Its version depends on what the registry publishes'
  }
  return written === undefined || written === ''
    ? 'The files that were sent declare no version of it'
    : `Its version ${shorten(written)} is not set by the files that were sent`
}

function manifestNameOf({ files }: Context): string | undefined {
  const [first] = files.projects
  return first === undefined ? undefined : files.nameOf(first.project.file)
}

function filesReadOf({ files }: Context): string[] {
  const read = files.projects.flatMap(({ project, before, after }) => [project, ...before, ...after])
  return [...new Set(read)].map(({ file, path }) => path ?? files.nameOf(file))
}
