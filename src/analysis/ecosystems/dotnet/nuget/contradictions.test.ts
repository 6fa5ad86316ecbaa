import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { planEdits } from '#analysis/fixes/plan-edits.ts'
import type { Reading } from '../../ecosystem.ts'
import { evaluateCondition } from './condition.ts'
import { nuget } from './index.ts'
import { readProject } from './read-project.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 1_000 } }
const entry = (resolved: string, dependencies?: object) => ({
  type: 'Direct',
  requested: '[1.0.0, )',
  resolved,
  dependencies,
})
const lockOf = (entries: object, version: unknown = 1) =>
  JSON.stringify({ version, dependencies: { 'net8.0': entries } }, null, 2)
const projectOf = (items: string) =>
  `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup><ItemGroup>${items}</ItemGroup></Project>`
const red = '<PackageReference Include="Red" Version="1.0.0" />'

function read(files: Readonly<Record<string, string>>): Reading {
  const [target = '', ...additional] = Object.keys(files)
  return readProject(
    { target: files[target]!, additional: additional.map((name) => files[name]!), places: { target, additional } },
    options,
  )
}

describe('NuGet: damaged and contradictory files', () => {
  const good = lockOf({ Red: entry('1.0.0') })
  const refused: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'a truncated lock': { 'packages.lock.json': good.slice(0, 90) },
    'marks of a merge conflict': { 'packages.lock.json': good.replace('"net8.0"', '<<<<<<< HEAD\n"net8.0"') },
    'an unknown version': { 'packages.lock.json': lockOf({ Red: entry('1.0.0') }, 3) },
    'entries that are a list': { 'packages.lock.json': JSON.stringify({ version: 1, dependencies: { 'net8.0': [] } }) },
    'an entry that is a text': { 'packages.lock.json': lockOf({ Red: '1.0.0' }) },
    'dependencies that are numbers': { 'packages.lock.json': lockOf({ Red: entry('1.0.0', { Green: 1 }) }) },
    'a truncated project file': { 'App.csproj': projectOf(red).slice(0, 150) },
    'a truncated project file beside a lock': {
      'packages.lock.json': good,
      'App.csproj': projectOf(red).slice(0, 150),
    },
    'two locks': { 'packages.lock.json': good, 'packages.App.lock.json': good },
  }
  for (const [what, files] of Object.entries(refused)) {
    test(`${what}: refused`, () => assert.throws(() => read(files), Unreadable))
  }

  const reported: Readonly<Record<string, readonly [files: Readonly<Record<string, string>>, expected: string]>> = {
    'a declared package that the lock lacks': [
      { 'packages.lock.json': lockOf({}), 'App.csproj': projectOf(red) },
      'Red not-in-lockfile',
    ],
    'a declared package that the lock has as transitive': [
      {
        'packages.lock.json': lockOf({ Red: { ...entry('1.0.0'), type: 'Transitive' } }),
        'App.csproj': projectOf(red),
      },
      'Red not-in-lockfile',
    ],
    'another range': [
      { 'packages.lock.json': good, 'App.csproj': projectOf(red.replace('1.0.0', '[1.0.0]')) },
      'Red lockfile-contradiction',
    ],
    'another framework': [
      { 'packages.lock.json': good, 'App.csproj': projectOf(red).replace('net8.0', 'net9.0') },
      'App lockfile-contradiction',
    ],
    'a version below the declared range': [
      { 'packages.lock.json': lockOf({ Red: entry('0.9.0') }) },
      'Red lockfile-contradiction',
    ],
    'a version above the declared range': [
      { 'packages.lock.json': lockOf({ Red: { ...entry('3.0.0'), requested: '[1.0.0, 2.0.0)' } }) },
      'Red lockfile-contradiction',
    ],
    'an entry without a version': [
      { 'packages.lock.json': lockOf({ Red: { type: 'Direct' } }) },
      'Red version-unknown',
    ],
    'a packages.config that the lock lacks': [
      { 'packages.lock.json': good, 'packages.config': '<packages><package id="Blue" version="1.0.0" /></packages>' },
      'Blue not-in-lockfile',
    ],
    'a project file that declares more than packages.config': [
      { 'packages.config': '<packages><package id="Blue" version="1.0.0" /></packages>', 'App.csproj': projectOf(red) },
      'Red not-in-lockfile',
    ],
    'a version from a file that was not sent': [
      { 'App.csproj': projectOf('<PackageReference Include="Red" Version="$(RedVersion)" />') },
      'Red version-unknown',
    ],
  }
  for (const [what, [files, expected]] of Object.entries(reported)) {
    test(`${what}: reported`, () =>
      assert.deepEqual(
        read(files).unresolved.map(({ name, code }) => `${name} ${code}`),
        [expected],
      ))
  }

  test('files that import each other and properties that contain themselves: read once', () => {
    const loop =
      '<Project><PropertyGroup><A>$(A)$(B)</A><B>$(A)$(A)</B></PropertyGroup><Import Project="b.props" /></Project>'
    const { graph } = read({
      'App.csproj': projectOf(`${red}`).replace('<ItemGroup>', '<Import Project="a.props" /><ItemGroup>'),
      'a.props': loop,
      'b.props': loop.replace('b.props', 'a.props'),
    })
    assert.equal(graph.nodes.length, 2)
  })

  test('properties that double each other: too long to be a version', () => {
    const doubling = Array.from({ length: 100 }, (_, n) => `<P${n + 1}>$(P${n})$(P${n})</P${n + 1}>`).join('')
    const item = projectOf('<PackageReference Include="Red" Version="$(P100)" />')
    const files = { 'App.csproj': item.replace('<PropertyGroup>', `<PropertyGroup><P0>1</P0>${doubling}`) }
    assert.deepEqual(
      read(files).unresolved.map(({ code }) => code),
      ['version-unknown'],
    )
  })

  test('packages that require each other: each once', () => {
    const { graph } = read({
      'packages.lock.json': lockOf({ Red: entry('1.0.0', { Blue: '1.0.0' }), Blue: entry('1.0.0', { red: '1.0.0' }) }),
    })
    assert.deepEqual(graph.nodes.map(({ package: { name } }) => name).sort(), ['', 'Blue', 'Red'])
  })
})

