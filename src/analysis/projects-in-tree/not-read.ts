import type { Tree, TreeProject } from './tree.ts'
import { folderOf, nameOf } from './tree-paths.ts'

/** Manifests and locks of unsupported package managers, by manager. */
const managers: Readonly<Record<string, readonly string[]>> = {
  Bazel: ['MODULE.bazel'],
  Bower: ['bower.json'],
  Cargo: ['Cargo.toml', 'Cargo.lock'],
  Carthage: ['Cartfile', 'Cartfile.resolved'],
  CocoaPods: ['Podfile', 'Podfile.lock'],
  Composer: ['composer.json', 'composer.lock'],
  Conan: ['conanfile.txt', 'conanfile.py'],
  conda: ['environment.yml'],
  Deno: ['deno.json', 'deno.jsonc'],
  'Go dep': ['Gopkg.toml', 'Gopkg.lock'],
  Ivy: ['ivy.xml'],
  Leiningen: ['project.clj'],
  Mix: ['mix.exs', 'mix.lock'],
  NuGet: ['packages.config', 'packages.lock.json', 'Directory.Packages.props'],
  PDM: ['pdm.lock'],
  Pub: ['pubspec.yaml', 'pubspec.lock'],
  Stack: ['stack.yaml'],
  'Swift packages': ['Package.swift', 'Package.resolved'],
  vcpkg: ['vcpkg.json'],
}
const managerOf = new Map(Object.entries(managers).flatMap(([manager, names]) => names.map((name) => [name, manager])))
const NUGET_PROJECT = /\.(?:cs|fs|vb)proj$/
/** Files that often contain only tool settings: they indicate a project if nothing else in the folder does. */
const PYTHON_PROJECT = new Set(['pyproject.toml', 'setup.py', 'setup.cfg'])

const python = new Set(['pip', 'poetry', 'uv', 'pipenv', 'pyproject'])

/** Returns true if a file indicates a project that cannot be tested. */
export function indicatesUnsupported(path: string): boolean {
  const name = nameOf(path)
  return managerOf.has(name) || NUGET_PROJECT.test(name) || PYTHON_PROJECT.has(name)
}

export interface NotRead {
  /** The first indicating file in its folder. */
  readonly path: string
  readonly manager: string
  /** A sentence without its period. */
  readonly reason: string
}

const NO_PYTHON_LIST =
  'No file beside it lists dependencies of Python in a form that is read. Add a lockfile or a requirements.txt if it has any'

/** Returns the unsupported projects of a tree, one per folder and manager, by path. */
export function findNotRead(tree: Tree, found: readonly TreeProject[]): NotRead[] {
  const told = [...tree.paths].filter(indicatesUnsupported).sort()
  const known = new Set([
    ...found
      .filter(({ ecosystem }) => python.has(ecosystem))
      .flatMap(({ path, covers }) => [path, ...covers].map(folderOf)),
    ...told.filter((path) => !PYTHON_PROJECT.has(nameOf(path))).map(folderOf),
  ])
  const seen = new Set<string>()
  return told.flatMap((path) => {
    const folder = folderOf(path)
    const isPython = PYTHON_PROJECT.has(nameOf(path))
    if (isPython && known.has(folder)) return []
    const manager = isPython ? 'Python' : (managerOf.get(nameOf(path)) ?? 'NuGet')
    const key = `${manager} ${folder}`
    if (seen.has(key)) return []
    seen.add(key)
    return [{ path, manager, reason: isPython ? NO_PYTHON_LIST : `${manager} is not read here` }]
  })
}
