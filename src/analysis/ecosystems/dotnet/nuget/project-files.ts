import { type IdentifiedFile, identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { parseXml } from '#analysis/documents/xml.ts'
import type { Manifest } from '../../ecosystem.ts'
import { isProject, type MsbuildFile, type MsbuildProject, normalize } from './msbuild.ts'

/** The files of a project by their use. */
export interface ProjectFiles {
  readonly lock: IdentifiedFile | undefined
  readonly assets: IdentifiedFile | undefined
  readonly configs: readonly IdentifiedFile[]
  readonly projects: readonly MsbuildProject[]
  /** Returns the name of a file, for messages. */
  nameOf(file: 'target' | number): string
}

const PROJECT = /\.(?:cs|fs|vb)proj$/i

export function sortFiles(manifest: Manifest): ProjectFiles {
  const { places } = manifest
  const files = identifyFiles('nuget', manifest)
  const pathOf = (file: 'target' | number) =>
    file === 'target' ? places?.target.replace(/^.*\//, '') : places?.additional[file]
  const ofKind = (kind: string) => files.filter((file) => file.kind === kind)
  const [lock, secondLock] = ofKind('packages.lock.json')
  if (secondLock !== undefined) {
    throw new Unreadable('A second packages.lock.json was sent. Send the lockfile of one project', {
      file: secondLock.file,
    })
  }
  const msbuild = files
    .filter(({ kind }) => kind === 'csproj' || kind === 'Directory.Packages.props')
    .map((file) => toMsbuildFile(file, pathOf(file.file)))
  const projects = msbuild.filter(({ path, root }) => (path === undefined ? isProject(root) : PROJECT.test(path)))
  const settings = msbuild.filter((file) => !projects.includes(file))
  return {
    lock,
    assets: ofKind('project.assets.json')[0],
    configs: ofKind('packages.config'),
    projects: projects.map((project) => toProject(project, settings)),
    nameOf: (file) => pathOf(file)?.replace(/^.*\//, '') ?? files.find((one) => one.file === file)!.kind,
  }
}

function toMsbuildFile({ file, text }: IdentifiedFile, path: string | undefined): MsbuildFile {
  // Positions count from the byte order mark, which identification removes.
  const root = parseXml({ file, text })
  return { file, text, path: path === undefined ? undefined : normalize(path.replaceAll('\\', '/')), root }
}

function toProject(project: MsbuildFile, settings: readonly MsbuildFile[]): MsbuildProject {
  const nearestOf = (name: string) => nearest(settings, name, project)
  const unnamed = settings.filter(({ path }) => path === undefined)
  const isCentral = ({ text }: MsbuildFile) => text.includes('<PackageVersion')
  const byPath = new Map(settings.map((file) => [file.path, file]))
  return {
    project,
    before: [
      ...nearestOf('Directory.Build.props'),
      ...unnamed.filter((file) => !isCentral(file)),
      ...nearestOf('Directory.Packages.props'),
      ...unnamed.filter(isCentral),
    ],
    after: nearestOf('Directory.Build.targets'),
    find: (path) => byPath.get(path),
  }
}

/** Returns the file of a name in the nearest folder at or above the project's. */
function nearest(settings: readonly MsbuildFile[], name: string, project: MsbuildFile): MsbuildFile[] {
  const limit = depthOf(project.path ?? '')
  const above = settings
    .filter(({ path }) => path?.replace(/^.*\//, '').toLowerCase() === name.toLowerCase() && depthOf(path) <= limit)
    .sort((a, b) => depthOf(b.path!) - depthOf(a.path!))
  return above.slice(0, 1)
}

/** Returns the number of folders below the target's; negative above it. */
function depthOf(path: string): number {
  return path.split('/').reduce((depth, part) => depth + (part === '..' ? -1 : 1), 0)
}
