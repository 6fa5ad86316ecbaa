import type { Hostile } from './hostile-projects.ts'

const conflict = (text: string) => `<<<<<<< HEAD\n${text}=======\n>>>>>>> other\n`
const long = 'x'.repeat(1_000_000)
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

const REGISTRY = 'source = "registry+https://github.com/rust-lang/crates.io-index"\n'
const crate = (name: string, more = '', version = '1.0.0') =>
  `[[package]]\nname = "${name}"\nversion = "${version}"\n${more}\n`
const cargoLock = (...crates: readonly string[]) => `version = 4\n\n${crates.join('')}`
const own = crate('p', 'dependencies = [\n "good",\n]\n')
const good = crate('good', REGISTRY)
const cargoToml = '[package]\nname = "p"\nversion = "1.0.0"\n\n[dependencies]\ngood = "1"\n'
const cargo: readonly Hostile[] = [
  ['an empty lock', ['', cargoToml], 'refused or named'],
  ['a truncated lock', [cargoLock(own, good).slice(0, 60), cargoToml], 'refused'],
  ['a merge conflict', [conflict(cargoLock(own, good)), cargoToml], 'refused'],
  ['an unknown version of the lock', [cargoLock(own, good).replace('= 4', '= 99'), cargoToml], 'refused or named'],
  ['a lock without the required package', [cargoLock(own), cargoToml], 'named'],
  ['a locked version outside of the range', [cargoLock(own, crate('good', REGISTRY, '2.0.0')), cargoToml], 'named'],
  ['a dependency that the lock of the project lacks', [cargoLock(crate('p'), good), cargoToml], 'named'],
  ['a package without a version', [cargoLock(own, `[[package]]\nname = "good"\n${REGISTRY}`), cargoToml], 'refused'],
  ['a version that is a number', [cargoLock(own, `[[package]]\nname = "good"\nversion = 1\n`), cargoToml], 'refused'],
  ['a version that Cargo refuses', [cargoLock(own, crate('good', REGISTRY, '1.0')), cargoToml], 'refused or named'],
  [
    'a package of a git repository',
    [cargoLock(own, crate('good', 'source = "git+https://a.example/b#f0"\n')), cargoToml],
    'named',
  ],
  [
    'a package of another registry',
    [cargoLock(own, crate('good', 'source = "registry+https://a.example/i"\n')), cargoToml],
    'named',
  ],
  ['dependencies that are no list', [cargoLock(crate('p', 'dependencies = "good"\n'), good), cargoToml], 'refused'],
  ['a package twice', [cargoLock(own, good, good), cargoToml], 'refused or named'],
  [
    'names of object members',
    [cargoLock(crate('p', 'dependencies = [\n "__proto__",\n]\n'), crate('__proto__', REGISTRY))],
    'complete',
  ],
  ['a very long name', [cargoLock(own, good), cargoToml.replace('good', long)], 'refused or named'],
  ['two locks', [cargoLock(own, good), cargoLock(own, good)], 'refused'],
]

const workflow = (...uses: readonly string[]) =>
  `on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n${uses.map((use) => `      - uses: ${use}\n`).join('')}`
const githubactions: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a truncated file', [workflow('a/b@v1.0.0').slice(0, 30)], 'refused'],
  ['a merge conflict', [conflict(workflow('a/b@v1.0.0'))], 'refused'],
  ['an action without a version', [workflow('a/b')], 'named'],
  ['an action of a branch', [workflow('a/b@main')], 'named'],
  ['an action of a major version', [workflow('a/b@v1')], 'named'],
  ['an action of a commit without a version', [workflow(`a/b@${'f0'.repeat(20)}`)], 'named'],
  ['an action whose name is an expression', [workflow('${{ matrix.action }}@v1.0.0')], 'named'],
  ['an action that is a number', [workflow('1')], 'refused or named'],
  ['an action that is a map', [workflow('{a: b}')], 'refused or named'],
  ['steps that are a text', ['on: push\njobs:\n  a:\n    steps: uses\n'], 'refused or named'],
  ['jobs that are a list', ['on: push\njobs:\n  - uses: a/b@v1.0.0\n'], 'refused or named'],
  ['names of object members', [workflow('__proto__/constructor@v1.0.0')], 'complete'],
  [
    'a bomb of aliases',
    [`on: push\n${many(30, (at) => `a${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}]\n`).join('')}jobs: {}\n`],
    'refused',
  ],
  ['a very long name', [workflow(`a/${long}@v1.0.0`)], 'refused or named'],
]

const pubLock = (entries: string) => `packages:\n${entries}sdks:\n  dart: ">=3.0.0"\n`
const pubEntry = (name: string, version = '"1.0.0"', source = 'hosted', url = 'https://registry.example') =>
  `  ${name}:\n    dependency: "direct main"\n    description:\n      name: ${name}\n      url: "${url}"\n    source: ${source}\n    version: ${version}\n`
