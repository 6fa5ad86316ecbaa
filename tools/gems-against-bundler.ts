import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { parseGemfileLock } from '#analysis/ecosystems/rubygems/gemfile-lock.ts'
import { rubygems } from '#analysis/ecosystems/rubygems/index.ts'
import type { GemVersion } from '#analysis/registries/rubygems.ts'
import { registriesOf } from '#test/registries/registries.ts'

const usage = `Holds our resolution of Gemfiles against Bundler's ("bundle lock"), over random gems on a local server.

  node tools/gems-against-bundler.ts <how many> [seed]

Needs Ruby with Bundler, and no network. Prints each Gemfile over which the two differ, and a summary.`

/** The published gems, and the project's requirements. */
interface World {
  readonly gems: ReadonlyMap<string, readonly GemVersion[]>
  readonly asked: readonly { readonly name: string; readonly requirement: string }[]
}

const run = promisify(execFile)
const numbers = ['1.0', '1.1', '1.2', '2.0', '2.1', '3.0', '3.1.pre1']
const requirements = ['>= 0', '>= 0', '~> 1.0', '~> 2.0', '>= 1.1', '< 2', '>= 1.1, < 3', '~> 3.0', '= 2.0', '!= 2.1']

async function main([count, seed]: readonly string[]): Promise<void> {
  if (count === undefined) return console.log(usage)
  let world: World | undefined
  const server = createServer((request, response) => {
    const text = world === undefined ? undefined : fileOf(world, request.url ?? '')
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/plain' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const tally = { same: 0, bothRefuse: 0, different: 0 }
  for (const next of fc.sample(worlds, { numRuns: Number(count), seed: Number(seed ?? 1) })) {
    world = next
    const [ours, theirs] = [await resolveOurselves(next), await resolveWithBundler(next, url)]
    if (ours === theirs) tally[ours === 'refused' ? 'bothRefuse' : 'same']++
    else {
      tally.different++
      console.log(`${toGemfile(next, '')}${toText(next)}\n  ours:    ${ours}\n  Bundler: ${theirs}\n`)
    }
  }
  server.close()
  console.log(tally)
}

const worlds = fc
  .record({
    gems: fc.array(
      fc.array(
        fc.record({
          number: fc.constantFrom(...numbers),
          asks: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...requirements)), { maxLength: 3 }),
        }),
        { minLength: 1, maxLength: 5 },
      ),
      { minLength: 3, maxLength: 9 },
    ),
    asked: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...requirements)), { minLength: 1, maxLength: 4 }),
  })
  .map(({ gems, asked }): World => {
    // Gems ask only for those after them, as Bundler refuses circles in some versions.
    const nameAt = (index: number) => `gem${index}`
    const published = gems.map((versions, at): [string, GemVersion[]] => {
      const byNumber = new Map(versions.map((version) => [version.number, version]))
      const all = [...byNumber.values()].map(({ number, asks }): GemVersion => {
        const below = gems.length - at - 1
        const names = new Map(
          below === 0 ? [] : asks.map(([pick, wanted]) => [nameAt(at + 1 + (pick % below)), wanted]),
        )
        const dependencies = [...names].map(([name, requirement]) => ({ name, requirement }))
        return { version: number, platform: 'ruby', dependencies }
      })
      return [nameAt(at), all]
    })
    const direct = new Map(asked.map(([pick, requirement]) => [nameAt(pick % gems.length), requirement]))
    return { gems: new Map(published), asked: [...direct].map(([name, requirement]) => ({ name, requirement })) }
  })

async function resolveOurselves(world: World): Promise<string> {
  const registries = registriesOf({ rubygems: { gem: async (name) => world.gems.get(name) } })
  const options = { includeDev: true, repositories: [], limits: { maxNodes: 1_000 } }
  const { graph, unresolved } = await rubygems.read(
    { target: toGemfile(world, ''), additional: [] },
    registries,
    options,
  )
  if (unresolved.length > 0) return 'refused'
  return graph.nodes
    .slice(1)
    .map(({ package: { name, version } }) => `${name} ${version}`)
    .sort()
    .join(', ')
}

async function resolveWithBundler(world: World, url: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bundler-'))
  try {
    await writeFile(path.join(folder, 'Gemfile'), toGemfile(world, url))
    const env = { ...process.env, HOME: folder, BUNDLE_USER_HOME: folder, BUNDLE_PATH: folder }
    await run('ruby', ['-rbundler', '-rbundler/cli', '-e', 'Bundler::CLI.start(ARGV)', 'lock'], {
      cwd: folder,
      env,
      timeout: 60_000,
    })
    const { gems } = parseGemfileLock(await readFile(path.join(folder, 'Gemfile.lock'), 'utf8'), 'target')
    return gems
      .map(({ name, version }) => `${name} ${version}`)
      .sort()
      .join(', ')
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    if (/could not find (?:compatible|gem)|not find gem|incompatible/i.test(output)) return 'refused'
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function toGemfile({ asked }: World, url: string): string {
  const lines = asked.map(({ name, requirement }) => {
    const each = requirement.split(', ').map((one) => JSON.stringify(one))
    return `gem ${JSON.stringify(name)}, ${each.join(', ')}\n`
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
    const asks = dependencies.map(({ name, requirement }) => `${name}:${requirement.replaceAll(', ', '&')}`).join(',')
    return `${version} ${asks}|checksum:${'0'.repeat(64)}\n`
  })
  return `---\n${lines.join('')}`
}

function toText({ gems }: World): string {
  return [...gems]
    .map(
      ([name, versions]) =>
        `  ${name}: ${infoOf(versions)
          .replaceAll(/\|.*|---\n/g, '')
          .replaceAll('\n', '; ')}`,
    )
    .join('\n')
}

await main(process.argv.slice(2))
