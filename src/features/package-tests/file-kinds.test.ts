import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { kindsOf } from '#analysis/discovery/file-kinds/read-kinds.ts'
import { type FileSample, foreignSamples, namelessSamples, readableSamples } from '#test/manifests/file-samples.ts'
import { filesBody } from '#test/manifests/test-bodies.ts'
import { startMavenRepository } from '#test/registries/maven-repository.ts'
import { toPomXml } from '#test/registries/short-poms.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { shareOf } from '#test/volume.ts'

/** A readable target for each route, without dependencies where its kind allows that. */
const targets = {
  npm: '{"name":"p"}',
  yarn: '{"name":"p"}',
  pnpm: '{"name":"p"}',
  gomodules: 'module a.example/p\n',
  bun: '{"name":"p"}',
  govendor: '{"rootPath":"a.example/p","package":[]}',
  maven: toPomXml('org.example:p:1', {}),
  gradle: "plugins { id 'java' }\n",
  rubygems: "source 'https://registry.example'\n",
  pip: '# nothing yet\n',
  poetry: '[metadata]\nlock-version = "2.0"\npython-versions = "*"\ncontent-hash = "x"\n',
  uv: 'version = 1\nrequires-python = ">=3.9"\n',
  pipenv: '[packages]\n',
  pyproject: '[project]\nname = "p"\ndependencies = []\n',
  sbt: 'scalaVersion := "2.13.12"\n',
  githubactions: 'on: push\njobs: {}\n',
  cargo: '[package]\nname = "p"\nversion = "1.0.0"\n',
  pub: 'name: p\nenvironment:\n  sdk: ^3.0.0\n',
  swift: '// swift-tools-version:5.5\nimport PackageDescription\nlet package = Package(name: "p")\n',
  cocoapods: 'DEPENDENCIES: []\nPODS: []\nCOCOAPODS: 1.15.2\n',
  hex: 'defmodule P.MixProject do\n  use Mix.Project\n\n  def project, do: [app: :p, version: "1.0.0", deps: []]\nend\n',
  composer: '{"name":"a/p","require":{}}',
  conan: '[requires]\n',
  renv: '{"R":{},"Packages":{}}',
  haskell: 'constraints: rts +flag\n',
  nuget:
    '<Project Sdk="Microsoft.NET.Sdk">\n  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>\n</Project>\n',
  sbom: '{"bomFormat":"CycloneDX","specVersion":"1.6","version":1,"components":[]}',
}
type Route = keyof typeof targets
const routes = Object.keys(targets) as Route[]
const all = [...readableSamples, ...foreignSamples, ...namelessSamples]

