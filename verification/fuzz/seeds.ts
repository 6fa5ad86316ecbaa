import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Ecosystem } from '../../src/analysis/ecosystems/ecosystem.ts'
import type { Registries } from '../../src/analysis/registries/registries.ts'
import { fixturesOf } from '../../test/support/fixture-folders.ts'
import { fixtureRegistries } from '../../test/support/registries/fixture-registries.ts'
import { corpusFolder } from '../corpus/folder.ts'
import type { Corpus, Input } from './input.ts'
import { plainRegistries } from './plain-registries.ts'

/** Files of one real project that are taken, nearest to its folder first. */
const MAX_FILES = 8
const LARGEST_PROJECT_CHARACTERS = 200_000

/** Names of files that are read beside the target. */
const companions =
  /^(?:package\.json|package-lock\.json|yarn\.lock|\.yarnrc\.yml|pnpm-(?:lock|workspace)\.yaml|bun\.lock|Gemfile(?:\.lock)?|.*\.gemspec|pom\.xml|.*\.txt|.*\.in|.*\.gradle(?:\.kts)?|gradle\.properties|.*\.toml|.*\.lockfile|.*\.sbt|.*\.scala|build\.properties|vendor\.json|.*\.mod|go\.(?:sum|work))$/

/** An ecosystem's golden cases with what their registries say, and its real projects, when there is a corpus. */
export function manifestCorpus(ecosystem: Ecosystem): Corpus {
  const worlds: Registries[] = [plainRegistries]
  const seeds: Input[] = []
  const fixtures = fixturesOf(ecosystem.id)
  for (const name of existsSync(fixtures) ? readdirSync(fixtures).sort() : []) {
    const folder = path.join(fixtures, name)
    const files = readdirSync(folder).filter((file) => !['expected.json', 'registry.json'].includes(file))
    const texts = sortFiles(ecosystem, files).map((file) => readFileSync(path.join(folder, file), 'utf8'))
    const said = path.join(folder, 'registry.json')
    if (!existsSync(said)) seeds.push({ texts, world: 0 })
    else {
      worlds.push(fixtureRegistries(ecosystem.registry, JSON.parse(readFileSync(said, 'utf8'))))
      seeds.push({ texts, world: worlds.length - 1 })
    }
  }
  return { seeds: [...seeds, ...realProjects(ecosystem)], worlds }
}

function realProjects(ecosystem: Ecosystem): Input[] {
  const projects = path.join(corpusFolder, 'manifests', ecosystem.id)
  if (!existsSync(projects)) return []
  return readdirSync(projects)
    .sort()
    .flatMap((project) => {
      const folder = path.join(projects, project)
      const matches = readdirSync(folder, { recursive: true }).map(String)
      const files = sortFiles(
        ecosystem,
        matches.filter((file) => companions.test(path.basename(file))),
      ).slice(0, MAX_FILES)
      const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8'))
      const characters = texts.reduce((sum, { length }) => sum + length, 0)
      return texts.length === 0 || characters > LARGEST_PROJECT_CHARACTERS ? [] : [{ texts, world: 0 }]
    })
}

function sortFiles({ manifestName }: Ecosystem, files: readonly string[]): string[] {
  const rank = (file: string) => (manifestName.test(path.basename(file)) ? 0 : 1)
  const depth = (file: string) => file.split('/').length
  return files.toSorted((a, b) => rank(a) - rank(b) || depth(a) - depth(b) || (a < b ? -1 : 1))
}

/** Lines of all files of a folder of the corpus, taken evenly, at most that many; none when it is not there. */
export function corpusLines(folder: string, most: number): string[] {
  const from = path.join(corpusFolder, folder)
  if (!existsSync(from)) return []
  const files = readdirSync(from, { recursive: true, withFileTypes: true }).filter((dirent) => dirent.isFile())
  const lines = files.flatMap((file) => readFileSync(path.join(file.parentPath, file.name), 'utf8').split('\n'))
  return evenly(lines, most)
}

export function evenly<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most)
  return Array.from({ length: Math.min(most, all.length) }, (_, index) => all[Math.floor(index * step)]!)
}

/** Real files as single texts, by the ending of their names. */
export function corpusFiles(folder: string, ending: RegExp, most: number): string[] {
  const from = path.join(corpusFolder, folder)
  if (!existsSync(from)) return []
  const names = readdirSync(from, { recursive: true })
    .map(String)
    .filter((name) => ending.test(name))
    .sort()
  return evenly(names, most).map((name) => readFileSync(path.join(from, name), 'utf8'))
}
