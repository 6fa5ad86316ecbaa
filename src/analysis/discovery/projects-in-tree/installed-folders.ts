import type { Tree } from './tree.ts'
import { folderOf, nameOf, within } from './tree-paths.ts'

/** Folders into which package managers and builds write, by name. */
const NAMES = new Set(
  (
    '.eggs .gradle .m2 .nox .pnpm-store .terraform .tox .venv Pods __pypackages__ bower_components dist-packages ' +
    'jspm_packages node_modules site-packages'
  ).split(' '),
)
/** Gems that Bundler installs into a folder of the project. */
const GEMS = /(?:^|\/)(?:vendor\/bundle|ruby\/\d+\.\d+\.\d+\/(?:bundler\/)?gems)$/
/** Output of Maven, sbt and Cargo, known by what lies in it or beside it. */
const OUTPUT = /(?:^|\/)target\/(?:(?:test-)?classes|scala-[\d.]+|debug|release)$/
const BUILT_TO_TARGET = ['pom.xml', 'build.sbt', 'Cargo.toml', 'project.clj']
/** Lists in a vendor folder that projects read. */
const VENDOR_LISTS = new Set(['modules.txt', 'vendor.json'])

/** The file in the folder of a virtual environment of Python (PEP 405). */
export const VIRTUAL_ENVIRONMENT = 'pyvenv.cfg'

export interface SplitTree {
  /** The tree without installed packages and the output of builds. */
  readonly own: Tree
  /** The outermost folders of these files, sorted. */
  readonly installed: readonly string[]
}

/** Separates the files of a tree's projects from those of installed packages, which other lockfiles pin. */
export function splitInstalled(tree: Tree): SplitTree {
  const outermost = new Map<string, string | undefined>([['', undefined]])
  const findOutermost = (folder: string): string | undefined => {
    if (outermost.has(folder)) return outermost.get(folder)
    const outermostFolder = findOutermost(folderOf(folder)) ?? outermostAt(folder, tree)
    outermost.set(folder, outermostFolder)
    return outermostFolder
  }
  const own = new Set<string>()
  const installed = new Set<string>()
  for (const path of tree.paths) {
    const folder = findOutermost(folderOf(path))
    if (folder === undefined || (VENDOR_LISTS.has(nameOf(path)) && folder === folderOf(path))) own.add(path)
    else installed.add(folder)
  }
  return { own: { paths: own, read: (paths) => tree.read(paths) }, installed: [...installed].sort() }
}

/** Returns the folder of installed packages that begins with this folder; for an output of classes, the one above. */
function outermostAt(folder: string, { paths }: Tree): string | undefined {
  const [name, above] = [nameOf(folder), folderOf(folder)]
  if (NAMES.has(name) || GEMS.test(folder) || paths.has(within(folder, VIRTUAL_ENVIRONMENT))) return folder
  if (name === 'vendor' && paths.has(within(folder, 'modules.txt'))) return folder
  if (name === 'target' && BUILT_TO_TARGET.some((manifest) => paths.has(within(above, manifest)))) return folder
  return OUTPUT.test(folder) ? above : undefined
}
