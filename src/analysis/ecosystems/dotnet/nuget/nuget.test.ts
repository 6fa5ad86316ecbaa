import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nuget } from './index.ts'

test('NuGet: a raised range keeps its notation and allows the version', () => {
  const raised: readonly (readonly [string, string, string | undefined])[] = [
    ['1.2.3', '1.4.0', '1.4.0'],
    ['[1.2.3]', '1.4.0', '[1.4.0]'],
    ['[1.2.3,2.0.0)', '1.4.0', '[1.4.0,2.0.0)'],
    ['(1.2.3,2.0.0)', '1.4.0', '[1.4.0,2.0.0)'],
    ['[1.2.3,)', '1.4.0', '[1.4.0,)'],
    ['[1.0,1.3)', '1.4.0', undefined],
    ['1.*', '1.4.0', undefined],
    ['(,2.0)', '1.4.0', undefined],
    ['one', '1.4.0', undefined],
  ]
  for (const [written, version, expected] of raised) {
    assert.equal(nuget.raiseRange(written, version), expected, written)
    if (expected !== undefined) assert.ok(nuget.versions.satisfies(version, expected), expected)
  }
})

test('NuGet: a version is located where it is written, in attributes, elements, properties and central files', async () => {
  const project = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TextVersion>3.0.0</TextVersion></PropertyGroup>
  <ItemGroup>
    <PackageReference Include="acme.json" Version="1.0.0" />
    <PackageReference Include="Acme.Log"><Version>2.0.0</Version></PackageReference>
    <PackageReference Include="Acme.Text" Version="$(TextVersion)" />
    <PackageReference Include="Acme.Central" />
    <PackageReference Include="Acme.Unset" Version="$(Unset)" />
  </ItemGroup>
</Project>`
  const central = `<Project>
  <ItemGroup>
    <PackageVersion Include="Acme.Central" Version="4.0.0" />
  </ItemGroup>
</Project>`
  const lock = '{"version":1,"dependencies":{"net8.0":{"Acme.Json":{"type":"Direct","resolved":"1.0.0"}}}}'
  const located = await nuget.locate({ target: lock, additional: [project, central] })
  assert.deepEqual(
    located.map(({ name, file, line, range }) => [name, file, line, range?.text]),
    [
      ['Acme.Json', 0, 4, '1.0.0'],
      ['Acme.Log', 0, 5, '2.0.0'],
      ['Acme.Text', 0, 2, '3.0.0'],
      ['Acme.Central', 1, 3, '4.0.0'],
      ['Acme.Unset', 0, 8, undefined],
    ],
  )
  for (const { file, range } of located) {
    if (range === undefined) continue
    assert.equal([project, central][file as number]!.slice(range.start, range.end), range.text)
  }
})
