/**
 * Compares our resolution with pip's for random projects on a local index, which our own client reads.
 *
 *     node tools/pip-resolution-on-random-projects.ts --python <python3.13 with pip> [--count 200] [--seed 1]
 *
 * Prints each project with different results, and a summary: if pip refuses a project, we must report a reason;
 * otherwise we must resolve the same packages and report nothing. Where pip ends with an error of its own (deep
 * recursion over cycles of extras) there is nothing to compare. Needs no network.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { pip } from '#analysis/ecosystems/python/pip/index.ts'
import { createPyPiRegistry } from '#scanning/registries/pypi/pypi-registry.ts'
import { type PythonWorld, pythonWorlds } from '#test/manifests/random-python-project.ts'
import { answerOfIndex } from '#test/registries/pypi-server.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { cacheIn } from '#test/registries/registry-cache.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { loopbackClient } from '#test/servers/loopback-client.ts'

const { values: settings } = parseArgs({
  options: {
    python: { type: 'string', default: 'python3' },
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
})

/** Runs pip once for each line, which is faster than a process for each. */
const script = `
import io, json, logging, os, platform, sys, contextlib
from pip._internal.cli.main import main
print(json.dumps(platform.python_version()), flush=True)
for line in sys.stdin:
    work = json.loads(line)
    report = os.path.join(work['folder'], 'report.json')
    if os.path.exists(report):
        os.remove(report)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code = main(['--isolated', '--no-cache-dir', 'install', '--dry-run', '--ignore-installed', '--no-input', '--quiet',
                     '--index-url', work['index'], '--report', report, '-r', os.path.join(work['folder'], 'requirements.txt')])
    if code == 2:
        print(json.dumps('crashed'), flush=True)
        continue
    found = json.load(open(report))['install'] if code == 0 else None
    answer = None if found is None else sorted(each['metadata']['name'] + '@' + each['metadata']['version'] for each in found)
    print(json.dumps(answer), flush=True)
`

const worlds = fc.sample(pythonWorlds, { numRuns: Number(settings.count), seed: Number(settings.seed) })
const server = createServer((request, response) => {
  const [, world = '', path = ''] = /^\/(\d+)\/(.*)$/.exec(request.url ?? '') ?? []
  const body = answerOfIndex(worlds[Number(world)]!.content, path)
  if (body === undefined) response.writeHead(404).end()
  else response.writeHead(200, { 'content-type': 'application/vnd.pypi.simple.v1+json' }).end(body)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const folder = await mkdtemp(path.join(tmpdir(), 'pip-worlds-'))
const child = spawn(settings.python, ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] })
const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
const version = JSON.parse((await answers.next()).value as string) as string
await using database = await freshDatabase('sqlite')
await using outgoing = loopbackClient()

const tally = { same: 0, bothRefuse: 0, different: 0, pipCrashed: 0 }
for (const [index, world] of worlds.entries()) {
  const theirs = await resolveWithPip(world, `${base}/${index}/simple`)
  if (theirs === 'crashed') {
    tally.pipCrashed++
    continue
  }
  const { packages, isNamed } = await resolveOurselves(world, `${base}/${index}/simple`)
  const isSame = theirs === null ? isNamed : !isNamed && packages.join() === theirs.join()
  tally[isSame ? (theirs === null ? 'bothRefuse' : 'same') : 'different']++
  if (!isSame) {
    const shown = { world: index, ...world, ours: packages, isNamed, theirs }
    console.log(JSON.stringify(shown, null, 1))
  }
}
console.log(tally)
child.stdin.end()
server.close()
server.closeAllConnections()
await rm(folder, { recursive: true })

async function resolveWithPip(
  { requirements, constraints }: PythonWorld,
  index: string,
): Promise<string[] | 'crashed' | null> {
  await writeFile(path.join(folder, 'requirements.txt'), `${requirements}-c limits.txt\n`)
  await writeFile(path.join(folder, 'limits.txt'), constraints)
  child.stdin.write(`${JSON.stringify({ folder, index })}\n`)
  return JSON.parse((await answers.next()).value as string) as string[] | 'crashed' | null
}

async function resolveOurselves({ requirements, constraints }: PythonWorld, url: string) {
  const parts = { cache: cacheIn(database.db, () => Date.now()), outgoing, now: () => Date.now() }
  const pypi = createPyPiRegistry(parts, { url, maxAgeMs: 60_000 })
  const manifest = { target: `${requirements}-c limits.txt\n`, additional: [constraints] }
  const { graph, unresolved } = await pip.read(manifest, registriesOf({ pypi }), {
    includeDev: true,
    repositories: [],
    python: { version, platform: 'linux' },
    limits: { maxNodes: 1_000 },
  })
  const packages = graph.nodes.slice(1).map(({ package: { name, version: number } }) => `${name}@${number}`)
  return { packages: packages.sort(), isNamed: unresolved.length > 0 }
}
