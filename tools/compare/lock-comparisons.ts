import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { parseSyml } from '@yarnpkg/parsers'
import { govendor } from '#analysis/ecosystems/go/govendor/index.ts'
import { npm } from '#analysis/ecosystems/javascript/npm/index.ts'
import { yarn } from '#analysis/ecosystems/javascript/yarn/index.ts'
import { readBlocks } from '#analysis/ecosystems/javascript/yarn/lock-text.ts'
import { isBerryText } from '#analysis/ecosystems/javascript/yarn/yarn-lock.ts'
import { rubygems } from '#analysis/ecosystems/rubygems/index.ts'
import { goVersions } from '#analysis/versions/go.ts'
import { ArboristOfNpm, npmReadingLines, treeLines } from '#test/manifests/arborist-view.ts'
import { askBundler, bundlerEdges } from '#test/manifests/bundler-view.ts'
import { lockedPart, toPlain, toTexts, walkV1, yarn1 } from '#test/manifests/yarn-view.ts'
import { corpusLacks } from '../corpus/folder.ts'
import { type Compared, type CompareSettings, type Comparison, toCompared } from './comparison.ts'
import { edgesOf, filesOf, packagesOf, projectsIn, readLocked, readText } from './real-projects.ts'

/** Locks as the tools that write them read them; nothing is fetched. */
export function lockComparisons({ manifests }: CompareSettings): Comparison[] {
  const folderOf = (ecosystem: string) => path.join(manifests, ecosystem)
  const each = async (
    ecosystem: string,
    compare: (folder: string, project: string) => Promise<Compared | undefined>,
  ): Promise<Compared[]> => {
    const compared: Compared[] = []
    for (const project of projectsIn(folderOf(ecosystem))) {
      const one = await compare(path.join(folderOf(ecosystem), project), project)
      if (one !== undefined) compared.push(one)
    }
    return compared
  }
  const lockComparison = (
    ecosystem: string,
    reference: string,
    compare: (folder: string, project: string) => Promise<Compared | undefined>,
    missing: () => string | undefined = () => undefined,
  ): Comparison => ({
    ecosystem,
    what: 'packages and edges of the lock',
    reference,
    missing: () => corpusLacks(`manifests/${ecosystem}`) ?? missing(),
    run: () => each(ecosystem, compare),
  })
  return [
    lockComparison('npm', 'Arborist', againstArborist),
    lockComparison('yarn', "Yarn 1's parser", againstYarn1),
    { ...lockComparison('yarn', "Yarn berry's parser", againstSyml), what: 'entries of the lock' },
    lockComparison('rubygems', 'Bundler', againstBundler, () =>
      spawnSync('ruby', ['-rbundler', '-e', '1']).status === 0 ? undefined : 'needs Ruby with Bundler',
    ),
    {
      ...lockComparison('govendor', 'the file itself', everyVendoredPackage),
      what: 'each package lies in a module, or is named',
    },
  ]
}

async function againstArborist(folder: string, project: string): Promise<Compared> {
  const [target, lock] = [readText(folder, 'package.json'), readText(folder, 'package-lock.json')]
  const reading = await readLocked(npm, { target, additional: [lock] })
  const theirs = treeLines(await new ArboristOfNpm({ path: folder }).loadVirtual())
  const packages = packagesOf(reading).size
  return toCompared(project, 2, { packages, ours: npmReadingLines(reading), theirs })
}

async function againstYarn1(folder: string, project: string): Promise<Compared | undefined> {
  const text = readText(folder, 'yarn.lock')
  if (isBerryText(text)) return undefined
  const lock = yarn1.parse(text).object
  const files = filesOf(folder, /^package\.json$/)
  // What a manifest asks for and the lock does not hold is named by us, and nothing to Yarn's parser.
  const parts = files.map((file) => lockedPart(readText(folder, file), lock))
  const [target = '', ...members] = parts
  const reading = await readLocked(yarn, { target, additional: [...members, text] })
  const packages = packagesOf(reading).size
  return toCompared(project, files.length + 1, { packages, ours: edgesOf(reading), theirs: walkV1(lock, parts) })
}

async function againstSyml(folder: string, project: string): Promise<Compared | undefined> {
  const text = readText(folder, 'yarn.lock')
  if (!isBerryText(text)) return undefined
  const blocks = readBlocks(text, 'berry', 'target')
  const ours = blocks.flatMap(({ keys, members }) => keys.map((key) => `${key} ${JSON.stringify(toPlain(members))}`))
  const theirs = Object.entries(toTexts(parseSyml(text)) as object).map(([key, all]) => `${key} ${JSON.stringify(all)}`)
  return toCompared(project, 1, { packages: blocks.length, ours: new Set(ours), theirs: new Set(theirs) })
}

async function againstBundler(folder: string, project: string): Promise<Compared> {
  const target = readText(folder, 'Gemfile.lock')
  const reading = await readLocked(rubygems, { target, additional: [] })
  const theirs = bundlerEdges(askBundler(target, folder), target)
  return toCompared(project, 1, { packages: packagesOf(reading).size, ours: edgesOf(reading), theirs })
}

/** No tool is left that reads these files, so each is held against its own list. */
async function everyVendoredPackage(folder: string, project: string): Promise<Compared> {
  const target = readText(folder, 'vendor/vendor.json')
  const { graph, unresolved } = await readLocked(govendor, { target, additional: [] })
  const modules = graph.nodes.slice(1)
  const { package: listed } = JSON.parse(target) as { package: { path: string }[] }
  const isIn = (name: string, module: string) => name === module || name.startsWith(`${module}/`)
  const isThere = (name: string) =>
    modules.some((each) => isIn(name, each.package.name)) || unresolved.some((each) => each.name === name)
  const sound = modules.filter(
    ({ package: { name, version } }) => goVersions.isValid(version) && listed.some((each) => isIn(each.path, name)),
  )
  const found = listed.filter((each) => isThere(each.path)).map((each) => each.path)
  const odd = modules.filter((module) => !sound.includes(module)).map((module) => module.package.name)
  const theirs = new Set(listed.map((each) => each.path))
  return toCompared(project, 1, { packages: modules.length, ours: new Set([...found, ...odd]), theirs })
}