onAnyEngine('kinds of files sent to the package tests', (engine) => {
  let app: TestApp
  let repository: Awaited<ReturnType<typeof startMavenRepository>>
  before(async () => {
    repository = await startMavenRepository({ 'org.scala-lang:scala-library:2.13.12': {} })
    app = await startApp(engine, { GATEHOUSE_MAVEN_REPOSITORIES: repository.url, GATEHOUSE_TEST_WORKERS: '1' })
  })
  after(async () => {
    await app.close()
    await repository.close()
  })

  const send = (route: Route, body: object) => app.call('POST', `/v1/test/${route}`, { body })

  /** Sends samples that the route does not read at that place and expects refusals that name their kinds. */
  async function refusesAllBut(
    route: Route,
    own: readonly string[],
    { place, bodyOf }: { place: string; bodyOf(sample: FileSample): object },
  ): Promise<void> {
    const isOther = ({ kind }: FileSample) => kind === undefined || !own.includes(kind)
    assert.ok(all.filter(isOther).length > 60)
    for (const sample of shareOf(all, routes.indexOf(route)).filter(isOther)) {
      const answer = await send(route, bodyOf(sample))
      const detail = `${sample.name}: ${answer.body.slice(0, 500)}`
      assert.equal(answer.statusCode, 400, detail)
      const { errorCode, faults } = answer.json()
      assert.equal(errorCode, 'manifest-unreadable', detail)
      assert.equal(faults[0].source.pointer, place, detail)
      assert.match(
        answer.json().message,
        sample.kind === undefined ? /: (?:The file|\/v1\/test)/ : /: (?:This is|\/v1\/test)/,
        detail,
      )
    }
  }

  for (const route of routes) {
    const { target, additional } = kindsOf(route)

    test(`${route}: refuses every kind of file but ${target.join(' and ')} as the target`, () =>
      refusesAllBut(route, target, { place: '/files/target/contents', bodyOf: ({ text }) => filesBody(text) }))

    test(`${route}: refuses every kind of file but ${additional.join(', ') || 'none'} beside a good target`, () =>
      refusesAllBut(route, additional, {
        place: '/files/additional/0/contents',
        bodyOf: ({ text }) => filesBody(targets[route], text),
      }))

    test(`${route}: never mistakes its own kinds for another kind`, async () => {
      for (const { name, text } of readableSamples.filter(({ kind }) =>
        (target as readonly unknown[]).includes(kind),
      )) {
        const answer = await send(route, filesBody(text))
        assert.notEqual(answer.json().errorCode, 'manifest-unreadable', `${name}: ${answer.body}`)
        if (answer.statusCode === 200) assert.equal(answer.json().coverage.declaresNone, undefined, name)
      }
    })

    test(`${route}: reports that a target declares no dependencies`, async () => {
      const answer = await send(route, filesBody(targets[route]))
      assert.equal(answer.statusCode, 200, answer.body)
      const { ok, coverage } = answer.json()
      const lacksAdvisories = /^There are no advisories/.test(coverage.boundsMet[0])
      // A bill of materials without components may be one that its tool failed to write.
      const isTested = route !== 'sbom' && !lacksAdvisories
      assert.deepEqual([ok, coverage.complete], [isTested, isTested], answer.body)
      // sbt adds Scala's library automatically.
      assert.equal(coverage.declaresNone, route === 'sbt' || route === 'sbom' ? undefined : true)
    })
  }

  const cases: [why: string, route: Route, files: [string, ...string[]], message: RegExp][] = [
    [
      'a pnpm lockfile',
      'npm',
      [textOf('pnpm-lock.yaml')],
      /This is a pnpm lockfile, not a package\.json .*Send it to \/v1\/test\/pnpm/,
    ],
    [
      'a binary lockfile of Bun',
      'bun',
      ['#!/usr/bin/env bun\nbun-lockfile-format-v0\n\0\0'],
      /it is a bun\.lockb, the binary lockfile.*bun install --save-text-lockfile/,
    ],
    ['a bun.lock', 'npm', [textOf('bun.lock')], /This is a bun\.lock.*Send it to \/v1\/test\/bun/],
    [
      'a yarn.lock beside package.json',
      'npm',
      [targets.npm, textOf('yarn.lock')],
      /This is a yarn\.lock.*Send it to \/v1\/test\/yarn/,
    ],
    [
      'a package-lock.json',
      'yarn',
      [targets.yarn, textOf('package-lock.json')],
      /This is a package-lock\.json.*Send it to \/v1\/test\/npm/,
    ],
    [
      'a pyproject.toml',
      'pip',
      [textOf('pyproject.toml')],
      /This is a pyproject\.toml.*Send it to \/v1\/test\/pyproject\.$/,
    ],
    ['a Pipfile', 'pip', [textOf('Pipfile')], /This is a Pipfile .*Send it to \/v1\/test\/pipenv/],
    [
      'base64 without an encoding',
      'pip',
      [Buffer.from('django==2.0\n').toString('base64')],
      /written in base64\. Add "encoding": "base64"/,
    ],
    [
      'base64 without an encoding',
      'gradle',
      [Buffer.from(textOf('build.gradle')).toString('base64')],
      /written in base64/,
    ],
    [
      'a settings.gradle alone',
      'gradle',
      [textOf('settings.gradle')],
      /This is a settings\.gradle.*as the target and this file in additional/,
    ],
    ['a pom.xml', 'gradle', [textOf('pom.xml')], /This is a pom\.xml.*Send it to \/v1\/test\/maven/],
    ['a build.xml of Ant', 'maven', [textOf('build.xml')], /This is a build\.xml of Ant/],
    [
      'a dependency graph',
      'npm',
      [textOf('dep-graph')],
      /This is a dependency graph.*Send it to \/v1\/test\/dep-graph/,
    ],
    ['an additional file', 'govendor', [targets.govendor, textOf('go.mod')], /reads no additional files/],
  ]
  for (const [why, route, [target, ...additional], message] of cases) {
    test(`${route}: refuses ${why} with a hint (400)`, async () => {
      const answer = await send(route, filesBody(target, ...additional))
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json().message, message)
    })
  }

  test('base64 with its encoding: read as UTF-8 and UTF-16, refused if encoded twice', async () => {
    const encoded = (bytes: Buffer) => ({
      encoding: 'base64',
      files: { target: { contents: bytes.toString('base64') } },
    })
    const text = Buffer.from(targets.npm)
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(targets.npm, 'utf16le')])
    for (const bytes of [text, wide]) assert.equal((await send('npm', encoded(bytes))).statusCode, 200)
    const twice = await send('npm', encoded(Buffer.from(text.toString('base64'))))
    assert.match(twice.json().message, /encode each file once/)
  })
})

function textOf(kind: string): string {
  return [...readableSamples, ...foreignSamples].find((readableSample) => readableSample.kind === kind)!.text
}
