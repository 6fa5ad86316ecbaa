import { namesOfPlugins } from './known-plugins.ts'
import {
  flat,
  type Given,
  isNothing,
  type Place,
  type Platform,
  type Project,
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
  readonly given: readonly Given[]
  readonly place: Place
}

/** Evaluates `Project("id", file("folder"), …)`. */
export function beginProject({ given, place }: ProjectCall): Value {
  const of = (name: string, at: number) =>
    (given.find((each) => each.name === name) ?? given.filter((each) => each.name === undefined)[at])?.value
  const [id, base, settings] = [of('id', 0), of('base', 1), given.find((each) => each.name === 'settings')?.value]
  const project = {
    ...plainProject,
    id: id?.kind === 'text' ? id.text : undefined,
    folder: base?.kind === 'text' ? folderOf(base.text) : undefined,
  }
  return { kind: 'project', project: settings === undefined ? project : withSettings(project, [settings], place) }
}

/** Evaluates `crossProject(JVMPlatform, JSPlatform)` and `CrossProject("id", file("folder"))(…)`. */
export function beginCrossProject({ given, place }: ProjectCall): Value {
  const named = platforms.filter(({ name }) =>
    given.some(({ value }) => value.kind === 'external' && value.name.endsWith(name)),
  )
  const parts = named.map(({ platform }) => platform)
  if (parts.length > 0) return { kind: 'project', project: { ...plainProject, parts } }
  const begun = beginProject({ given, place })
  return {
    kind: 'function',
    call(more) {
      const made = beginCrossProject({ given: more.map((value) => ({ name: undefined, value })), place })
      if (made.kind !== 'project' || begun.kind !== 'project') return toUnknown('a cross project is not read', place)
      return { kind: 'project', project: { ...made.project, id: begun.project.id, folder: begun.project.folder } }
    },
  }
}

type Method = (project: Project, given: readonly Value[], place: Place) => Project | Value

function configure(project: Project, given: readonly Value[], place: Place): Value {
  let found: Value = { kind: 'project', project }
  for (const each of given.flatMap((one) => (one.kind === 'list' ? one.items : [one]))) {
    const made: Value = each.kind === 'function' ? each.call([found]) : each
    if (made.kind === 'project') found = made
    else if (found.kind === 'project') found = withUnread(found.project, placed(made, place))
  }
  return found
}

const methods: Readonly<Record<string, Method>> = {
  in: (project, [base]) => ({ ...project, folder: base?.kind === 'text' ? folderOf(base.text) : project.folder }),
  withId: (project, [id]) => ({ ...project, id: id?.kind === 'text' ? id.text : project.id }),
  settings: withSettings,
  aggregate: (project, given, place) => {
    const unknown = given.flatMap(flat).filter((each) => each.kind === 'unknown' || each.kind === 'external')
    return withSettings(project, unknown, place)
  },
  configs: (project) => project,
  disablePlugins: (project) => project,
  crossType: (project) => project,
  withoutSuffixFor: (project) => project,
  enablePlugins: (project, given, place) => {
    const names = namesOfPlugins(given)
    const platform = names.some((name) => name.endsWith('ScalaJSPlugin'))
      ? 'js'
      : names.some((name) => name.endsWith('ScalaNativePlugin'))
        ? 'native'
        : project.platform
    return { ...project, platform, plugins: [...project.plugins, ...names], place }
  },
  dependsOn: withDependencies,
  configure,
  platformsSettings: (project, given, place) => ({
    kind: 'function',
    call: (more) => ({
      kind: 'project',
      project: platforms
        .filter(({ name }) => given.some((each) => each.kind === 'external' && each.name.endsWith(name)))
        .reduce((found, { platform }) => ofPart(found, platform, more, place), withSettings(project, [], place)),
    }),
  }),
  ...Object.fromEntries(
    platforms.flatMap(({ platform }): [string, Method][] => [
      [platform, (project) => partOf(project, platform)],
      [`${platform}Settings`, (project, given, place) => ofPart(project, platform, given, place)],
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
  given: readonly Given[],
  place: Place,
): Value | undefined {
  if (!Object.hasOwn(methods, name)) return undefined
  const found = methods[name]!(
    project,
    given.map(({ value }) => value),
    place,
  )
  return 'kind' in found ? found : { kind: 'project', project: found }
}

function withSettings(project: Project, given: readonly Value[], place: Place): Project {
  return { ...project, settings: [...project.settings, ...given.flatMap(flat).map((each) => placed(each, place))] }
}

/** Labels a value that is no setting with its position. */
export function placed(value: Value, place: Place): Value {
  if (value.kind === 'setting' || value.kind === 'unknown' || isNothing(value)) return value
  return toUnknown(whyUnknown(value), place)
}

function ofPart(project: Project, platform: Platform, given: readonly Value[], place: Place): Project {
  const settings = given.flatMap(flat).map((each) => placed(each, place))
  return { ...project, ofParts: [...project.ofParts, { platform, settings }] }
}

/** Returns one project of a cross project; a plain one itself. */
export function partOf(project: Project, platform: Platform): Project {
  if (project.parts.length === 0) return project
  const suffix = platforms.find((each) => each.platform === platform)?.suffix ?? ''
  return {
    ...project,
    id: project.id === undefined ? undefined : `${project.id}${suffix}`,
    settings: [
      ...project.settings,
      ...project.ofParts.filter((each) => each.platform === platform).flatMap(({ settings }) => settings),
    ],
    platform,
    parts: [],
    ofParts: [],
  }
}

function withDependencies(project: Project, given: readonly Value[], place: Place): Project {
  const dependsOn = [...project.dependsOn]
  const unread: Value[] = []
  for (const each of given.flatMap(flat)) {
    if (each.kind === 'project' && each.project.id !== undefined) {
      dependsOn.push({ project: each.project.id, configurations: undefined })
    } else if (each.kind === 'reference') dependsOn.push(each)
    else unread.push(each)
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
