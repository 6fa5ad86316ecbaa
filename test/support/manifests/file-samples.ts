import { toPomXml } from '../registries/short-poms.ts'

/** One short file of a kind, as its tool writes it. */
export interface FileSample {
  /** The name of the file. */
  readonly name: string
  readonly text: string
  /** The kind that a refusal names; undefined for text that nothing identifies. */
  readonly kind: string | undefined
}

const json = (value: unknown) => JSON.stringify(value, null, 2)
const H1 = `h1:${'A'.repeat(43)}=`
const SHA = 'a'.repeat(64)

/** Files that readers take; each asks for something where its kind can. */
export const readableSamples: readonly FileSample[] = [
  of('package.json', json({ name: 'p', version: '1.0.0', dependencies: { lodash: '4.17.4' } })),
  of(
    'package-lock.json',
    json({
      name: 'p',
      lockfileVersion: 3,
      packages: { '': { dependencies: { lodash: '4.17.4' } }, 'node_modules/lodash': { version: '4.17.4' } },
    }),
  ),
  of('yarn.lock', '# yarn lockfile v1\n\n\nlodash@4.17.4:\n  version "4.17.4"\n'),
  of(
    'yarn.lock',
    '__metadata:\n  version: 8\n\n"lodash@npm:4.17.4":\n  version: 4.17.4\n  resolution: "lodash@npm:4.17.4"\n',
  ),
  of(
    'bun.lock',
    '{\n  "lockfileVersion": 1,\n  "workspaces": {\n    "": { "name": "p", "dependencies": { "lodash": "4.17.4", }, },\n  },\n  "packages": {\n    "lodash": ["lodash@4.17.4", "", {}, "sha512-x"],\n  }\n}\n',
  ),
  of(
    'bun.lock',
    json({
      lockfileVersion: 1,
      workspaces: { '': { dependencies: { lodash: '4.17.4' } } },
      packages: { lodash: ['lodash@4.17.4'] },
    }),
  ),
  of('.yarnrc.yml', 'nodeLinker: node-modules\n'),
  of(
    'pnpm-lock.yaml',
    "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      lodash:\n        specifier: 4.17.4\n        version: 4.17.4\n\npackages:\n\n  lodash@4.17.4:\n    resolution: {integrity: sha512-x}\n\nsnapshots:\n\n  lodash@4.17.4: {}\n",
  ),
  of(
    'pnpm-lock.yaml',
    '# written by a tool\n\nlockfileVersion: 5.4\n\nspecifiers:\n  lodash: 4.17.4\n\ndependencies:\n  lodash: 4.17.4\n\npackages:\n\n  /lodash/4.17.4:\n    resolution: {integrity: sha512-x}\n',
  ),
  of('pnpm-workspace.yaml', "packages:\n  - 'packages/*'\n"),
  of('pnpm-workspace.yaml', 'catalog:\n  lodash: ^4.17.4\n\nonlyBuiltDependencies:\n  - esbuild\n'),
  of(
    'vendor.json',
    json({ rootPath: 'a.example/p', package: [{ path: 'github.com/a/b', revision: SHA.slice(0, 40) }] }),
  ),
  of('pom.xml', toPomXml('org.example:p:1', { dependencies: ['g:a:1'] })),
  of('build.gradle', "plugins { id 'java' }\ndependencies { implementation 'g:a:1' }\n"),
  of('build.gradle', 'plugins {\n    java\n}\n\ndependencies {\n    implementation("g:a:1")\n}\n', 'build.gradle.kts'),
  of('settings.gradle', "rootProject.name = 'p'\ninclude ':a', ':b'\n"),
  of('settings.gradle', 'rootProject.name = "p"\ninclude("a")\n', 'settings.gradle.kts'),
  of('gradle.properties', 'org.gradle.jvmargs=-Xmx2g\naVersion=1\n'),
  of('libs.versions.toml', '[versions]\na = "1"\n\n[libraries]\na = { module = "g:a", version.ref = "a" }\n'),
  of('gradle.lockfile', '# This is a Gradle generated file for dependency locking.\ng:a:1=runtimeClasspath\nempty=\n'),
  of('dependencies.lock', json({ runtimeClasspath: { 'g:a': { locked: '1' } } })),
  of('Gemfile', "source 'https://registry.example'\ngem 'rack', '2.0.1'\n"),
  of(
    'Gemfile.lock',
    'GEM\n  remote: https://registry.example/\n  specs:\n    rack (2.0.1)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  rack\n',
  ),
  of('gemspec', "Gem::Specification.new do |s|\n  s.name = 'p'\n  s.add_dependency 'rack'\nend\n", 'p.gemspec'),
  of(
    'mix.exs',
    'defmodule P.MixProject do\n  use Mix.Project\n\n  def project, do: [app: :p, deps: [{:plug, "~> 1.0"}]]\nend\n',
  ),
  of('mix.lock', '%{\n  "a": {:hex, :a, "1.0.0"},\n}\n'),
  of('pubspec.yaml', 'name: p\nenvironment:\n  sdk: ">=3.0.0"\ndependencies:\n  http: ^1.0.0\n'),
  of(
    'pubspec.lock',
    'packages:\n  http:\n    dependency: "direct main"\n    source: hosted\n    version: "1.0.0"\nsdks:\n  dart: ">=3.0.0"\n',
  ),
  of('pubspec_overrides.yaml', 'dependency_overrides:\n  http:\n    path: ../http\n'),
  of('rebar.lock', '{"1.2.0",\n[{<<"a">>,{pkg,<<"a">>,<<"1.0.0">>},0}]}.\n'),
  of('rebar.config', '{deps, [{a, "1.0.0"}]}.\n'),
  of('Podfile', "platform :ios, '13.0'\ntarget 'p' do\n  pod 'A', '1.0'\nend\n"),
  of('Podfile.lock', 'PODS:\n  - A (1.0)\n\nDEPENDENCIES:\n  - A\n\nCOCOAPODS: 1.15.2\n'),
  of(
    'Package.swift',
    '// swift-tools-version:5.5\nimport PackageDescription\nlet package = Package(\n  name: "p",\n  dependencies: [.package(url: "https://example.com/a/b.git", from: "1.0.0")]\n)\n',
  ),
  of(
    'Package.resolved',
    json({
      pins: [
        {
          identity: 'b',
          kind: 'remoteSourceControl',
          location: 'https://example.com/a/b.git',
          state: { revision: SHA.slice(0, 40), version: '1.0.0' },
        },
      ],
      version: 2,
    }),
  ),
  of('requirements.txt', 'django==2.0\nrequests>=2 ; python_version >= "3"\n'),
  of('pyproject.toml', '[project]\nname = "p"\ndependencies = ["django==2.0"]\n'),
  of('pyproject.toml', '[tool.poetry]\nname = "p"\n\n[tool.poetry.dependencies]\ndjango = "2.0"\n'),
  of(
    'poetry.lock',
    '# This file is automatically @generated by Poetry 1.8.3 and should not be changed by hand.\n\n[[package]]\nname = "django"\nversion = "2.0"\n\n[metadata]\npython-versions = "*"\ncontent-hash = "x"\n',
  ),
  of('Pipfile.lock', json({ _meta: { hash: {} }, default: { django: { version: '==2.0' } }, develop: {} })),
  of('Pipfile', '[[source]]\nname = "pypi"\n\n[packages]\ndjango = "==2.0"\n'),
  of(
    'uv.lock',
    'version = 1\nrequires-python = ">=3.9"\n\n[[package]]\nname = "django"\nversion = "2.0"\nsource = { registry = "https://registry.example/simple" }\n',
  ),
  of('pylock.toml', 'lock-version = "1.0"\n\n[[packages]]\nname = "django"\nversion = "2.0"\n'),
  of('build.sbt', 'scalaVersion := "2.13.12"\nlibraryDependencies += "g" % "a" % "1"\n'),
  of('plugins.sbt', 'addSbtPlugin("com.example" % "plugin" % "1")\n'),
  of('project/*.scala', 'import sbt._\n\nobject Dependencies {\n  val a = "g" % "a" % "1"\n}\n', 'Dependencies.scala'),
  of('build.properties', 'sbt.version=1.9.7\n'),
  of('go.mod', 'module a.example/p\n\ngo 1.21\n\nrequire github.com/a/b v1.0.0\n'),
  of('go.mod', 'module a.example/p\r\n\r\nrequire (\r\n\tgithub.com/a/b v1.0.0\r\n)\r\n'),
  of('modules.txt', '# github.com/a/b v1.0.0\n## explicit\ngithub.com/a/b\n'),
  of('go.work', 'go 1.21\n\nuse (\n\t./a\n\t./b\n)\n'),
  of('go.sum', `github.com/a/b v1.0.0 ${H1}\ngithub.com/a/b v1.0.0/go.mod ${H1}\n`),
  of(
    'workflow',
    'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: owner/action@v4.1.2\n',
    '.github/workflows/ci.yml',
  ),
  of('action.yml', "name: p\nruns:\n  using: composite\n  steps:\n    - uses: 'owner/action@v4'\n"),
  of('stack.yaml', 'resolver: lts-21.0\nextra-deps:\n- these-1.2.1\npackages:\n- .\n'),
  of('stack.yaml.lock', 'packages:\n- completed:\n    hackage: these-1.2.1@sha256:35c57aede9,2294\nsnapshots: []\n'),
  of('cabal.project.freeze', 'constraints: any.these ==1.2.1,\n             these +assoc\n'),
  of('cyclonedx', json({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components: [] })),
  of('cyclonedx-xml', '<?xml version="1.0"?>\n<bom xmlns="http://cyclonedx.org/schema/bom/1.6"><components/></bom>'),
  of('spdx', json({ spdxVersion: 'SPDX-2.3', SPDXID: 'SPDXRef-DOCUMENT', name: 'p', packages: [] })),
  of('spdx-tag', 'SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\nPackageName: p\n'),
  of(
    'csproj',
    '<Project Sdk="Microsoft.NET.Sdk">\n  <ItemGroup>\n    <PackageReference Include="A" Version="1" />\n  </ItemGroup>\n</Project>\n',
  ),
  of(
    'Directory.Packages.props',
    '<Project>\n  <ItemGroup>\n    <PackageVersion Include="A" Version="1" />\n  </ItemGroup>\n</Project>\n',
  ),
  of('packages.config', '<?xml version="1.0"?>\n<packages>\n  <package id="A" version="1" />\n</packages>\n'),
  of('packages.lock.json', json({ version: 1, dependencies: { 'net6.0': { A: { type: 'Direct', resolved: '1' } } } })),
  of(
    'project.assets.json',
    json({ version: 3, targets: { 'net6.0': { 'A/1.0.0': { type: 'package' } } }, libraries: {}, packageFolders: {} }),
  ),
]

