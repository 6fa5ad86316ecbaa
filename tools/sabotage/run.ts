import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { sabotages } from './ecosystems.ts'
import { type Answer, falseCleans, type Send, type Trial, trySpelling, type Verdict } from './judge.ts'
import type { ProjectFiles, Sabotage } from './spelling.ts'

const usage = `Hides a vulnerable dependency in real projects, in every spelling that the tools allow, and counts what a server says.

  node tools/sabotage/run.ts --server URL --key-file FILE [--projects FOLDER] [--only ECOSYSTEM] [--ask]

--projects  a folder with one folder per project; default: the smallest project of each ecosystem
--ask       also lets the real tool resolve each spelling in the smallest project, and says where it disagrees

Exits with 1 when a false clean or a disagreement is left.`

const VERDICTS: readonly Verdict[] = ['found', 'reported', 'refused', 'silent']

const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    'key-file': { type: 'string' },
    projects: { type: 'string' },
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
  const trials = await tryAll(sabotage)
  console.log(toRow(sabotage, trials))
  for (const { project, spelling } of falseCleans(trials)) console.log(`  false clean: ${project}: ${spelling.name}`)
  isWrong ||= falseCleans(trials).length > 0
}
if (values.ask) for (const sabotage of chosen) isWrong = !(await agrees(sabotage)) || isWrong
process.exitCode = isWrong ? 1 : 0

async function tryAll(sabotage: Sabotage): Promise<Trial[]> {
  const trials: Trial[] = []
  for (const [project, files] of projectsOf(sabotage)) {
    for (const spelling of sabotage.spellings) {
      const trial = await trySpelling(send, sabotage, { project, files, spelling })
      if (trial) trials.push(trial)
    }
  }
  return trials
}

function projectsOf({ target, base }: Sabotage): [string, ProjectFiles][] {
  if (values.projects === undefined) return [['smallest project', base]]
  return globSync(`*/${target}`, { cwd: values.projects }).map((path) => {
    const folder = join(values.projects!, dirname(path))
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

function toRow({ ecosystem, spellings }: Sabotage, trials: readonly Trial[]): string {
  const counts = VERDICTS.map((verdict) => trials.filter((trial) => trial.verdict === verdict).length)
  const projects = new Set(trials.map(({ project }) => project)).size
  return `| ${ecosystem} | ${projects} | ${spellings.length} | ${trials.length} | ${counts.join(' | ')} | ${falseCleans(trials).length} |`
}

function sendTo(server: string, key: string): Send {
  return async (ecosystem, body): Promise<Answer> => {
    const response = await fetch(`${server}/v1/test/${ecosystem}`, {
      method: 'POST',
      headers: { authorization: `token ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }
}
