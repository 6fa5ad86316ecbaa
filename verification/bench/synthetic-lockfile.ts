import { createHash } from 'node:crypto'

/** Deterministic numbers from a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface SyntheticProject {
  readonly manifest: string
  readonly lock: string
}

/**
 * A project of `packages` packages in the shape of real ones: one in fifty is a direct dependency, each needs two or
 * three others, mostly near it. `existing` of them, as a share, carry names that the synthetic advisories know.
 */
export function syntheticProject({
  packages,
  existing,
  seed,
}: {
  packages: number
  existing: number
  seed: number
}): SyntheticProject {
  const random = randomOf(seed)
  const names = Array.from({ length: packages }, (_, n) =>
    random() < existing
      ? `synthetic-package-${Math.floor(random() * 60_000)}-${n}`.replace(/-\d+$/, '')
      : `unheard-of-package-number-${n}`,
  )
  const unique = [...new Set(names)]
  const version = () => `${Math.floor(random() * 9) + 1}.${Math.floor(random() * 20)}.${Math.floor(random() * 30)}`
  const entries = unique.map((name, n) => {
    const dependencies: Record<string, string> = {}
    for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
      const at = n + 1 + Math.floor(random() * Math.min(200, unique.length))
      if (at < unique.length) dependencies[unique[at]!] = `^${Math.floor(random() * 9)}.0.0 || >=0.0.0`
    }
    const matches = version()
    return [
      `node_modules/${name}`,
      {
        version: matches,
        resolved: `https://registry.example/${name}/-/${name}-${matches}.tgz`,
        // Every archive has its own digest: equal ones would contradict each other.
        integrity: `sha512-${createHash('sha512').update(`${name}@${matches}`).digest('base64')}`,
        license: 'MIT',
        dependencies,
        engines: { node: '>=14' },
        funding: { url: `https://registry.example/funding/${name}` },
      },
    ] as const
  })
  const dependencies = Object.fromEntries(unique.filter((_, n) => n % 50 === 0).map((name) => [name, '>=0.0.0']))
  const project = { name: 'synthetic', version: '1.0.0', dependencies }
  return {
    manifest: JSON.stringify(project),
    lock: JSON.stringify(
      {
        name: 'synthetic',
        version: '1.0.0',
        lockfileVersion: 3,
        packages: { '': project, ...Object.fromEntries(entries) },
      },
      null,
      2,
    ),
  }
}

/**
 * A project of 2,000 packages in which every known one is reached over 168 paths: twelve direct dependencies need
 * fourteen packages each, which need all known ones.
 */
export function projectOfManyPaths(): SyntheticProject {
  const namesOf = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`)
  const existing = Array.from({ length: 100 }, (_, n) => `synthetic-package-${10_000 + n * 7}`)
  const [direct, middle, fillers] = [namesOf('direct-', 12), namesOf('middle-', 14), namesOf('filler-', 1_874)]
  const asking = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '*']))
  const entriesOf = (names: readonly string[], needed: readonly string[]) =>
    names.map((name) => [`node_modules/${name}`, { version: '0.0.1', license: 'MIT', dependencies: asking(needed) }])
  const project = { name: 'paths', version: '1.0.0', dependencies: asking([...direct, ...fillers]) }
  const packages = Object.fromEntries([
    ['', project],
    ...entriesOf(direct, middle),
    ...entriesOf(middle, existing),
    ...entriesOf([...existing, ...fillers], []),
  ])
  return {
    manifest: JSON.stringify(project),
    lock: JSON.stringify({ name: 'paths', version: '1.0.0', lockfileVersion: 3, packages }),
  }
}