const pubspec = 'name: p\nenvironment:\n  sdk: ^3.0.0\ndependencies:\n  good: ^1.0.0\n'
const pub: readonly Hostile[] = [
  ['an empty lock', ['', pubspec], 'refused'],
  ['a truncated lock', [pubLock(pubEntry('good')).slice(0, 40), pubspec], 'refused'],
  ['a merge conflict', [conflict(pubLock(pubEntry('good'))), pubspec], 'refused'],
  ['a lock without the required package', [pubLock(pubEntry('other')), pubspec], 'named'],
  ['a locked version outside of the range', [pubLock(pubEntry('good', '"2.0.0"')), pubspec], 'named'],
  ['a version that is a number', [pubLock(pubEntry('good', '1.0')), pubspec], 'refused or named'],
  ['a version that Pub refuses', [pubLock(pubEntry('good', '"1"')), pubspec], 'refused or named'],
  [
    'a package without a version',
    [pubLock('  good:\n    dependency: "direct main"\n    source: hosted\n'), pubspec],
    'refused or named',
  ],
  ['a package of git', [pubLock(pubEntry('good', '"1.0.0"', 'git')), pubspec], 'named'],
  ['an unknown source', [pubLock(pubEntry('good', '"1.0.0"', 'carrier-pigeon')), pubspec], 'refused or named'],
  ['packages that are a list', ['packages:\n  - good\nsdks:\n  dart: ">=3.0.0"\n', pubspec], 'refused'],
  ['a package that is a text', [pubLock('  good: 1.0.0\n'), pubspec], 'refused or named'],
  ['names of object members', [pubLock(pubEntry('__proto__') + pubEntry('good')), pubspec], 'complete'],
  [
    'a bomb of aliases',
    [
      `${many(30, (at) => `a${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}]\n`).join('')}${pubLock(pubEntry('good'))}`,
      pubspec,
    ],
    'refused',
  ],
  ['two locks', [pubLock(pubEntry('good')), pubLock(pubEntry('good'))], 'refused'],
]

const mixLock = (entries: string) => `%{\n${entries}}\n`
const mixEntry = (name: string, version = '1.0.0', requires = '') =>
  `  "${name}": {:hex, :${name}, "${version}", "00", [:mix], [${requires}], "hexpm", "11"},\n`
const mixExs =
  'defmodule P.MixProject do\n  use Mix.Project\n\n  def project, do: [app: :p, version: "1.0.0", deps: [{:good, "~> 1.0"}]]\nend\n'
const hex: readonly Hostile[] = [
  ['an empty lock', ['', mixExs], 'refused'],
  ['a truncated lock', [mixLock(mixEntry('good')).slice(0, 40), mixExs], 'refused'],
  ['a merge conflict', [conflict(mixLock(mixEntry('good'))), mixExs], 'refused'],
  ['a lock without the required package', [mixLock(mixEntry('other')), mixExs], 'named'],
  ['a locked version outside of the range', [mixLock(mixEntry('good', '2.0.0')), mixExs], 'named'],
  ['a version that Mix refuses', [mixLock(mixEntry('good', '1')), mixExs], 'refused or named'],
  ['an entry without a version', [mixLock('  "good": {:hex, :good},\n'), mixExs], 'refused'],
  ['an entry that is a text', [mixLock('  "good": "1.0.0",\n'), mixExs], 'refused'],
  ['a package of git', [mixLock('  "good": {:git, "https://a.example/b.git", "f0", []},\n'), mixExs], 'named'],
  ['a private package', [mixLock(mixEntry('good').replace('hexpm', 'hexpm:acme')), mixExs], 'named'],
  [
    'a missing package',
    [mixLock(mixEntry('good', '1.0.0', '{:other, "~> 1.0", [hex: :other, repo: "hexpm", optional: false]}')), mixExs],
    'named',
  ],
  ['code instead of a map', [mixLock('  "good": System.halt(1),\n'), mixExs], 'refused'],
  ['terms nested 5,000 deep', [`%{"good": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`, mixExs], 'refused'],
  [
    'dependencies that are computed',
    [mixLock(mixEntry('good')), mixExs.replace('[{:good, "~> 1.0"}]', 'load()')],
    'complete',
  ],
  ['two locks', [mixLock(mixEntry('good')), mixLock(mixEntry('good'))], 'refused'],
]

