import { isBuiltin, toBinaryVersion } from './builtins.ts'
import { listsPackages } from './dropped-settings.ts'
import { Evaluation } from './evaluation.ts'
import { type BuildPlugins, readPlugins } from './plugins.ts'
import { partOf, placed, plainProject } from './project-values.ts'
import type { Scope } from './scope.ts'
import type { BuildFile, SentFiles } from './sent-files.ts'
import { createSettings, type Settings } from './settings.ts'
import {
  flat,
  isNothing,
  nothing,
  type Project,
  type SourcePosition,
  toBoolean,
  toList,
  toText,
  toUnknown,
  type Value,
} from './values.ts'

const NO_PROJECT = 'it is set in a project that nothing in what was sent defines'

/** A build definition, evaluated without running it. */
export interface Build {
  readonly projects: readonly OwnedProject[]
  readonly byAxis: ReadonlyMap<string, OwnedProject>
  /** The first project of each id. */
  readonly byId: ReadonlyMap<string | undefined, OwnedProject>
  readonly settings: Settings
  readonly evaluation: Evaluation
  readonly plugins: BuildPlugins
  /** Unknown values in place of settings. */
  readonly unread: readonly Value[]
  /** Places of package settings that the project includes. */
  readonly followed: readonly SourcePosition[]
}

export interface OwnedProject {
  /** Its name on the project axis of settings; unlike ids always unique. */
  readonly axis: string
  readonly project: Project
}

export function readBuild(files: SentFiles): Build {
  let resolvedSettings: Settings | undefined
  const evaluation = new Evaluation({
    // Settings requested during collection have no value yet.
    settingValue: (key, place) =>
      resolvedSettings?.current(key) ?? toUnknown(`${key.name} has no value that the files tell`, place),
  })
  const common = createCommonScope(files, evaluation)
  const target = evaluation.open(files.target.statements, common, files.target.file)
  const unread: Value[] = []
  const owned = new Map<string, OwnedProject>()
  const add = (axis: string, project: Project) => {
    const before = owned.get(axis)
    if (before === undefined || before.project.settings.length < project.settings.length)
      owned.set(axis, { axis, project })
  }
  for (const project of projectsIn(target)) add(project.id ?? '?', project)
  const isRoot = ({ project }: OwnedProject) => project.folder === '.' || project.folder === ''
  const root = [...owned.values()].find(isRoot) ?? {
    axis: 'root',
    project: { ...plainProject, id: 'root', folder: '.' },
  }
  if (!owned.has(root.axis)) owned.set(root.axis, root)
  const bare = new Map<string, Value[]>([[root.axis, bareSettings(files.target, target, evaluation)]])
  for (const file of files.below) {
    const scope = evaluation.open(file.statements, target, file.file)
    const own = projectsIn(scope)
    for (const project of own) add(`${file.file}:${project.id}`, project)
    const settings = bareSettings(file, scope, evaluation)
    const axis = axisOf(file, { own, settings, owned })
    if (!owned.has(axis)) owned.set(axis, { axis, project: { ...plainProject, id: axis, folder: axis } })
    bare.set(axis, [...(bare.get(axis) ?? []), ...settings])
  }
  const projects = [...owned.values()]
  const settings = createSettings({
    root: root.axis,
    defaultOf: (name, axis) => defaultOf(name, axis, { owned, settings, files }),
  })
  resolvedSettings = settings
  const ofPlugins = settingsOfPlugins(files, common, evaluation)
  const axes = new Set([...projects.map(({ axis }) => axis), '.', 'ThisBuild', 'Global'])
  const followed: SourcePosition[] = []
  for (const { axis, project } of projects) {
    for (const value of [...ofPlugins, ...project.settings, ...(bare.get(axis) ?? [])]) {
      if (value.kind === 'setting' && listsPackages(value.setting.key.name)) followed.push(value.setting.place)
      if (value.kind === 'setting' && axes.has(value.setting.key.project ?? axis)) settings.add(axis, value.setting)
      else if (value.kind === 'setting') unread.push(toUnknown(NO_PROJECT, value.setting.place))
      else if (!isNothing(value)) unread.push(value)
    }
  }
  const byId = new Map(projects.toReversed().map((project) => [project.project.id, project]))
  const plugins = readPlugins(files.plugins, evaluation)
  return { projects, byAxis: owned, byId, settings, evaluation, plugins, unread, followed }
}

/** Returns the scope of `project/*.scala` and of its automatic imports into build files. */
function createCommonScope(files: SentFiles, evaluation: Evaluation): Scope {
  const sources: Scope[] = []
  const isLookedUp = new Set<string>()
  const common: Scope = {
    file: 'target',
    names: new Set(),
    findOwn: () => undefined,
    findOwnExtension: () => undefined,
    findExtension: (name) =>
      [
        ...sources.map((source) => source.findOwnExtension(name)),
        ...sources.flatMap(objectsOf).map((object) => object.extension(name)),
      ].find((extension) => extension !== undefined),
    find(name) {
      for (const source of sources) if (source.names.has(name)) return source.findOwn(name)
      if (isBuiltin(name) || isLookedUp.has(name)) return undefined
      isLookedUp.add(name)
      try {
        const objects = sources.flatMap(objectsOf)
        const imported = objects
          .flatMap(({ find }) => find('autoImport') ?? [])
          .filter((value) => value.kind === 'object')
        return [...imported, ...objects].find((object) => object.names.has(name))?.find(name)
      } finally {
        isLookedUp.delete(name)
      }
    },
  }
  sources.push(...files.sources.map(({ statements, file }) => evaluation.open(statements, common, file)))
  return common
}

