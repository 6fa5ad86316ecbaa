import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'

/** A lock as read by Bundler's own parser. */
export interface BundlersView {
  readonly specs: readonly {
    readonly name: string
    readonly version: string
    readonly platform: string
    readonly source: string
    readonly dependencies: Record<string, string>
  }[]
  readonly direct: Record<string, string>
  readonly bundler: string | null
}

const script = `
require 'bundler'
require 'json'
lock = Bundler::LockfileParser.new(STDIN.read)
requirement = ->(dependency) { dependency.requirement.to_s }
specs = lock.specs.map do |spec|
  { name: spec.name, version: spec.version.to_s, platform: spec.platform.to_s,
    source: spec.source.class.name.split('::').last,
    dependencies: spec.dependencies.to_h { |each| [each.name, requirement.(each)] } }
end
puts JSON.generate(specs: specs, direct: lock.dependencies.to_h { |name, each| [name, requirement.(each)] }, bundler: lock.bundler_version&.to_s)
`

/** In the project's folder, because Bundler wants a Gemfile near. */
export function askBundler(text: string, cwd: string): BundlersView {
  const { status, stdout, stderr } = spawnSync('ruby', ['-e', script], { input: text, encoding: 'utf8', cwd })
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout) as BundlersView
}

/** Requirements in any order; Bundler sorts them. */
export function normalRequirement(requirement: string): string {
  return requirement.split(', ').sort().join(', ')
}

/** All edges of the lock; what has its gemspec in the project's own folder is the project. */
export function bundlerEdges({ specs, direct, bundler }: BundlersView, text: string): Set<string> {
  const own = new Set(
    [...text.matchAll(/^PATH\n {2}remote: \.\n(?: {2}\S.*\n)* {2}specs:\n((?: {4}.*\n)*)/gm)].flatMap(([, block]) =>
      [...block!.matchAll(/^ {4}(\S+) \(/gm)].map(([, name]) => name!),
    ),
  )
  const labelsOf = (name: string) => {
    const labels = specs
      .filter((spec) => spec.name === name && !own.has(name))
      .map(({ version }) => `${name}@${version}`)
    return name === 'bundler' && labels.length === 0 && bundler !== null ? [`bundler@${bundler}`] : labels
  }
  const edges = new Set<string>()
  const add = (from: string, names: readonly string[]) => {
    for (const to of names.flatMap(labelsOf)) edges.add(`${from} → ${to}`)
  }
  add('project', Object.keys(direct))
  for (const { name, version, dependencies } of specs) {
    add(own.has(name) ? 'project' : `${name}@${version}`, Object.keys(dependencies))
  }
  return edges
}
