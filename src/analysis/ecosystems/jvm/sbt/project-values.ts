import { namesOfPlugins } from './known-plugins.ts'
import {
  flat,
  type Given,
  isNothing,
  type Platform,
  type Project,
  type SourcePosition,
  toText,
  toUnknown,
  type Value,
  whyUnknown,
} from './values.ts'

export const plainProject: Project = {
  id: undefined,
  folder: undefined,
  settings: [],
  dependsOn: [],
  plugins: [],
  platform: 'jvm',
  parts: [],
  ofParts: [],
}

const platforms: readonly { readonly platform: Platform; readonly name: string; readonly suffix: string }[] = [
  { platform: 'jvm', name: 'JVMPlatform', suffix: 'JVM' },
  { platform: 'js', name: 'JSPlatform', suffix: 'JS' },
  { platform: 'native', name: 'NativePlatform', suffix: 'Native' },
]

interface ProjectCall {
  readonly args: readonly Given[]
  readonly place: SourcePosition
}

/** Evaluates `Project("id", file("folder"), …)`. */
export function beginProject({ args, place }: ProjectCall): Value {
  const of = (name: string, at: number) =>
    (args.find((arg) => arg.name === name) ?? args.filter((arg) => arg.name === undefined)[at])?.value
  const [id, base, settings] = [of('id', 0), of('base', 1), args.find((arg) => arg.name === 'settings')?.value]
  const project = {
    ...plainProject,
    id: id?.kind === 'text' ? id.text : undefined,
    folder: base?.kind === 'text' ? folderOf(base.text) : undefined,
  }
  return { kind: 'project', project: settings === undefined ? project : withSettings(project, [settings], place) }
}

/** Evaluates `crossProject(JVMPlatform, JSPlatform)` and `CrossProject("id", file("folder"))(…)`. */
export function beginCrossProject({ args, place }: ProjectCall): Value {
  const requested = platforms.filter(({ name }) =>
    args.some(({ value }) => value.kind === 'external' && value.name.endsWith(name)),
  )
  const parts = requested.map(({ platform }) => platform)
  if (parts.length > 0) return { kind: 'project', project: { ...plainProject, parts } }
  const begun = beginProject({ args, place })
  return {
    kind: 'function',
    call(more) {
      const made = beginCrossProject({ args: more.map((value) => ({ name: undefined, value })), place })
      if (made.kind !== 'project' || begun.kind !== 'project') return toUnknown('a cross project is not read', place)
      return { kind: 'project', project: { ...made.project, id: begun.project.id, folder: begun.project.folder } }
    },
  }
}

type Method = (project: Project, args: readonly Value[], place: SourcePosition) => Project | Value

function configure(project: Project, args: readonly Value[], place: SourcePosition): Value {
  let current: Value = { kind: 'project', project }
  for (const argument of args.flatMap((one) => (one.kind === 'list' ? one.items : [one]))) {
    const made: Value = argument.kind === 'function' ? argument.call([current]) : argument
    if (made.kind === 'project') current = made
    else if (current.kind === 'project') current = withUnread(current.project, placed(made, place))
  }
  return current
}

const methods: Readonly<Record<string, Method>> = {
  in: (project, [base]) => ({ ...project, folder: base?.kind === 'text' ? folderOf(base.text) : project.folder }),
  withId: (project, [id]) => ({ ...project, id: id?.kind === 'text' ? id.text : project.id }),
  settings: withSettings,
  aggregate: (project, args, place) => {
    const unknown = args.flatMap(flat).filter((value) => value.kind === 'unknown' || value.kind === 'external')
    return withSettings(project, unknown, place)
  },
  configs: (project) => project,
  disablePlugins: (project) => project,
  crossType: (project) => project,
  withoutSuffixFor: (project) => project,
  enablePlugins: (project, args, place) => {
    const names = namesOfPlugins(args)
    const platform = names.some((name) => name.endsWith('ScalaJSPlugin'))
      ? 'js'
      : names.some((name) => name.endsWith('ScalaNativePlugin'))
        ? 'native'
        : project.platform
    return { ...project, platform, plugins: [...project.plugins, ...names], place }
  },
  dependsOn: withDependencies,
  configure,
  platformsSettings: (project, args, place) => ({
    kind: 'function',
    call: (more) => ({
      kind: 'project',
      project: platforms
        .filter(({ name }) => args.some((arg) => arg.kind === 'external' && arg.name.endsWith(name)))
        .reduce((current, { platform }) => ofPart(current, platform, more, place), withSettings(project, [], place)),
    }),
  }),
  ...Object.fromEntries(
    platforms.flatMap(({ platform }): [string, Method][] => [
      [platform, (project) => partOf(project, platform)],
      [`${platform}Settings`, (project, args, place) => ofPart(project, platform, args, place)],
      [`${platform}Configure`, configure],
    ]),
  ),
  project: (project) => project,
  id: (project, _given, place) =>
    project.id === undefined ? toUnknown('a project has no name', place) : toText(project.id),
}

/** Evaluates a method of projects; undefined if unknown. */
export function callOnProject(
  project: Project,
  name: string,
  args: readonly Given[],
  place: SourcePosition,
): Value | undefined {
  if (!Object.hasOwn(methods, name)) return undefined
  const result = methods[name]!(
    project,
    args.map(({ value }) => value),
    place,
  )
  return 'kind' in result ? result : { kind: 'project', project: result }
}

function withSettings(project: Project, args: readonly Value[], place: SourcePosition): Project {
  return {
    ...project,
    settings: [...project.settings, ...args.flatMap(flat).map((setting) => placed(setting, place))],
  }
}

/** Labels a value that is no setting with its position. */
export function placed(value: Value, place: SourcePosition): Value {
  if (value.kind === 'setting' || value.kind === 'unknown' || isNothing(value)) return value
  return toUnknown(whyUnknown(value), place)
}

function ofPart(project: Project, platform: Platform, args: readonly Value[], place: SourcePosition): Project {
  const settings = args.flatMap(flat).map((setting) => placed(setting, place))
  return { ...project, ofParts: [...project.ofParts, { platform, settings }] }
}

/** Returns one project of a cross project; a plain one itself. */
export function partOf(project: Project, platform: Platform): Project {
  if (project.parts.length === 0) return project
  const suffix = platforms.find((candidate) => candidate.platform === platform)?.suffix ?? ''
  return {
    ...project,
    id: project.id === undefined ? undefined : `${project.id}${suffix}`,
    settings: [
      ...project.settings,
      ...project.ofParts.filter((part) => part.platform === platform).flatMap(({ settings }) => settings),
    ],
    platform,
    parts: [],
    ofParts: [],
  }
}

function withDependencies(project: Project, args: readonly Value[], place: SourcePosition): Project {
  const dependsOn = [...project.dependsOn]
  const unread: Value[] = []
  for (const dependency of args.flatMap(flat)) {
    if (dependency.kind === 'project' && dependency.project.id !== undefined) {
      dependsOn.push({ project: dependency.project.id, configurations: undefined })
    } else if (dependency.kind === 'reference') dependsOn.push(dependency)
    else unread.push(dependency)
  }
  return withSettings({ ...project, dependsOn }, unread, place)
}

/** Returns the project with an unknown setting added. */
export function withUnread(project: Project, unknown: Value): Value {
  return { kind: 'project', project: { ...project, settings: [...project.settings, unknown] } }
}

function folderOf(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? path
}
