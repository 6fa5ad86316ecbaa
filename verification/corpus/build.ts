/**
 * Makes a corpus of public packages for `npm run compare`, `npm run fuzz` and `npm run bench`:
 *
 *     npm run corpus            in .corpus, or in the folder that CORPUS names
 *
 * Each project depends on one pinned package. npm, Yarn, pnpm, Bun and Maven fetch metadata and write locks, from the
 * registries that they are configured for; no code of a package runs. Failed projects are named and left out.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { corpusFolder } from './folder.ts'

const npmPackages = [
  ...['express@4.18.2', 'jest@29.7.0', 'webpack@5.90.0', 'eslint@8.57.0', 'mocha@10.2.0', '@nestjs/core@10.3.0'],
  ...['gulp@4.0.2', 'react-scripts@5.0.1', 'pg-boss@9.0.3'],
]
const requirements = [
  ...['celery[redis]==5.3.6', 'Django>=4.2,<5 ; python_version >= "3.8"', 'requests[socks]~=2.31.0'],
  ...['flask==2.3.*', 'httpx[http2]!=0.27.0,>=0.26'],
]
const poms = [
  ...[
    'org.apache.commons:commons-text:1.11.0',
    'com.google.guava:guava:33.0.0-jre',
    'io.netty:netty-handler:4.1.100.Final',
  ],
  ...['org.springframework.boot:spring-boot-starter-web:3.2.0', 'org.apache.kafka:kafka-clients:3.6.1'],
]
/** Yarns by the version of the lock that they write. */
const yarns = { 6: '3.8.7', 8: '4.6.0' } as const
/** pnpms by the version of the lock that they write. */
const pnpms = { '6.0': '8.15.9', '9.0': '10.34.9' } as const
const bunPackage = `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : 'x64'}@1.4.5`

interface Project {
  readonly ecosystem: string
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  /** Completes the files; fails with a status other than 0. */
  readonly command?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

function build(): void {
  const yarnFolder = path.join(corpusFolder, 'yarns')
  const aliases = Object.entries(yarns).map(([lock, version]) => `yarn-lock-${lock}@npm:@yarnpkg/cli-dist@${version}`)
  install(yarnFolder, aliases)
  const toolFolder = path.join(corpusFolder, 'javascript-tools')
  const pnpmAliases = Object.entries(pnpms).map(([lock, version]) => `pnpm-lock-${lock}@npm:pnpm@${version}`)
  install(toolFolder, [...pnpmAliases, `bun@npm:${bunPackage}`])
  const registry = run(['npm', 'config', 'get', 'registry']).stdout.trim()
  const projects = [
    ...npmPackages.flatMap((name, at) => npmProjects(name, 1 + (at % 3))),
    ...npmPackages.flatMap((name) =>
      Object.keys(yarns).map((lock) => yarnProject(name, { lock, yarnFolder, registry })),
    ),
    ...npmPackages.flatMap((name) => Object.keys(pnpms).map((lock) => pnpmProject(name, lock, toolFolder))),
    ...npmPackages.map((name) => bunProject(name, toolFolder)),
    ...requirements.map((line) => ({ ecosystem: 'pip', name: line, files: { 'requirements.txt': `${line}\n` } })),
    ...poms.map(pomProject),
  ]
  const failed = projects.filter((project) => !make(project))
  console.log(`${projects.length - failed.length} projects are in ${corpusFolder}`)
  for (const { ecosystem, name } of failed) console.log(`left out: ${ecosystem} ${name}`)
  process.exitCode = failed.length > 0 ? 1 : 0
}

/** npm also writes a lock of Yarn 1 where it finds one. */
function npmProjects(name: string, lockVersion: number): Project[] {
  const command = ['npm', 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']
  const files = manifestOf(name)
  return [
    { ecosystem: 'npm', name, files, command: [...command, `--lockfile-version=${lockVersion}`] },
    { ecosystem: 'yarn', name, files: { ...files, 'yarn.lock': '# yarn lockfile v1\n' }, command },
  ]
}

function yarnProject(name: string, from: { lock: string; yarnFolder: string; registry: string }): Project {
  const cli = path.join(from.yarnFolder, 'node_modules', `yarn-lock-${from.lock}`, 'bin/yarn.js')
  return {
    ecosystem: 'yarn',
    name: `${name} lock ${from.lock}`,
    files: { ...manifestOf(name), 'yarn.lock': '' },
    command: ['node', cli, 'install', '--mode=update-lockfile'],
    // Yarn does not read the settings of npm.
    env: { YARN_NPM_REGISTRY_SERVER: from.registry, YARN_ENABLE_TELEMETRY: '0' },
  }
}

function pnpmProject(name: string, lock: string, toolFolder: string): Project {
  const cli = path.join(toolFolder, 'node_modules', `pnpm-lock-${lock}`, 'bin/pnpm.cjs')
  const command = ['node', cli, 'install', '--lockfile-only', '--ignore-scripts']
  return { ecosystem: 'pnpm', name: `${name} lock ${lock}`, files: manifestOf(name), command }
}

function bunProject(name: string, toolFolder: string): Project {
  const program = path.join(toolFolder, 'node_modules/bun/bin/bun')
  const command = [program, 'install', '--lockfile-only', '--ignore-scripts']
  return { ecosystem: 'bun', name, files: manifestOf(name), command }
}

function pomProject(name: string): Project {
  const command = ['mvn', '-q', '-B', 'dependency:copy', `-Dartifact=${name}:pom`, '-DoutputDirectory=.']
  return { ecosystem: 'maven', name, files: {}, command: [...command, '-Dmdep.stripVersion=true'] }
}

function install(folder: string, packages: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  run(['npm', 'install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...packages])
}

function manifestOf(spec: string): Record<string, string> {
  const at = spec.lastIndexOf('@')
  const manifest = { name: 'corpus', private: true, dependencies: { [spec.slice(0, at)]: spec.slice(at + 1) } }
  return { 'package.json': `${JSON.stringify(manifest, null, 2)}\n` }
}

/** Creates the folder of a project, in place of an older one. */
function make({ ecosystem, name, files, command, env }: Project): boolean {
  const folder = path.join(corpusFolder, 'manifests', ecosystem, name.replaceAll(/[^\w.-]+/g, '-').replace(/^-/, ''))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text)
  const isMade = command === undefined || run(command, { cwd: folder, env }).status === 0
  if (!isMade) rmSync(folder, { recursive: true })
  else if (ecosystem === 'maven')
    renameSync(path.join(folder, `${name.split(':')[1]}.pom`), path.join(folder, 'pom.xml'))
  else if (ecosystem === 'yarn') rmSync(path.join(folder, 'package-lock.json'), { force: true })
  return isMade
}

function run([program = '', ...parameters]: readonly string[], options: { cwd?: string; env?: Project['env'] } = {}) {
  const { cwd = corpusFolder, env } = options
  const done = spawnSync(program, parameters, { cwd, env: { ...process.env, ...env }, encoding: 'utf8' })
  if (done.status !== 0)
    console.error(`${[program, ...parameters].join(' ')}: ${done.stderr || done.stdout || done.error}`)
  return done
}

build()
