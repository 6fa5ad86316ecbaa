import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { rubygems } from './index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }

/** Reads a lock of `a`, and optionally other gems, beside a Gemfile that requires `a` and more. */
async function read(text: string, locked: readonly string[] = []): Promise<string[]> {
  const names = ['a', ...locked]
  const lock = `GEM\n  specs:\n${names.map((name) => `    ${name} (1.0)\n`).join('')}\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n${names.map((name) => `  ${name}\n`).join('')}`
  const gemfile = `source 'https://registry.example'\ngem 'a'\n${text}\n`
  const reading = await rubygems.read({ target: gemfile, additional: [lock] }, noRegistries, options)
  return reading.unresolved.map(({ name, code, line }) => `${name} ${code} ${line}`)
}

describe('a Gemfile with gems that its lock lacks', () => {
  const cases: [gemfile: string, unresolved: string[]][] = [
    ["%w[x y].each do |n|\n  gem n, '2'\nend", ['x not-in-lockfile 4', 'y not-in-lockfile 4']],
    ["['x'].each { |n| gem n }", ['x not-in-lockfile 3']],
    ['ALL = %w[x].freeze\nALL.each do |n|\n  group :test do\n    gem n\n  end\nend', ['x not-in-lockfile 6']],
    ['%w[x].reverse.each do |n|\n  gem n\nend', ['gem n not-static 4']],
    ["1.times { gem 'x' }", ["1.times { gem 'x' } not-static 3"]],
    ["1.times do\n  gem 'x'\nend", ['x not-in-lockfile 4', '1.times do not-static 3']],
    ["gem 'x' if true", ['x not-in-lockfile 3']],
    ["if !false\n  gem 'x'\nend", ['x not-in-lockfile 4']],
    ["gem 'x', platforms: :ruby", ['x not-in-lockfile 3']],
    ["install_if -> { true } do\n  gem 'x'\nend", ['x not-in-lockfile 4']],
    ["gem 'x' if ENV['X']", []],
    ["if RUBY_VERSION < '3'\n  gem 'x'\nend", []],
    ["abort 'old' if RUBY_VERSION < '3'", []],
    ["plugin 'x', '~> 1.0'", ['x not-in-lockfile 3']],
    ["plugin 'x', git: 'https://git.example/x.git'", ['x not-in-lockfile 3']],
  ]
  for (const [gemfile, unresolved] of cases) {
    test(`gems missing from the lock are reported for ${gemfile}`, async () =>
      assert.deepEqual(await read(gemfile), unresolved))
  }

  test('Gemfile: lines that must be run are not reported if they explain gems of the lock', async () => {
    assert.deepEqual(await read("%w[x].reverse.each do |n|\n  gem n\nend\n1.times { gem 'x' }", ['x']), [])
    assert.deepEqual(await read('%w[x].each { |n| gem n }', ['x']), [])
  })
})