function objectsOf(scope: Scope): Extract<Value, { kind: 'object' }>[] {
  return [...scope.names].flatMap((name) => scope.findOwn(name) ?? []).filter((value) => value.kind === 'object')
}

/** Returns the projects among values; cross projects count one by one. */
function projectsIn(scope: {
  readonly names: ReadonlySet<string>
  findOwn(name: string): Value | undefined
}): Project[] {
  return [...scope.names].flatMap((name) => {
    const value = scope.findOwn(name)
    return value === undefined ? [] : flat(value).flatMap(partsOf)
  })
}

function partsOf(value: Value): Project[] {
  if (value.kind !== 'project') return []
  const { project } = value
  return project.parts.length === 0 ? [project] : project.parts.map((platform) => partOf(project, platform))
}

/** Returns settings that the build's own plugins (`project/*.scala`) give to every project with them. */
function settingsOfPlugins(files: SentFiles, common: Scope, evaluation: Evaluation): Value[] {
  return files.sources.flatMap(({ statements, file }) =>
    objectsOf(evaluation.open(statements, common, file)).flatMap(({ names, find }) =>
      ['projectSettings', 'buildSettings', 'globalSettings'].flatMap((name) =>
        names.has(name) ? flat(find(name) ?? nothing) : [],
      ),
    ),
  )
}

function bareSettings({ statements, file }: BuildFile, scope: Scope, evaluation: Evaluation): Value[] {
  return statements.flatMap((statement) => {
    if (statement.kind !== 'expression') return []
    const value = evaluation.evaluate(statement.value, scope)
    return value.kind === 'project' ? [] : flat(value).map((value) => placed(value, { file, line: statement.line }))
  })
}

interface Owners {
  readonly own: readonly Project[]
  readonly settings: readonly Value[]
  readonly owned: ReadonlyMap<string, OwnedProject>
}

/** Returns the project of a file's folder: the file defines its own root, or its `name` identifies it. */
function axisOf({ file, folder: place }: BuildFile, { own, settings, owned }: Owners): string {
  const root = own.find(({ folder }) => folder === '.')
  if (root !== undefined) return `${file}:${root.id}`
  const there = [...owned.values()].find(({ project: { folder } }) => folder === place)
  if (place !== undefined && there !== undefined) return there.axis
  const setting = settings.findLast((setting) => setting.kind === 'setting' && setting.setting.key.name === 'name')
  const value = setting?.kind === 'setting' ? setting.setting.read() : undefined
  if (value?.kind !== 'text') return `additional file ${Number(file) + 1}`
  const name = value.text.toLowerCase()
  const isAkin = ({ project: { id = '', folder = '' } }: OwnedProject) =>
    folder !== '.' &&
    [id, folder].some(
      (alias) => alias !== '' && (name === alias.toLowerCase() || name.endsWith(`-${alias.toLowerCase()}`)),
    )
  return [...owned.values()].find(isAkin)?.axis ?? `${value.text} (additional file ${Number(file) + 1})`
}

/** Returns sbt's own default of a setting. */
function defaultOf(
  name: string,
  axis: string,
  build: { readonly owned: Owners['owned']; readonly settings: Settings; readonly files: SentFiles },
): Value | undefined {
  const { owned, settings } = build
  const { sbtVersion } = build.files
  const id = owned.get(axis)?.project.id
  const scala = () => settings.valueIn(axis, 'scalaVersion')
  switch (name) {
    case 'scalaVersion':
      return toText(defaultScala(sbtVersion))
    case 'crossScalaVersions':
      return toList([scala() ?? nothing])
    case 'scalaBinaryVersion': {
      const version = scala()
      return version?.kind === 'text' ? toText(toBinaryVersion(version.text)) : version
    }
    case 'isDotty':
    case 'isScala3': {
      const version = scala()
      return version?.kind === 'text' ? toBoolean(/^[03]/.test(version.text)) : version
    }
    case 'scalaOrganization':
      return toText('org.scala-lang')
    case 'sbtVersion':
      return sbtVersion === undefined ? undefined : toText(sbtVersion)
    case 'sbtBinaryVersion':
      return toText(sbtVersion?.startsWith('0.13') ? '0.13' : '1.0')
    case 'name':
      return id === undefined ? undefined : toText(id)
    case 'version':
      return toText('0.1.0-SNAPSHOT')
    case 'autoScalaLibrary':
    case 'crossPaths':
      return toBoolean(true)
    case 'isSnapshot': {
      const version = settings.valueIn(axis, 'version')
      return version?.kind === 'text' ? toBoolean(version.text.endsWith('-SNAPSHOT')) : undefined
    }
    default:
      return lists.has(name) ? toList([]) : undefined
  }
}

const lists = new Set([
  'libraryDependencies',
  'dependencyOverrides',
  'excludeDependencies',
  'resolvers',
  'scalacOptions',
])

/** Returns the Scala version of sbt itself, the default of a build. */
function defaultScala(sbtVersion: string | undefined): string {
  if (sbtVersion?.startsWith('0.13')) return '2.10.7'
  return sbtVersion?.startsWith('2.') ? '3.7.4' : '2.12.20'
}
