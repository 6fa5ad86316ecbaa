import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { toEnvironment } from '../../src/analysis/ecosystems/python/packaging/environment.ts'
import { pip } from '../../src/analysis/ecosystems/python/pip/index.ts'
import type { Registries } from '../../src/analysis/registries/registries.ts'
import { createPyPiRegistry } from '../../src/scanning/registries/pypi/pypi-registry.ts'
import { judgeMarker, judgeRequirement } from '../../test/support/manifests/python-judgments.ts'
import { markerTexts, requirementTexts } from '../../test/support/manifests/python-texts.ts'
import { type PythonWorld, pythonWorlds } from '../../test/support/manifests/random-python-project.ts'
import { answerOfIndex } from '../../test/support/registries/pypi-server.ts'
import { registriesOf } from '../../test/support/registries/registries.ts'
import { cacheIn } from '../../test/support/registries/registry-cache.ts'
import { freshDatabase } from '../../test/support/servers/fresh-database.ts'
import { loopbackClient } from '../../test/support/servers/loopback-client.ts'
import {
  type Answers,
  type Compared,
  type CompareSettings,
  type Comparison,
  compareAnswers,
  needsCommand,
} from './comparison.ts'

/** Random specifiers and markers (PEP 508), and random projects on an index of this machine. */
export function pythonRandomComparisons(settings: CompareSettings): Comparison[] {
  const { python } = settings
  // The rules that we follow; earlier versions decide differently.
  const isRecent = (name: string) => `import ${name}; assert int(${name}.__version__.split('.')[0]) >= 26`
  return [
    {
      ecosystem: 'pip',
      what: 'random requirements and markers',
      reference: 'packaging',
      missing: needsCommand('Python with packaging 26 or later: --python', python, '-c', isRecent('packaging')),
      run: async () => [compareTexts(settings)],
    },
    {
      ecosystem: 'pip',
      what: 'resolution of random requirements',
      reference: "pip's resolver",
      missing: needsCommand('Python with pip 26 or later: --python', python, '-c', isRecent('pip')),
      run: () => compareWorlds(settings),
    },
  ]
}

const packagingScript = `
import json, sys
from packaging.requirements import Requirement, InvalidRequirement
from packaging.markers import Marker, InvalidMarker
from packaging.utils import canonicalize_name
environment = json.loads(sys.stdin.readline())
def judge(marker, extra):
    try:
        return 'yes' if marker.evaluate({**environment, 'extra': extra}) else 'no'
    except Exception:
        return 'undecided'
def marker(text):
    try:
        parsed = Marker(text)
    except (InvalidMarker, RecursionError):
        return 'refused'
    return ' '.join(judge(parsed, extra) for extra in ('', 'test'))
def requirement(text):
    try:
        parsed = Requirement(text)
    except (InvalidRequirement, RecursionError):
        return 'refused'
    name = canonicalize_name(parsed.name)
    extras = ','.join(sorted({canonicalize_name(each) for each in parsed.extras}))
    specifiers = ' '.join(sorted({str(each) for each in parsed.specifier}))
    return '|'.join([name, extras, specifiers, parsed.url or '', '' if parsed.marker is None else marker(str(parsed.marker))])
for line in sys.stdin:
    kind, text = json.loads(line)
    print(json.dumps(marker(text) if kind == 'marker' else requirement(text)))
`

const judges = { marker: judgeMarker, requirement: judgeRequirement }
type Kind = keyof typeof judges

