import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { filesBeside, isWanted } from '#analysis/discovery/projects-in-tree/find-projects.ts'
import type { Tree, TreeProject } from '#analysis/discovery/projects-in-tree/tree.ts'
import { fixturesOf } from '../fixture-folders.ts'
import { serveHttp } from '../servers/local-server.ts'
import { sampleOf } from '../volume.ts'
import { npmProject } from './imports.ts'

/** Files of a repository by their paths. */
export type TreeFiles = ReadonlyMap<string, string>

const shared = path.join(import.meta.dirname, '../../../../shared/data/manifests')

/** The reason for which the real manifests are missing; false if present. */
export const sharedIsMissing: string | false = existsSync(shared) ? false : 'needs ../shared'

/** Ten small manifests of every kind, one of them broken, from the golden cases. */
export function smallTree(): TreeFiles {
  const cases: readonly [ecosystem: string, fixture: string][] = [
    ['npm', 'alias'],
    ['yarn', 'v1-resolutions'],
    ['rubygems', 'groups'],
    ['govendor', 'versions'],
    ['pip', 'locked'],
    ['maven', 'properties'],
    ['gradle', 'lockfile'],
    ['sbt', 'newest-wins'],
  ]
  const files = new Map<string, string>()
  for (const [ecosystem, fixture] of cases) {
    const from = path.join(fixturesOf(ecosystem), fixture)
    for (const file of readdirSync(from)) {
      if (file === 'expected.json' || file === 'registry.json') continue
      const folder = ecosystem === 'govendor' ? 'go/vendor' : ecosystem
      files.set(`${folder}/${file}`, readFileSync(path.join(from, file), 'utf8'))
    }
  }
  for (const { path: at, content } of npmProject('app', 'lodash', '4.17.4')) files.set(String(at), String(content))
  files.set('broken/package.json', '{"dependencies": {')
  return files
}

/** The real manifests of some projects of each kind, and generated ones, of which some are broken. */
export function largeTree(made: number): TreeFiles {
  const files = new Map<string, string>()
  const folders = globSync('*/', { cwd: shared }).flatMap((kind) => sampleOf(globSync(`${kind}/*`, { cwd: shared })))
  for (const folder of folders) {
    for (const entry of readdirSync(path.join(shared, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const file = path.join(entry.parentPath, entry.name)
      files.set(path.relative(shared, file), readFileSync(file, 'utf8'))
    }
  }
  for (let n = 0; n < made; n++) {
    if (n % 20 === 0) files.set(`made/p${n}/package.json`, '{"name": "cut o')
    else
      for (const { path: at, content } of npmProject(`made/p${n}`, `made-${n % 50}`, `1.${n}.0`))
        files.set(String(at), String(content))
  }
  return files
}

export function toTree(files: TreeFiles): Tree {
  return {
    paths: new Set([...files.keys()].filter(isWanted)),
    read: async (paths) => new Map(paths.flatMap((at) => (files.has(at) ? [[at, files.get(at)!]] : []))),
  }
}

/** The body of a package test of the same files, by hand. */
export async function toTestBody(project: TreeProject, files: TreeFiles): Promise<object> {
  const beside = await filesBeside(project, toTree(files))
  // Requests have no names of files but this one.
  const withPath = (seen: string, content: string) =>
    project.ecosystem === 'pip' ? `# file: ${seen}\n${content}` : content
  // Requests contain no file names, so that the kind of an empty file cannot be recognized.
  const companions = beside.filter(({ path: at }) => files.get(at)!.trim() !== '')
  const additional = companions.map(({ path: at, seen }) => ({ contents: withPath(seen, files.get(at)!) }))
  return { files: { target: { contents: files.get(project.path)! }, additional } }
}

/** Registries without packages, for `startApp`: tests use only the data in files. */
export async function emptyRegistries() {
  const server = await serveHttp((_request, response) => void response.writeHead(404).end())
  const { url } = server
  return {
    environment: {
      GATEHOUSE_NPM_REGISTRY: url,
      GATEHOUSE_PYPI_URL: url,
      GATEHOUSE_RUBYGEMS_URL: url,
      GATEHOUSE_MAVEN_REPOSITORIES: url,
      GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1',
    },
    close: () => server[Symbol.asyncDispose](),
  }
}

/** Files by path; irrelevant content is empty. */
export function treeOf(files: Readonly<Record<string, string>>): Tree {
  return {
    paths: new Set(Object.keys(files).filter(isWanted)),
    read: async (paths) => new Map(paths.flatMap((path) => (path in files ? [[path, files[path]!]] : []))),
  }
}
