import { Unreadable } from '../../src/analysis/documents/unreadable.ts'
import type { Ecosystem, Reading } from '../../src/analysis/ecosystems/ecosystem.ts'
import { RegistryUnreachable } from '../../src/analysis/ecosystems/ecosystem.ts'
import { ecosystems } from '../../src/analysis/ecosystems/index.ts'
import { distinctPackages } from '../../src/analysis/findings/match-graph.ts'
import type { Registries } from '../../src/analysis/registries/registries.ts'
import { BrokenRule, type Input, type Target } from './input.ts'
import { manifestCorpus } from './seeds.ts'

const MAX_NODES = 2_000

/** Targets per kind of file, so that mutations combine equal kinds. */
const kinds: Readonly<Record<string, Readonly<Record<string, (input: Input) => boolean>>>> = {
  yarn: {
    'yarn-berry': ({ texts }) => texts.some((text) => text.includes('__metadata:')),
    yarn: ({ texts }) => !texts.some((text) => text.includes('__metadata:')),
  },
  pnpm: {
    'pnpm-lock': ({ texts }) => texts.some((text) => /lockfileVersion"?:/.test(text)),
    'pnpm-manifest': ({ texts }) => !texts.some((text) => /lockfileVersion"?:/.test(text)),
  },
  bun: {
    'bun-lock': ({ texts }) => texts.some((text) => text.includes('"lockfileVersion"')),
    'bun-manifest': ({ texts }) => !texts.some((text) => text.includes('"lockfileVersion"')),
  },
  sbom: {
    'sbom-cyclonedx': ({ texts }) => texts[0]?.includes('bomFormat') === true,
    'sbom-xml': ({ texts }) => texts[0]?.startsWith('<') === true,
    'sbom-spdx': ({ texts }) => /^\{/.test(texts[0] ?? '') && !texts[0]?.includes('bomFormat'),
    'sbom-tags': ({ texts }) => texts[0]?.includes('SPDXVersion:') === true,
  },
  rubygems: {
    'rubygems-lock': ({ texts }) => texts.some((text) => /^DEPENDENCIES$/m.test(text)),
    'rubygems-gemfile': ({ texts }) => !texts.some((text) => /^DEPENDENCIES$/m.test(text)),
  },
  npm: {
    'npm-lock': ({ texts }) => texts.some((text) => text.includes('"lockfileVersion"')),
    'npm-manifest': ({ texts }) => !texts.some((text) => text.includes('"lockfileVersion"')),
  },
}

export const manifestTargets: readonly (() => Target[])[] = ecosystems.map((ecosystem) => () => {
  const all = kinds[ecosystem.id] ?? { [ecosystem.id]: () => true }
  return Object.entries(all).map(([name, isOfKind]) => ({
    name,
    corpus: () => {
      const { seeds, worlds = [] } = manifestCorpus(ecosystem)
      return { seeds: seeds.filter(isOfKind), worlds }
    },
    hasManyTexts: true,
    run: (texts, registries) => read(ecosystem, texts, registries!),
    isRefusal: (error) => error instanceof Unreadable || error instanceof RegistryUnreachable,
  }))
})

async function read(
  ecosystem: Ecosystem,
  [target = '', ...additional]: readonly string[],
  registries: Registries,
): Promise<unknown> {
  // Half of them with what only developers need, as their length decides.
  const includeDev = target.length % 2 === 0
  const options = { includeDev, repositories: [], limits: { maxNodes: MAX_NODES } }
  const reading = await ecosystem.read({ target, additional }, registries, options)
  holdRules(reading)
  return reading
}

/** Asserts the invariants that all code after the reading relies on. */
function holdRules({ graph, unresolved, filesRead }: Reading): void {
  const { nodes } = graph
  demand(nodes.length >= 1, 'a reading without the project itself')
  demand(nodes.length <= MAX_NODES + 1, 'more packages than the limit')
  demand(filesRead.length > 0, 'a reading of no file')
  for (const [index, { edges, package: identity }] of nodes.entries()) {
    demand(
      typeof identity.name === 'string' && typeof identity.version === 'string',
      'a package without name or version',
    )
    demand(index === 0 || identity.name !== '', 'a package with an empty name')
    for (const { to, range } of edges) {
      demand(Number.isInteger(to) && to > 0 && to < nodes.length, 'an edge to what is no package')
      demand(typeof range === 'string', 'an edge without a range')
    }
  }
  for (const { name, range, reason, requiredBy, line } of unresolved) {
    demand(
      [name, range, reason, requiredBy].every((text) => typeof text === 'string'),
      'an unresolved entry in parts',
    )
    demand(reason !== '', 'an unresolved entry without a reason')
    demand(line === undefined || (Number.isInteger(line) && line > 0), 'a line that is none')
  }
  const reached = new Set([0])
  for (const index of reached) for (const { to } of nodes[index]!.edges) reached.add(to)
  demand(reached.size === nodes.length, 'a package that nothing leads to')
  distinctPackages(graph)
}

function demand(holds: boolean, rule: string): void {
  if (!holds) throw new BrokenRule(rule)
}