/** Files of other tools, which a refusal names. */
export const foreignSamples: readonly FileSample[] = [
  of('bun.lockb', '#!/usr/bin/env bun\nbun-lockfile-format-v0\n'),
  of('deno.lock', json({ version: '4', specifiers: { 'npm:lodash@4': '4.17.4' }, npm: {} })),
  of('deno.json', json({ tasks: { dev: 'deno run' }, imports: { lodash: 'npm:lodash@4.17.4' } })),
  of('.npmrc', 'registry=https://registry.example/\n//registry.example/:_authToken=${TOKEN}\n'),
  of('bower.json', json({ name: 'p', ignore: ['test'], dependencies: { jquery: '1.0.0' } })),
  of('component.json', json({ name: 'p', repo: 'a/p', scripts: ['index.js'], dependencies: { 'a/b': '*' } })),
  of('packument', json({ name: 'lodash', 'dist-tags': { latest: '4.17.4' }, versions: { '4.17.4': {} } })),
  of('composer.json', json({ name: 'a/p', type: 'project', require: { php: '>=8', 'a/b': '^1' }, scripts: {} })),
  of('composer.lock', json({ _readme: ['x'], 'content-hash': 'x', packages: [{ name: 'a/b', version: '1' }] })),
  of(
    'pdm.lock',
    '# This file is @generated by PDM.\n\n[metadata]\ngroups = ["default"]\n\n[[package]]\nname = "django"\n',
  ),
  of('setup.py', "from setuptools import setup\n\nsetup(\n    name='p',\n    install_requires=['django==2.0'],\n)\n"),
  of('setup.cfg', '[metadata]\nname = p\n\n[options]\ninstall_requires =\n    django==2.0\n'),
  of(
    'environment.yml',
    'name: p\nchannels:\n  - defaults\ndependencies:\n  - python=3.9\n  - pip:\n    - django==2.0\n',
  ),
  of('Godeps.json', json({ ImportPath: 'a.example/p', GoVersion: 'go1.6', Deps: [{ ImportPath: 'github.com/a/b' }] })),
  of('Gopkg.lock', '[[projects]]\n  name = "github.com/a/b"\n  revision = "x"\n\n[solve-meta]\n  solver-version = 1\n'),
  of('glide.lock', `hash: ${SHA}\nimports:\n- name: github.com/a/b\n  version: x\n`),
  of('Cargo.toml', '[package]\nname = "p"\n\n[dependencies]\nserde = "1"\n'),
  of(
    'Cargo.lock',
    '# This file is automatically @generated by Cargo.\nversion = 3\n\n[[package]]\nname = "serde"\nversion = "1.0.0"\n',
  ),
  of('nuspec', '<package><metadata><id>p</id></metadata></package>'),
  of(
    'build.xml',
    '<project name="p" default="jar" basedir=".">\n  <property name="src" value="src"/>\n  <target name="jar"/>\n</project>\n',
  ),
  of(
    'build.xml',
    '<project name="p">\n  <dependencies><dependency name="a"/></dependencies>\n  <target name="jar"/>\n</project>\n',
  ),
  of('ivy.xml', '<ivy-module version="2.0"><info module="p"/><dependencies/></ivy-module>'),
  of('settings.xml', '<settings><mirrors/></settings>'),
  of('maven-metadata.xml', '<metadata><groupId>g</groupId><artifactId>a</artifactId><versioning/></metadata>'),
  of('effective-poms', `<projects>${toPomXml('g:a:1', {})}</projects>`),
  of('maven-1', '<project><pomVersion>3</pomVersion><id>p</id><dependencies/></project>'),
  of(
    'dep-graph',
    json({ schemaVersion: '1.3.0', pkgManager: { name: 'npm' }, pkgs: [], graph: { rootNodeId: 'r', nodes: [] } }),
  ),
  of('sarif', json({ version: '2.1.0', runs: [] })),
  of(
    'gradle-module',
    json({ formatVersion: '1.1', component: { group: 'g', module: 'a', version: '1' }, variants: [] }),
  ),
  of('Cartfile', 'github "a/b" ~> 1.0\n'),
  of(
    'elm.json',
    json({ type: 'application', 'elm-version': '0.19.1', dependencies: { direct: { 'elm/core': '1.0.5' } } }),
  ),
  of('haxelib.json', json({ name: 'p', version: '1.0.0', releasenote: 'x', dependencies: { a: '' } })),
  of('vcpkg.json', json({ name: 'p', 'version-string': '1', dependencies: ['zlib'] })),
  of('dub.json', json({ name: 'p', targetType: 'library', dependencies: { 'vibe-d': '~>0.9' } })),
  of('conanfile.txt', '[requires]\nzlib/1.2.13\n'),
  of('project.clj', '(defproject p "1"\n  :dependencies [[org.clojure/clojure "1.11.1"]])\n'),
  of('MODULE.bazel', 'module(name = "p")\nbazel_dep(name = "rules_go", version = "0.50.1")\n'),
  of('Dockerfile', 'FROM node:24\nWORKDIR /app\nCOPY . .\n'),
  of('Rakefile', "require 'rake'\n\ntask :default do\n  puts 1\nend\n"),
  of('html', '<!DOCTYPE html>\n<html><body>Not found</body></html>\n'),
  of('html', '\n  <html lang="en"><head><title>Sign in</title></head></html>'),
  of('http-message', '404: Not Found'),
  of('http-message', '502 Bad Gateway\n'),
  of(
    'wrapped-file',
    json({ name: 'package.json', path: 'package.json', sha: 'x', content: 'e30=', encoding: 'base64' }),
  ),
]

