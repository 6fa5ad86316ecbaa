import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { noRegistries, registriesOf } from '#test/registries/registries.ts'
import { volume } from '#test/volume.ts'
import { rubygems } from './index.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 } }
const lock =
  'GEM\n  remote: https://registry.example/\n  specs:\n    a (1.0)\n      b (~> 2)\n    b (2.1)\n\nDEPENDENCIES\n  a\n'
/** Has every gem, without dependencies. */
const anyGem = registriesOf({ rubygems: { gem: async () => [{ version: '1.0', platform: 'ruby', dependencies: [] }] } })

function read(target: string, ...additional: string[]) {
  return rubygems.read({ target, additional }, noRegistries, options)
}

describe('refused Bundler files', () => {
  const cases: [why: string, files: string[], file: 'target' | number, line: number | undefined, message: RegExp][] = [
    ['an empty file', [''], 'target', 1, /empty/],
    ['a page', ['<html>\n<body>'], 'target', undefined, /HTML page, not one of Gemfile\.lock, Gemfile and gemspec/],
    ['JSON', ['{"dependencies": {}}'], 'target', undefined, /This is a package\.json/],
    ['an additional file that is not a Gemfile', [lock, 'puts 1'], 0, 1, /nothing in it identifies one/],
    ['two locks', [lock, lock], 0, undefined, /Two files of the kind Gemfile\.lock/],
    ['two Gemfiles', [lock, 'gem "a"', 'gem "b"'], 1, undefined, /Two files of the kind Gemfile/],
    ['an empty additional file', [lock, '  '], 0, 1, /empty/],
    ['a truncated lock', [lock.slice(0, lock.indexOf('DEPENDENCIES'))], 'target', 8, /may be truncated/],
    [
      'an unresolved merge',
      [lock.replace('    b (2.1)', '<<<<<<< HEAD\n    b (2.1)\n=======')],
      'target',
      6,
      /merge conflict/,
    ],
    ['a gem without a version', [lock.replace('b (2.1)', 'b')], 'target', 6, /"b" has no version/],
    ['an empty version', [lock.replace('(2.1)', '()')], 'target', 6, /"b" has no version/],
    ['an open bracket', [lock.replace('(2.1)', '(2.1')], 'target', 6, /unexpected/],
    ['nothing before the bracket', [lock.replace('b (2.1)', '(2.1)')], 'target', 6, /unexpected|no version/],
    ['a dependency without a gem', [lock.replace('    a (1.0)\n', '')], 'target', 4, /a dependency without a gem/],
    ['odd indentation', [lock.replace('    b (2.1)', '     b (2.1)')], 'target', 6, /indentation/],
    ['words in a source', [lock.replace('  specs:', '  what is this')], 'target', 3, /unexpected/],
    ['lines before any section', [`  x\n${lock}`], 'target', 1, /unexpected/],
    ['an overlong version', [lock.replace('2.1', '2'.repeat(300))], 'target', 6, /no version/],
  ]
  for (const [why, files, file, line, message] of cases) {
    test(`Bundler file is refused: ${why}`, async () => {
      const [target, ...additional] = files
      await assert.rejects(read(target!, ...additional), (error) => {
        assert.ok(error instanceof Unreadable, String(error))
        assert.match(error.message, message)
        assert.equal(error.file, file)
        assert.equal(error.line, line)
        return true
      })
    })
  }

  for (const text of ['gem "a"\n'.repeat(600_000), lock + '  a\n'.repeat(600_000)]) {
    test(`Bundler file with more than 500,000 lines is refused: ${text.slice(0, 3)}`, async () => {
      await assert.rejects(read(text), /more than 500000 lines/)
    })
  }

  test('Gemfile.lock: more gems than the limit are refused', async () => {
    const many = Array.from({ length: 150 }, (_, at) => `    g${at} (1.0)\n`)
    const dependencies = Array.from({ length: 150 }, (_, at) => `  g${at}\n`)
    const text = `GEM\n  specs:\n${many.join('')}\nDEPENDENCIES\n${dependencies.join('')}`
    await assert.rejects(read(text), /more than 100 gems/)
  })
})

describe('large and odd Bundler files', () => {
  const long = 'x'.repeat(10_000_000)
  const cases: [why: string, target: string, packages: number][] = [
    ['a byte order mark and carriage returns', `\uFEFF${lock}`.replaceAll('\n', '\r\n'), 2],
    ['a remote of ten million characters', lock.replace('registry.example', long), 2],
    ['a name of ten million characters', lock.replace('  a\n', `  a\n  ${long}\n`), 2],
    ['ten million brackets', lock.replace('~> 2', ' ('.repeat(5_000_000)), 2],
    ['ten million blanks', lock.replace('\n\n', `\n${' '.repeat(10_000_000)}\n`), 2],
    ['gems that ask for each other', lock.replace('    b (2.1)', '    b (2.1)\n      a'), 2],
    ['an invalid version', lock.replace('(2.1)', '(two)'), 2],
  ]
  for (const [why, target, packages] of cases) {
    test(`Gemfile.lock is read: ${why}`, async () => {
      const { graph } = await read(target)
      assert.equal(graph.nodes.length - 1, packages)
    })
  }

  const gemfiles: [why: string, target: string][] = [
    ['a line of ten million characters', `gem "a"\n# ${long}\ngem "${long}"`],
    ['many open brackets', `gem "a"\n${'(\n'.repeat(400_000)}`],
    ['a hundred thousand blocks', `gem "a"\n${'group :test do\n'.repeat(100_000)}`],
    ['a hundred thousand ends', `source "https://registry.example"\n${'end\n'.repeat(100_000)}gem "a"`],
    ['a hundred thousand continued lines', `gem "a",\n${'"1",\n'.repeat(100_000)}`],
  ]
  for (const [why, target] of gemfiles) {
    test(`Gemfile with ${why} is read or reported`, async () => {
      const { graph, unresolved } = await rubygems.read({ target, additional: [] }, anyGem, options)
      assert.ok(graph.nodes.length > 1 || unresolved.length > 0)
    })
  }
})