test('NuGet: conditions are true, false or undecided', () => {
  const expand = (text: string) => (text.includes('$(') ? undefined : text)
  const rows: readonly [string, boolean | undefined][] = [
    ["'a' == 'A'", true],
    ["'a' != 'A'", false],
    ["'1.0' == '1'", true],
    ['2 > 1 and !false', true],
    ["('a' == 'b' or true) And 'c' == 'c'", true],
    ["'$(X)' == '' or true", true],
    ["'$(X)' == '' and false", false],
    ["'$(X)' == ''", undefined],
    ["Exists('a.props') and 'a' == 'b'", false],
    ["Exists('a.props')", undefined],
    ["'a' == ", undefined],
    ["('a' == 'a'", undefined],
    ["'a' == 'a' 'b'", undefined],
    [`${'!('.repeat(1_000)}true`, undefined],
  ]
  for (const [condition, expected] of rows) assert.equal(evaluateCondition(condition, expand), expected, condition)
})

describe('NuGet: edits of fixes', () => {
  const upgrade = { name: 'Red', from: '1.0.0', to: '1.4.0' }
  async function edit(files: Readonly<Record<string, string>>): Promise<string> {
    const [target = '', ...additional] = Object.keys(files)
    const manifest = {
      target: files[target]!,
      additional: additional.map((name) => files[name]!),
      places: { target, additional },
    }
    const list = Object.entries(files).map(([path, text]) => ({ path, text }))
    const planned = await planEdits({ ecosystem: nuget, manifest, files: list }, upgrade)
    if (!('edits' in planned)) return planned.problem
    return planned.edits
      .map(({ path, start, end, text }) => `${path} ${files[path]!.slice(start, end)} → ${text}`)
      .join(', ')
  }
  const versions = '<Project><ItemGroup><PackageVersion Include="Red" Version="1.0.0" /></ItemGroup></Project>'
  const cases: readonly [what: string, files: Readonly<Record<string, string>>, expected: string][] = [
    ['an attribute', { 'App.csproj': `\ufeff${projectOf(red)}` }, 'App.csproj 1.0.0 → 1.4.0'],
    [
      'an element',
      {
        'App.csproj': projectOf(
          '<PackageReference Include="Red"><Version> [1.0.0,2.0.0) </Version></PackageReference>',
        ),
      },
      'App.csproj [1.0.0,2.0.0) → [1.4.0,2.0.0)',
    ],
    [
      'a property',
      {
        'App.csproj': projectOf('<PackageReference Include="Red" Version="$(R)" />').replace(
          '<ItemGroup>',
          '<PropertyGroup><R>1.0.0</R></PropertyGroup><ItemGroup>',
        ),
      },
      'App.csproj 1.0.0 → 1.4.0',
    ],
    [
      'a central version',
      { 'App.csproj': projectOf('<PackageReference Include="Red" />'), 'Directory.Packages.props': versions },
      'Directory.Packages.props 1.0.0 → 1.4.0',
    ],
    [
      'beside a lock',
      { 'packages.lock.json': lockOf({ Red: entry('1.0.0') }), 'App.csproj': projectOf(red.replace('Red', 'red')) },
      'App.csproj 1.0.0 → 1.4.0',
    ],
    [
      'packages.config',
      { 'packages.config': '<packages><package id="Red" version="1.0.0" /></packages>' },
      'packages.config 1.0.0 → 1.4.0',
    ],
    [
      'packages.config with paths in the project file',
      {
        'packages.config': '<packages><package id="Red" version="1.0.0" /></packages>',
        'App.csproj': projectOf(
          '<Reference Include="Red"><HintPath>..\\packages\\Red.1.0.0\\lib\\Red.dll</HintPath></Reference>',
        ),
      },
      'its line has no version that can be replaced (none, or hashes too); its tool writes it',
    ],
    ['an exact version', { 'App.csproj': projectOf(red.replace('1.0.0', '[1.0.0]')) }, 'App.csproj [1.0.0] → [1.4.0]'],
    [
      'an interval without room',
      { 'App.csproj': projectOf(red.replace('1.0.0', '[1.0.0,1.2.0)')) },
      'the range "[1.0.0,1.2.0)" leaves no room for 1.4.0',
    ],
  ]
  for (const [what, files, expected] of cases) {
    test(`${what}: ${expected}`, async () => assert.equal(await edit(files), expected))
  }
})
