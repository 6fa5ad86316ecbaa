/**
 * Fuzzes every parser of untrusted text, guided by the branches that inputs reach:
 *
 *     npm run fuzz -- [--seconds 60] [--seed 1] [--only maven,range-npm] [--inputs 10000] [--out folder]
 *     npm run fuzz -- --reproduce <file that a run has written>
 *
 * `--seconds` is shared by all targets. The same seed tries the same inputs in the same order, as far as time allows;
 * with `--inputs` it is exactly that many of each. A fault is written to a file of its own; the exit code is then 1.
 * Seeds are the fixtures, and the files of a corpus if there is one (`npm run corpus`, or the folder that CORPUS names).
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, styleText } from 'node:util'
import { corpusLacks } from '../corpus/folder.ts'
import type { Input } from './input.ts'
import type { Fault } from './messages.ts'
import { listTargets } from './targets.ts'
import { watch } from './watch.ts'

interface Saved {
  readonly target: string
  readonly input: Input
}

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    inputs: { type: 'string', default: 'Infinity' },
    only: { type: 'string' },
    out: { type: 'string', default: path.join(tmpdir(), 'gatehouse-fuzz') },
    reproduce: { type: 'string' },
  },
})

const list = import.meta.resolve('./targets.ts')

async function main(): Promise<void> {
  if (options.reproduce !== undefined) return reproduce(JSON.parse(readFileSync(options.reproduce, 'utf8')) as Saved)
  const names = listTargets().map(({ name }) => name)
  const selected = options.only?.split(',') ?? names
  const strange = selected.filter((name) => !names.includes(name))
  if (strange.length > 0) throw new Error(`no such target: ${strange.join(', ')}; there are ${names.join(', ')}`)
  const seconds = Number(options.seconds) / selected.length
  for (const part of ['manifests', 'osv', 'versions'])
    if (corpusLacks(part) !== undefined) console.log(`Seeds: no ${part}, the fixtures alone (verification/README.md).`)
  console.log('')
  console.log('| parser | inputs | per second | refused | kept | branches | slowest ms | faults |')
  console.log('|---|---|---|---|---|---|---|---|')
  const totals = { inputs: 0, faults: 0 }
  for (const target of selected) {
    const task = { list, target, seed: Number(options.seed), seconds, inputs: Number(options.inputs), only: undefined }
    const { progress, faults } = await watch(task)
    console.log(`| ${[target, ...cellsOf(progress), faults.length].join(' | ')} |`)
    for (const fault of faults) console.log(styleText('red', `  ${describe(fault)}\n  ${save(target, fault)}`))
    totals.inputs += progress?.inputs ?? 0
    totals.faults += faults.length
  }
  console.log(`\n${totals.inputs.toLocaleString('en')} inputs, ${totals.faults} faults (seed ${options.seed})`)
  process.exitCode = totals.faults === 0 ? 0 : 1
}

function cellsOf(progress: Awaited<ReturnType<typeof watch>>['progress']): (string | number)[] {
  if (progress === undefined) return ['-', '-', '-', '-', '-', '-']
  const { inputs, refused, kept, branches, slowestMs, cpuSeconds } = progress
  const share = `${Math.round((100 * refused) / Math.max(1, inputs))} %`
  return [inputs, Math.round(inputs / cpuSeconds), share, kept, branches, Math.round(slowestMs)]
}

function describe({ kind, message, number }: Fault): string {
  return `${kind} at input ${number}: ${message}`
}

function save(target: string, { input, key }: Fault): string {
  mkdirSync(options.out, { recursive: true })
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 8)
  const file = path.join(options.out, `${target}-${digest}.json`)
  writeFileSync(file, JSON.stringify({ target, input } satisfies Saved))
  return file
}

async function reproduce({ target, input }: Saved): Promise<void> {
  const { faults } = await watch({ list, target, seed: 1, seconds: 60, inputs: 1, only: input })
  console.log(faults.length === 0 ? 'No fault.' : faults.map(describe).join('\n'))
  process.exitCode = faults.length === 0 ? 0 : 1
}

await main()