const pin = (state: object, location = 'https://a.example/b/good') => ({
  identity: 'good',
  kind: 'remoteSourceControl',
  location,
  state,
})
const swiftLock = (pins: unknown, version: unknown = 2) => JSON.stringify({ pins, version })
const swiftPackage = (range = 'from: "1.0.0"') =>
  `// swift-tools-version:5.5\nimport PackageDescription\nlet package = Package(name: "p", dependencies: [.package(url: "https://a.example/b/good", ${range})])\n`
const swift: readonly Hostile[] = [
  ['an empty lock', ['', swiftPackage()], 'refused'],
  ['a truncated lock', [swiftLock([pin({ version: '1.0.0' })]).slice(0, 50), swiftPackage()], 'refused'],
  ['a merge conflict', [conflict(swiftLock([])), swiftPackage()], 'refused'],
  ['an unknown version of the lock', [swiftLock([], 9)], 'refused'],
  ['a lock without the required package', [swiftLock([]), swiftPackage()], 'named'],
  ['a locked version outside of the range', [swiftLock([pin({ version: '2.0.0' })]), swiftPackage()], 'named'],
  ['a pin without a state', [swiftLock([{ identity: 'good' }])], 'refused'],
  ['a pin that is a text', [swiftLock(['good'])], 'refused'],
  ['pins that are an object', [swiftLock({ good: {} })], 'refused'],
  [
    'a pin of a branch',
    [swiftLock([pin({ branch: 'main', revision: 'f0' })]), swiftPackage('branch: "main"')],
    'named',
  ],
  ['a version that is a number', [swiftLock([pin({ version: 1 })])], 'named'],
  ['a version that SwiftPM refuses', [swiftLock([pin({ version: 'latest' })])], 'named'],
  ['a pin of a folder', [swiftLock([pin({ version: '1.0.0' }, '/private/b')])], 'named'],
  ['a pin twice', [swiftLock([pin({ version: '1.0.0' }), pin({ version: '1.1.0' })])], 'refused'],
  [
    'dependencies that are computed',
    [swiftPackage().replace('[.package', 'all + [.package(name)].map { .package').replace('))', ')})')],
    'refused or named',
  ],
  ['two locks', [swiftLock([]), swiftLock([])], 'refused'],
]

const podLock = (pods: string, dependencies = '  - good (~> 1.0)\n', end = 'COCOAPODS: 1.15.2\n') =>
  `PODS:\n${pods}\nDEPENDENCIES:\n${dependencies}\n${end}`
const cocoapods: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a truncated lock', [podLock('  - good (1.0)\n').slice(0, 30)], 'refused'],
  ['a merge conflict', [conflict(podLock('  - good (1.0)\n'))], 'refused'],
  ['a lock without its end', [podLock('  - good (1.0)\n', undefined, '')], 'refused'],
  ['a lock without the required pod', [podLock('  - other (1.0)\n')], 'named'],
  ['a locked version outside of the range', [podLock('  - good (2.0)\n')], 'named'],
  ['a missing pod', [podLock('  - good (1.0):\n    - other (~> 1.0)\n')], 'named'],
  ['a pod without a version', [podLock('  - good\n')], 'refused or named'],
  ['a version that CocoaPods refuses', [podLock('  - good (latest)\n')], 'refused or named'],
  ['two versions of a pod', [podLock('  - good (1.0)\n  - good/Core (1.1)\n')], 'refused'],
  ['pods that are a map', ['PODS:\n  good: 1.0\nDEPENDENCIES:\n  - good\nCOCOAPODS: 1.15.2\n'], 'refused'],
  [
    'a pod of git',
    [
      podLock(
        '  - good (1.0)\n',
        '  - good (from `https://a.example/b.git`)\n',
        'EXTERNAL SOURCES:\n  good:\n    :git: https://a.example/b.git\nCOCOAPODS: 1.15.2\n',
      ),
    ],
    'named',
  ],
  [
    'a pod of another repository',
    [
      podLock(
        '  - good (1.0)\n',
        undefined,
        'SPEC REPOS:\n  https://a.example/specs:\n    - good\nCOCOAPODS: 1.15.2\n',
      ),
    ],
    'named',
  ],
  [
    'a changed Podfile',
    [
      podLock('  - good (1.0)\n', undefined, `PODFILE CHECKSUM: ${'0'.repeat(40)}\nCOCOAPODS: 1.15.2\n`),
      "pod 'good'\n",
    ],
    'named',
  ],
  [
    'a bomb of aliases',
    [`${many(30, (at) => `a${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}]\n`).join('')}${podLock('  - good (1.0)\n')}`],
    'refused',
  ],
]

/** Hostile projects of formats that are read but not resolved, by ecosystem id. */
export const hostileLocks: Readonly<Record<string, readonly Hostile[]>> = {
  cargo,
  githubactions,
  pub,
  hex,
  swift,
  cocoapods,
}