/** With `GOLDEN=1`, writes some of the answers beside the code, for tests without Python. */
function compareTexts({ python, pairs, seed }: CompareSettings): Compared {
  const { markers } = toEnvironment({ version: '3.13.2', platform: 'linux' })
  const sample = (kind: Kind, texts: fc.Arbitrary<string>) =>
    [...new Set(fc.sample(texts, { numRuns: Math.ceil(pairs / 5), seed }))].map((text) => [kind, text] as const)
  const texts = [...sample('marker', markerTexts), ...sample('requirement', requirementTexts)]
  const input = [markers, ...texts].map((entry) => JSON.stringify(entry)).join('\n')
  const { stdout } = spawnSync(python, ['-c', packagingScript], { input, encoding: 'utf8', maxBuffer: 1e9 })
  const lines = stdout.trimEnd().split('\n')
  const answers = texts.map(([kind, text], index) => ({
    kind,
    question: JSON.stringify(text),
    own: judges[kind](text, markers),
    expected: JSON.parse(lines[index]!) as string,
  }))
  if (process.env['GOLDEN'] === '1') writeGolden(answers)
  return compareAnswers(`seed ${seed}`, answers)
}

function writeGolden(answers: readonly (Answers & { readonly kind: Kind })[]): void {
  for (const kind of ['marker', 'requirement'] as const) {
    const own = answers
      .filter((answer) => answer.kind === kind)
      .map(({ question, expected }) => `${question}\t${expected}`)
    const lines = own.filter((line) => line.length < 200).slice(0, 600)
    const file = path.join(import.meta.dirname, `../../src/analysis/ecosystems/python/pip/golden/${kind}s.txt`)
    writeFileSync(file, `${lines.join('\n')}\n`)
  }
}

/** Runs pip once for each line, which is faster than a process for each. */
const pipScript = `
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

/** Leaves out projects for which pip ends with an error of its own (deep recursion over cycles of extras). */
async function compareWorlds({ python, worlds: numRuns, seed }: CompareSettings): Promise<Compared[]> {
  const worlds = fc.sample(pythonWorlds, { numRuns, seed })
  const server = createServer((request, response) => {
    const [, world = '', file = ''] = /^\/(\d+)\/(.*)$/.exec(request.url ?? '') ?? []
    const body = answerOfIndex(worlds[Number(world)]!.content, file)
    if (body === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/vnd.pypi.simple.v1+json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = mkdtempSync(path.join(tmpdir(), 'pip-worlds-'))
  const child = spawn(python, ['-c', pipScript], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => JSON.parse((await lines.next()).value as string)
  const version = (await nextLine()) as string
  await using database = await freshDatabase('sqlite')
  await using outgoing = loopbackClient()
  const now = () => Date.now()
  const parts = { cache: cacheIn(database.db, now), outgoing, now }
  const answers: Answers[] = []
  for (const [index, world] of worlds.entries()) {
    const url = `${base}/${index}/simple`
    writeFileSync(path.join(folder, 'requirements.txt'), `${world.requirements}-c limits.txt\n`)
    writeFileSync(path.join(folder, 'limits.txt'), world.constraints)
    child.stdin.write(`${JSON.stringify({ folder, index: url })}\n`)
    const answer = (await nextLine()) as string[] | 'crashed' | null
    if (answer === 'crashed') continue
    const expected = answer === null ? 'refused' : answer.join()
    const pypi = createPyPiRegistry(parts, { url, maxAgeMs: 60_000 })
    answers.push({
      question: JSON.stringify(world),
      own: await resolve(world, registriesOf({ pypi }), version),
      expected,
    })
  }
  child.stdin.end()
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true })
  return [compareAnswers(`seed ${seed}`, answers)]
}

async function resolve({ requirements, constraints }: PythonWorld, registries: Registries, version: string) {
  // We refuse an empty file, which pip reads.
  const manifest = { target: `${requirements}-c limits.txt\n`, additional: [`# limits\n${constraints}`] }
  const { graph, unresolved } = await pip.read(manifest, registries, {
    includeDev: true,
    repositories: [],
    python: { version, platform: 'linux' },
    limits: { maxNodes: 1_000 },
  })
  if (unresolved.length > 0) return 'refused'
  const packages = graph.nodes.slice(1).map((node) => `${node.package.name}@${node.package.version}`)
  return packages.sort().join()
}
