import fc from 'fast-check'
import { versionSchemes } from '../../src/analysis/versions/index.ts'
import type { VersionScheme } from '../../src/analysis/versions/version-scheme.ts'
import { versionPairs, versionsWithRange } from '../../test/support/manifests/version-texts.ts'
import { BrokenRule, type Corpus, type Target } from './input.ts'
import { corpusLines } from './seeds.ts'

const SEEDS = 300
/** Versions of any length are met by tests. */
const MAX_CHARACTERS = 2_000

export const versionTargets: readonly (() => Target[])[] = Object.values(versionSchemes).map((scheme) => () => [
  {
    name: `version-${scheme.id}`,
    corpus: () => seedsOf(threes(scheme)),
    run: ([a = '', b = '', c = '']) => orderOf(scheme, [a, b, c]),
    isRefusal: () => false,
    maxCharacters: MAX_CHARACTERS,
  },
  {
    name: `range-${scheme.id}`,
    corpus: () => seedsOf(fc.sample(versionsWithRange(scheme.id), { numRuns: SEEDS, seed: 1 })),
    run: ([version = '', range = '']) => judge(scheme, version, range),
    isRefusal: () => false,
    maxCharacters: MAX_CHARACTERS,
  },
])

function seedsOf(all: readonly (readonly string[])[]): Corpus {
  return { seeds: all.map((texts) => ({ texts: [...texts], world: 0 })) }
}

function threes(scheme: VersionScheme): string[][] {
  const real = corpusLines('versions', 5 * SEEDS).flatMap((line) => /^(\S+) [<=>] (\S+)$/.exec(line)?.slice(1) ?? [])
  const pairs = fc.sample(versionPairs(scheme.id), { numRuns: SEEDS, seed: 1 })
  return [...pairs.map(([a, b]) => [a, b, `${a}.${b}`]), ...real.map((a, at) => [a, real[at + 1] ?? '', 'x'])]
}

/** An order of all texts: never a contradiction among three. */
function orderOf(scheme: VersionScheme, versions: readonly [string, string, string]): number[] {
  const [a, b, c] = versions
  const sign = (one: string, other: string) => Math.sign(scheme.compare(one, other))
  for (const version of versions) {
    demand(sign(version, version) === 0, 'a version is not equal to itself')
    demand(typeof scheme.isValid(version) === 'boolean', 'neither valid nor not')
  }
  const [ab, bc, ac] = [sign(a, b), sign(b, c), sign(a, c)]
  demand(ab + sign(b, a) === 0, 'an order that depends on the side')
  const isChain = ab === bc || ab === 0 || bc === 0
  // Maven's own order goes in circles, and is followed (decision 0010).
  demand(!isChain || scheme.id === 'maven' || ac === (ab === 0 ? bc : ab), 'an order in a circle')
  return [ab, bc, ac]
}

function judge(scheme: VersionScheme, version: string, range: string): boolean {
  const isMet = scheme.satisfies(version, range)
  demand(!isMet || scheme.isRange(range), 'something satisfies what is no range')
  return isMet
}

function demand(holds: boolean, rule: string): void {
  if (!holds) throw new BrokenRule(rule)
}
