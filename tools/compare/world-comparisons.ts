import { spawnSync } from 'node:child_process'
import type { CompareSettings } from './comparison.ts'
import { outputOf } from './tool-comparisons.ts'

export interface WorldComparison {
  readonly ecosystem: string
  readonly reference: string
  /** `same 90, bothRefuse 10`, in the words of the tool. */
  readonly answers: string
  readonly different: number
  readonly missing: string | undefined
}

/** The pip version whose rules we follow; earlier ones resolve differently. */
const PIP = 26

/** Resolution of projects made at random, with registries made at random on this machine; nothing is fetched. */
export function worldComparisons({ python }: CompareSettings, worlds: string): WorldComparison[] {
  const starts = (command: string, ...parameters: string[]) => spawnSync(command, parameters).status === 0
  const hasBundler = starts('ruby', '-rbundler', '-e', '1')
  const hasMaven = starts('mvn', '--version') && starts('javac', '--version')
  const pip = /^pip (\d+)/.exec(spawnSync(python, ['-m', 'pip', '--version'], { encoding: 'utf8' }).stdout ?? '')?.[1]
  return [
    hold('rubygems', 'bundle lock', hasBundler ? undefined : 'needs Ruby with Bundler', [
      'gems-against-bundler.ts',
      worlds,
    ]),
    hold('maven', "Maven's resolver", hasMaven ? undefined : 'needs Maven and a JDK', [
      'maven-resolution-on-random-projects.ts',
      '--projects',
      worlds,
    ]),
    hold('pip', "pip's resolver", Number(pip) >= PIP ? undefined : `needs Python with pip ${PIP} or later: --python`, [
      'pip-resolution-on-random-projects.ts',
      '--python',
      python,
      '--count',
      worlds,
    ]),
  ]
}

function hold(
  ecosystem: string,
  reference: string,
  missing: string | undefined,
  [tool = '', ...parameters]: readonly string[],
): WorldComparison {
  if (missing !== undefined) return { ecosystem, reference, answers: '', different: 0, missing }
  return { ecosystem, reference, missing, ...parseTally(outputOf(tool, parameters)) }
}

/** The tools end with an object of counts; `different` is the one that must be zero. */
export function parseTally(text: string): Pick<WorldComparison, 'answers' | 'different'> {
  const last = text.slice(text.lastIndexOf('{'))
  const counts = [...last.matchAll(/["']?(\w+)["']?: (\d+)|"(\w+)":(\d+)/g)].map(
    ([, name, count, quoted, other]) => [name ?? quoted ?? '', Number(count ?? other)] as const,
  )
  const different = counts.find(([name]) => name === 'different')?.[1]
  if (different === undefined) throw new Error(`no count of what is different in: ${last.slice(0, 200)}`)
  return { answers: counts.map(([name, count]) => `${name} ${count}`).join(', '), different }
}
