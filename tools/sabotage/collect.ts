import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createExclusionTest, DEFAULT_EXCLUSIONS } from '../../src/analysis/discovery/projects-in-tree/exclusions.ts'
import { filesBeside, findProjects, isWanted } from '../../src/analysis/discovery/projects-in-tree/find-projects.ts'
import { GlobBudget } from '../../src/analysis/discovery/projects-in-tree/glob.ts'
import type { Tree, TreeProject } from '../../src/analysis/discovery/projects-in-tree/tree.ts'

const usage = `Copies the projects of git repositories, for run.ts --projects.

  node tools/sabotage/collect.ts --from FOLDER --to FOLDER [--each 2]

--from  a folder with clones, bare or not, at any depth up to three
--to    gets ECOSYSTEM/REPOSITORY-NUMBER/ with the manifest and all that is read with it
--each  projects taken of one repository and ecosystem, those nearest to its root`

/** Folders of examples are no real projects. */
const EXCLUDED = [
  ...DEFAULT_EXCLUSIONS,
  'test',
  'spec',
  'features',
  'example*',
  'sample*',
  'demo*',
  'template*',
  'vendor',
]
const MAX_FILES = 200

const { values } = parseArgs({
  options: { from: { type: 'string' }, to: { type: 'string' }, each: { type: 'string', default: '2' } },
})
if (values.from === undefined || values.to === undefined) {
  console.log(usage)
  process.exit(2)
}
const heads = globSync('{*,*/*,*/*/*}/HEAD', { cwd: values.from }).map((path) => dirname(path))
for (const git of heads) await copyProjects(join(values.from, git), values.to)

async function copyProjects(git: string, to: string): Promise<void> {
  const run = (args: string[]) => execFileSync('git', ['--git-dir', git, ...args], { maxBuffer: 2 ** 30 }).toString()
  const paths = run(['ls-tree', '-r', '--name-only', '-z', 'HEAD']).split('\0').filter(isWanted)
  const texts = new Map<string, string>()
  const textOf = (path: string) => {
    if (!texts.has(path)) texts.set(path, run(['show', `HEAD:${path}`]))
    return texts.get(path)!
  }
  const isExcluded = createExclusionTest(EXCLUDED, new GlobBudget())
  const tree: Tree = {
    paths: new Set(paths.filter((path) => !isExcluded(path))),
    read: async (wanted) => new Map(wanted.filter((path) => paths.includes(path)).map((path) => [path, textOf(path)])),
  }
  const depth = ({ path }: TreeProject) => path.split('/').length
  const byEcosystem = Map.groupBy(await findProjects(tree), ({ ecosystem }) => ecosystem)
  for (const [ecosystem, found] of byEcosystem) {
    const nearest = found.toSorted((a, b) => depth(a) - depth(b)).slice(0, Number(values.each))
    for (const [number, project] of nearest.entries()) {
      const beside = (await filesBeside(project, tree)).slice(0, MAX_FILES)
      const folder = join(to, ecosystem, `${nameOf(git)}-${number + 1}`)
      const manifest = { path: project.path, seen: basename(project.path) }
      for (const { path, seen } of [manifest, ...beside, ...modulesOf(project, tree)]) {
        // Files above the project get a folder of their own: names are not sent.
        const copy = join(folder, seen.replaceAll('../', 'above/'))
        mkdirSync(dirname(copy), { recursive: true })
        writeFileSync(copy, textOf(path))
      }
    }
  }
}

/** The POMs below a POM: a request has the whole build. */
function modulesOf({ ecosystem, path }: TreeProject, tree: Tree): { path: string; seen: string }[] {
  if (ecosystem !== 'maven') return []
  const folder = path.slice(0, -'pom.xml'.length)
  return [...tree.paths]
    .filter((each) => each !== path && each.startsWith(folder) && basename(each) === 'pom.xml')
    .slice(0, MAX_FILES)
    .map((each) => ({ path: each, seen: each.slice(folder.length) }))
}

/** Returns the first meaningful part of a path, for folders such as `owner+name/repo` and `name/.git`. */
function nameOf(git: string): string {
  const parts = git.split('/').filter((part) => part !== 'repo' && part !== '.git')
  return parts.at(-1)!.replace(/\.git$/, '')
}