/** Text that nothing identifies. */
export const namelessSamples: readonly FileSample[] = [
  ...nameless({
    'zero bytes': '',
    blanks: ' \r\n\t\n',
    'a byte order mark alone': '\ufeff',
    'an error as JSON': json({ message: 'Not Found', documentation_url: 'https://git.example/docs', status: '404' }),
    'an error with a name': json({ name: 'HttpError', status: 404 }),
    'errors as JSON:API': json({ errors: [{ status: '404', detail: 'Not Found' }] }),
    'an object without members': '{}',
    'a list': '[]',
    'a text as JSON': '"Not Found"',
    'a repository of GitHub': json({ id: 1, node_id: 'x', name: 'p', full_name: 'a/p', private: false }),
    'a web manifest': json({ name: 'p', short_name: 'p', icons: [], version: '1' }),
    'an extension of a browser': json({ name: 'p', version: '1.0', manifest_version: 3 }),
    'settings of TypeScript': json({ compilerOptions: { strict: true } }),
    'settings of Lerna': json({ version: '1.0.0', npmClient: 'yarn', packages: ['packages/*'] }),
    'a project of Nx': json({ name: 'p', targets: {}, projectType: 'library' }),
    'an error as XML': '<?xml version="1.0"?>\n<Error><Code>NoSuchKey</Code></Error>',
    'a project of an editor': '<project version="4"><component name="x"/></project>',
    'a sentence': 'The page that was asked for could not be found, sorry.\n',
    bytes: '\u0000\u0001\u0002PK\u0003\u0004\u0000',
    'UTF-16 taken for one byte each': [...'{"dependencies":{"lodash":"4.17.4"}}'].join('\0'),
    'a pointer of Git LFS': `version https://git-lfs.github.com/spec/v1\noid sha256:${SHA}\nsize 12345\n`,
    'a merge without an end': '<<<<<<< HEAD\ndjango==2.0\n=======\ndjango==4.0\n>>>>>>> other\n',
  }),
  ...readableSamples.map(({ name, text }) => ({ name: `${name} in base64`, text: toBase64(text), kind: undefined })),
  ...readableSamples.map(({ name, text }) => ({
    name: `${name} in base64 of several lines, for URLs`,
    text: toBase64(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '').replace(/.{76}/g, '$&\r\n'),
    kind: undefined,
  })),
]

function of(kind: string, text: string, name = kind): FileSample {
  return { name, text, kind }
}

function nameless(texts: Readonly<Record<string, string>>): FileSample[] {
  return Object.entries(texts).map(([name, text]) => ({ name, text, kind: undefined }))
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}
