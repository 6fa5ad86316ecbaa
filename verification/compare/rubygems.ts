import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { parseGemfileLock } from '../../src/analysis/ecosystems/rubygems/gemfile-lock.ts'
import { rubygems } from '../../src/analysis/ecosystems/rubygems/index.ts'
import type { GemVersion } from '../../src/analysis/registries/rubygems.ts'
import { askBundler, bundlerEdges } from '../../test/support/manifests/bundler-view.ts'
import { registriesOf } from '../../test/support/registries/registries.ts'
import {
  type Answers,
  type Compared,
  type CompareSettings,
  type Comparison,
  compareAnswers,
  firstOf,
  needsCommand,
  needsProjects,
  toCompared,
} from './comparison.ts'
import { compareEach, edgesOf, packagesOf, readLocked, readText } from './projects.ts'

export function rubygemsComparisons(settings: CompareSettings): Comparison[] {
  const needsBundler = needsCommand('Ruby with Bundler', 'ruby', '-rbundler', '-e', '1')
  return [
    {
      ecosystem: 'rubygems',
      what: 'packages and edges of the lock',
      reference: 'Bundler',
      missing: firstOf(needsProjects('rubygems'), needsBundler),
      run: () => compareEach(path.join(settings.manifests, 'rubygems'), againstBundler),
    },
    {
      ecosystem: 'rubygems',
      what: 'resolution of random Gemfiles',
      reference: 'bundle lock',
      missing: needsBundler,
      run: () => compareWorlds(settings),
    },
  ]
}

async function againstBundler(folder: string, project: string): Promise<Compared> {
  const target = readText(folder, 'Gemfile.lock')
  const reading = await readLocked(rubygems, { target, additional: [] })
  const expected = bundlerEdges(askBundler(target, folder), target)
  return toCompared(project, 1, { packages: packagesOf(reading).size, own: edgesOf(reading), expected })
}

/** The published gems, and the project's requirements. */
interface World {
  readonly gems: ReadonlyMap<string, readonly GemVersion[]>
  readonly requirements: ReadonlyMap<string, string>
}

const run = promisify(execFile)
const numbers = ['1.0', '1.1', '1.2', '2.0', '2.1', '3.0', '3.1.pre1']
const ranges = ['>= 0', '>= 0', '~> 1.0', '~> 2.0', '>= 1.1', '< 2', '>= 1.1, < 3', '~> 3.0', '= 2.0', '!= 2.1']

/** Both resolve the same Gemfiles; Bundler reads the gems from a server on this machine. */
async function compareWorlds({ worlds: numRuns, seed }: CompareSettings): Promise<Compared[]> {
  let world: World | undefined
  const server = createServer((request, response) => {
    const text = world === undefined ? undefined : fileOf(world, request.url ?? '')
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/plain' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answers: Answers[] = []
  for (const next of fc.sample(worlds, { numRuns, seed })) {
    world = next
    const question = `${toGemfile(next, '')}${toText(next)}`
    answers.push({ question, own: await resolve(next), expected: await resolveWithBundler(next, url) })
  }
  server.close()
  return [compareAnswers(`seed ${seed}`, answers)]
}

const worlds = fc
  .record({
    gems: fc.array(
      fc.array(
        fc.record({
          number: fc.constantFrom(...numbers),
          needs: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...ranges)), { maxLength: 3 }),
        }),
        { minLength: 1, maxLength: 5 },
      ),
      { minLength: 3, maxLength: 9 },
    ),
    direct: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...ranges)), { minLength: 1, maxLength: 4 }),
  })
  .map(({ gems, direct }): World => {
    // Gems only need those after them, since Bundler refuses circles in some versions.
    const published = gems.map((versions, at): [string, GemVersion[]] => {
      const byNumber = new Map(versions.map((version) => [version.number, version]))
      const below = gems.length - at - 1
      const all = [...byNumber.values()].map(({ number, needs }): GemVersion => {
        const names = new Map(below === 0 ? [] : needs.map(([pick, range]) => [`gem${at + 1 + (pick % below)}`, range]))
        const dependencies = [...names].map(([name, requirement]) => ({ name, requirement }))
        return { version: number, platform: 'ruby', dependencies }
      })
      return [`gem${at}`, all]
    })
    const requirements = new Map(direct.map(([pick, range]) => [`gem${pick % gems.length}`, range]))
    return { gems: new Map(published), requirements }
  })

async function resolve(world: World): Promise<string> {
  const registries = registriesOf({ rubygems: { gem: async (name) => world.gems.get(name) } })
  const options = { includeDev: true, repositories: [], limits: { maxNodes: 1_000 } }
  const manifest = { target: toGemfile(world, ''), additional: [] }
  const { graph, unresolved } = await rubygems.read(manifest, registries, options)
  return unresolved.length > 0 ? 'refused' : toList(graph.nodes.slice(1).map((node) => node.package))
}

async function resolveWithBundler(world: World, url: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bundler-'))
  try {
    await writeFile(path.join(folder, 'Gemfile'), toGemfile(world, url))
    const env = { ...process.env, HOME: folder, BUNDLE_USER_HOME: folder, BUNDLE_PATH: folder }
    const parameters = ['-rbundler', '-rbundler/cli', '-e', 'Bundler::CLI.start(ARGV)', 'lock']
    await run('ruby', parameters, { cwd: folder, env, timeout: 60_000 })
    return toList(parseGemfileLock(await readFile(path.join(folder, 'Gemfile.lock'), 'utf8'), 'target').gems)
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    if (/could not find (?:compatible|gem)|not find gem|incompatible/i.test(output)) return 'refused'
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function toList(gems: readonly { readonly name: string; readonly version: string }[]): string {
  return gems
    .map(({ name, version }) => `${name} ${version}`)
    .sort()
    .join(', ')
}

function toGemfile({ requirements }: World, url: string): string {
  const lines = [...requirements].map(([name, requirement]) => {
    const constraints = requirement.split(', ').map((one) => JSON.stringify(one))
    return `gem ${JSON.stringify(name)}, ${constraints.join(', ')}\n`
  })
  return `source ${JSON.stringify(url || 'https://registry.example')}\n${lines.join('')}`
}

/** The compact index. */
function fileOf(world: World, at: string): string | undefined {
  if (at === '/versions') {
    const lines = [...world.gems].map(([name, versions]) => {
      const sum = createHash('md5').update(infoOf(versions)).digest('hex')
      return `${name} ${versions.map(({ version }) => version).join(',')} ${sum}\n`
    })
    return `created_at: 2026-01-01T00:00:00+00:00\n---\n${lines.join('')}`
  }
  const versions = at.startsWith('/info/') ? world.gems.get(at.slice('/info/'.length)) : undefined
  return versions === undefined ? undefined : infoOf(versions)
}

function infoOf(versions: readonly GemVersion[]): string {
  const lines = versions.map(({ version, dependencies }) => {
    const needs = dependencies.map(({ name, requirement }) => `${name}:${requirement.replaceAll(', ', '&')}`).join(',')
    return `${version} ${needs}|checksum:${'0'.repeat(64)}\n`
  })
  return `---\n${lines.join('')}`
}

function toText({ gems }: World): string {
  const textOf = (versions: readonly GemVersion[]) => infoOf(versions).replaceAll(/\|.*|---\n/g, '')
  return [...gems].map(([name, versions]) => `  ${name}: ${textOf(versions).replaceAll('\n', '; ')}`).join('\n')
}