test('Gemfile: gems of random files are in the graph or reported', async () => {
  const pieces = [
    'gem "a"',
    'gem "b", "~> 1.0"',
    "gem 'c', group: :test",
    'gem d',
    'gem "e#{1}"',
    'group :test do',
    'end',
    'if x',
    'else',
  ]
  const others = [
    'source "https://registry.example" do',
    'gem("f", path: "x")',
    '%w[g h].each do |n|',
    '# gem "i"',
    'x = "1.0"',
    'gem "j", x',
    '"',
    '{',
    ')',
    '=begin',
    '=end',
    'gem "k",',
    '',
  ]
  const line = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...pieces, ...others) },
    { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 15 }), async (lines) => {
      const target = ['gem "first"', ...lines].join('\n')
      const { graph, unresolved } = await rubygems.read({ target, additional: [] }, anyGem, options)
      const names = new Set([...graph.nodes.map((node) => node.package.name), ...unresolved.map(({ name }) => name)])
      assert.ok(names.has('first'))
      for (const dependency of unresolved)
        assert.ok(dependency.line === undefined || dependency.line <= lines.length + 1)
    }),
    { numRuns: volume(500) },
  )
})

test('Gemfile.lock: random changes give a result or a refusal', async () => {
  const piece = fc.constantFrom(
    '',
    '(',
    ')',
    ' ',
    '\n',
    '  ',
    '!',
    '-',
    '=',
    '~> ',
    '\0',
    '\ud800',
    '__proto__',
    'GIT\n',
    'PATH\n',
    ':',
  )
  const change = fc.record({ at: fc.nat(lock.length), length: fc.nat(6), piece })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const changed = changes.reduce(
        (text, { at, length, piece: put }) => text.slice(0, at) + put + text.slice(at + length),
        lock,
      )
      try {
        const reading = await rubygems.read({ target: changed, additional: [] }, anyGem, options)
        assert.ok(reading.graph.nodes.length > 0)
      } catch (error) {
        assert.ok(error instanceof Unreadable, `${String(error)}: ${JSON.stringify(changed)}`)
      }
    }),
    { numRuns: volume(1_000) },
  )
})

test('Gemfile.lock: an overlong name is cut where it is reported', async () => {
  const lock = `GEM\n  specs:\n    a (1.0)\n\nDEPENDENCIES\n  a\n  ${'x'.repeat(1_000_000)}\n`
  const { unresolved } = await read(lock)
  assert.equal(unresolved.length, 1)
  assert.ok(JSON.stringify(unresolved).length < 1_000)
})

describe('a gem that the lock requires but does not have', () => {
  const asking = (...platforms: string[]) =>
    `GEM\n  specs:\n    a (1.0)\n\nPLATFORMS\n${platforms.map((platform) => `  ${platform}\n`).join('')}\nDEPENDENCIES\n  a\n  b\n`
  const linux = asking('ruby', 'x86_64-linux')
  const cases: [why: string, files: string[], isComplete: boolean][] = [
    ['without a Gemfile', [linux], false],
    ['for all platforms', [linux, "gem 'a'\ngem 'b'"], false],
    ['for Windows, which the lock lacks', [linux, "gem 'a'\ngem 'b', platforms: [:mingw, :mswin, :x64_mingw]"], true],
    ['for Windows by its newer name, and JRuby', [linux, "gem 'a'\ngem 'b', platforms: %i[windows jruby]"], true],
    ['in a block for Windows', [linux, "gem 'a'\nplatforms :windows do\n  gem 'b'\nend"], true],
    ['for JRuby, which the lock has', [asking('ruby', 'java'), "gem 'a'\ngem 'b', platform: :jruby"], false],
    ['for Windows, which the lock has', [asking('x64-mingw-ucrt'), "gem 'a'\ngem 'b', platform: :windows"], false],
    [
      'for Windows, with a lock without platforms',
      [
        `${linux.slice(0, linux.indexOf('PLATFORMS'))}${linux.slice(linux.indexOf('DEPENDENCIES'))}`,
        "gem 'a'\ngem 'b', platform: :windows",
      ],
      false,
    ],
    ['for Windows and MRI', [linux, "gem 'a'\ngem 'b', platforms: [:mingw, :mri]"], false],
    ['both for Windows and for all platforms', [linux, "gem 'a'\ngem 'b', platform: :mingw\ngem 'b'"], false],
    ['under a condition that held when it was locked', [linux, "gem 'a'\ngem 'b' if ENV['B']"], false],
  ]
  for (const [why, [target = '', ...additional], isComplete] of cases) {
    test(`a gem missing from the lock, ${why}: ${isComplete ? 'noted, the lock is complete' : 'reported, the lock is incomplete'}`, async () => {
      const { unresolved, boundsMet } = await read(target, ...additional)
      assert.deepEqual(
        unresolved.map(({ name, code }) => `${name} ${code}`),
        isComplete ? [] : ['b not-in-lockfile'],
      )
      assert.equal(boundsMet.length, isComplete ? 1 : 0)
    })
  }
})
