import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { sabotages } from './ecosystems.ts'
import { type Answer, falseCleans, type Outcome, type Send, sendBefore, trySpelling, type Verdict } from './judge.ts'
import type { ProjectFiles, Sabotage, Spelling } from './spelling.ts'

const usage = `Hides a vulnerable dependency in real projects, in every spelling that the tools allow, and counts what a server says.

  node tools/sabotage/run.ts --server URL --key-file FILE [--projects FOLDER [--each NUMBER]] [--only ECOSYSTEM] [--ask]

--projects  a folder with ECOSYSTEM/PROJECT/, as collect.ts makes it; default: the smallest project of each ecosystem
--each      spellings tried in one project, others in the next one; default: all
--ask       also lets the real tool resolve each spelling in the smallest project, and says where it disagrees

Exits with 1 when a false clean or a disagreement is left.`

const VERDICTS: readonly Verdict[] = ['found', 'reported', 'refused', 'silent']

const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    'key-file': { type: 'string' },
    projects: { type: 'string' },
    each: { type: 'string' },
    only: { type: 'string' },
    ask: { type: 'boolean', default: false },
  },
})
if (values.server === undefined || values['key-file'] === undefined) {
  console.log(usage)
  process.exit(2)
}
const send = sendTo(values.server, readFileSync(values['key-file'], 'utf8').trim())
const chosen = sabotages.filter(({ ecosystem }) => values.only === undefined || ecosystem === values.only)
let isWrong = false
console.log(`| ecosystem | projects | spellings | tried | ${VERDICTS.join(' | ')} | false cleans |`)
console.log(`|---|---|---|---|${VERDICTS.map(() => '---|').join('')}---|`)
for (const sabotage of chosen) {
  const outcomes = await tryAll(sabotage)
  console.log(toRow(sabotage, outcomes))
  for (const { project, spelling } of falseCleans(outcomes)) console.log(`  false clean: ${project}: ${spelling.name}`)
  isWrong ||= falseCleans(outcomes).length > 0
}
if (values.ask) for (const sabotage of chosen) isWrong = !(await agrees(sabotage)) || isWrong
process.exitCode = isWrong ? 1 : 0

async function tryAll(sabotage: Sabotage): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [number, [project, files]] of projectsOf(sabotage).entries()) {
    const before = await sendBefore(send, sabotage, files)
    if (before === undefined) console.log(`  left out: ${project}`)
    for (const spelling of before === undefined ? [] : chooseSpellings(sabotage, number)) {
      const outcome = await trySpelling(send, sabotage, { project, files, spelling, before })
      if (outcome) outcomes.push(outcome)
    }
  }
  return outcomes
}

/** Takes turns: together the projects try every spelling. */
function chooseSpellings({ spellings }: Sabotage, number: number): readonly Spelling[] {
  const each = Math.min(Number(values.each ?? spellings.length), spellings.length)
  return Array.from({ length: each }, (_, at) => spellings[(number * each + at) % spellings.length]!)
}

function projectsOf({ ecosystem, target, base }: Sabotage): [string, ProjectFiles][] {
  if (values.projects === undefined) return [['smallest project', base]]
  const all = join(values.projects, ecosystem)
  return globSync(`*/${target}`, { cwd: all })
    .sort()
    .map((path) => {
      const folder = join(all, path.slice(0, -target.length))
      const files = globSync('**/*', { cwd: folder, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
      return [
        basename(folder),
        Object.fromEntries(files.map((file) => [relative(folder, file), readFileSync(file, 'utf8')])),
      ]
    })
}

/** Compares the recorded answer of the tool with what it does now. */
async function agrees({ ecosystem, ask, base, hidden, spellings }: Sabotage): Promise<boolean> {
  if (ask === undefined) return true
  let isSame = true
  for (const spelling of spellings) {
    const planted = spelling.plant(base, hidden)
    if (planted === undefined || spelling.isAsked === false) continue
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sabotage-'))
    for (const [path, text] of Object.entries(planted)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const answer = await ask(folder, hidden)
    if (existsSync(folder)) rmSync(folder, { recursive: true })
    if (answer === spelling.tool) continue
    isSame = false
    console.log(`${ecosystem}, ${spelling.name}: the tool ${answer}, recorded: ${spelling.tool}`)
  }
  return isSame
}

function toRow({ ecosystem, spellings }: Sabotage, outcomes: readonly Outcome[]): string {
  const counts = VERDICTS.map((verdict) => outcomes.filter((outcome) => outcome.verdict === verdict).length)
  const projects = new Set(outcomes.map(({ project }) => project)).size
  return `| ${ecosystem} | ${projects} | ${spellings.length} | ${outcomes.length} | ${counts.join(' | ')} | ${falseCleans(outcomes).length} |`
}

function sendTo(server: string, key: string): Send {
  return async (ecosystem, body, query = {}): Promise<Answer> => {
    const response = await fetch(`${server}/v1/test/${ecosystem}?${new URLSearchParams({ ...query })}`, {
      method: 'POST',
      headers: { authorization: `token ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }
}
