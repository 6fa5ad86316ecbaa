import { spawn } from 'node:child_process'

/** The checks of `npm run lint` by name, each a program that fails with a status other than 0. */
const checks: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  spelling: ['cspell', 'lint', '--no-progress', '--no-summary', '--no-must-find-files'],
  code: ['biome', 'check', '--diagnostic-level=error'],
  prose: ['node', 'tools/lint/prose.ts'],
  commits: ['node', 'tools/lint/commits.ts'],
}

interface Outcome {
  readonly name: string
  readonly failed: boolean
  readonly seconds: number
  readonly output: string
}

function run(name: string): Promise<Outcome> {
  const [program, ...args] = checks[name]!
  const started = performance.now()
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  child.stderr.on('data', (part: Buffer) => parts.push(part))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => {
      const seconds = (performance.now() - started) / 1000
      resolve({ name, failed: status !== 0, seconds, output: Buffer.concat(parts).toString() })
    })
  })
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in checks))
if (unknown.length > 0) {
  console.error(`No check is called ${unknown.join(', ')}. Checks: ${Object.keys(checks).join(', ')}`)
  process.exit(2)
}
// All at once: spelling takes most of the time, on one core.
const outcomes = await Promise.all((names.length > 0 ? names : Object.keys(checks)).map(run))
for (const { name, failed, seconds, output } of outcomes) {
  if (failed) console.log(output.trimEnd())
  console.log(`${failed ? '✖' : '✔'} ${name} (${seconds.toFixed(1)} s)`)
}
process.exitCode = outcomes.some(({ failed }) => failed) ? 1 : 0
