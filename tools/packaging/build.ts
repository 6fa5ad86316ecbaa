import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EMPTY_DATABASE } from '#foundation/db/sqlite/empty-database.ts'
import { compileStarterSet } from '#scanning/advisories/starter-set.ts'
import { buildConsole, modulesOfClone } from '../build-console.ts'
import { buildDocumentation } from '../documentation/build.ts'
import { bundle } from './bundle.ts'
import { makeEmptyDatabase } from './empty-database.ts'
import { noticesOf, packagesOf } from './notices.ts'

/** Files that modules read: `lib` stands for `src`. */
const BESIDE_MODULES = ['src/**/assets/*', 'src/scanning/advisories/starter-set/README.md']
/** The package whose files the documentation contains. */
const REFERENCE = '@fastify/swagger-ui'

const PARTS_OF_PROGRAM = ['lib', 'bin', 'package.json', 'web/dist', 'docs/dist']

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Builds the product into `dist/`: a package that needs nothing but Node. `npm pack ./dist` makes its tarball. */
if (import.meta.main) await build(join(root, 'dist'))

export interface BuiltProduct {
  readonly folder: string
  /** The folders of the packages that the bundles contain. */
  readonly packages: readonly string[]
}

/**
 * A program that was built before, with the console and the documentation of the clone, and the paths of its modules.
 */
export interface BuiltProgram {
  readonly folder: string
  readonly modules: readonly string[]
}

/**
 * Builds into a folder beside the target, so that an interrupted build leaves the last one in place. Takes the program,
 * console and documentation that a run of tests has built for its processes.
 */
export async function build(target: string, program?: BuiltProgram): Promise<BuiltProduct> {
  const folder = `${target}.building`
  rmSync(folder, { recursive: true, force: true })
  const modules = program ? copyProgram(program, folder) : await buildParts(folder)
  copy('LICENSE', join(folder, 'LICENSE'))
  writeTypes(join(folder, 'types'))
  const reference = join(root, 'node_modules', REFERENCE, 'package.json')
  const packages = packagesOf([...modules, reference])
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), noticesOf(packages))
  rmSync(target, { recursive: true, force: true })
  renameSync(folder, target)
  return { folder: target, packages }
}

async function buildParts(folder: string): Promise<string[]> {
  const ofProgram = await buildProgram(folder)
  const ofConsole = await buildConsole(join(folder, 'web/dist'))
  await buildDocumentation(join(folder, 'docs/dist'))
  return [...ofProgram, ...ofConsole]
}

/** Builds what runs into a folder, without console and documentation. Returns the paths of the modules in it. */
export async function buildProgram(folder: string): Promise<string[]> {
  const modules = await bundle(root, join(folder, 'lib'))
  for (const path of globSync(BESIDE_MODULES, { cwd: root })) copy(path, join(folder, path.replace('src', 'lib')))
  await compileAdvisories(join(folder, 'lib/scanning/advisories/starter-set'))
  await makeEmptyDatabase(join(folder, 'lib', EMPTY_DATABASE))
  writeExecutable(join(folder, 'bin/gatehouse.js'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`)
  return modules
}

function copyProgram({ folder, modules }: BuiltProgram, target: string): readonly string[] {
  for (const part of PARTS_OF_PROGRAM)
    cpSync(join(folder, part), join(target, part), { recursive: true, dereference: true })
  return [...modules, ...modulesOfClone()]
}

function copy(path: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  cpSync(join(root, path), target, { recursive: true })
}

/** Compiles the starter set once instead of at each start. */
async function compileAdvisories(folder: string): Promise<void> {
  const { path } = await compileStarterSet(folder)
  chmodSync(path, 0o644)
}

function writeExecutable(path: string): void {
  const text = readFileSync(join(root, 'bin/gatehouse.js'), 'utf8')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text.replace('../src/main.ts', '../lib/main.js'))
  chmodSync(path, 0o755)
}

function writeTypes(folder: string): void {
  const project = join(root, 'tools/packaging/tsconfig.json')
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', project, '--outDir', folder], { stdio: 'inherit' })
}

/** Returns the manifest, without dependencies, as everything is bundled. Node.js must be on the machine. */
function manifest(): Record<string, unknown> {
  const { name, version, description, license, engines } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<string, unknown>
  return {
    ...{ name, version, description, license, private: true, type: 'module', engines },
    bin: { gatehouse: 'bin/gatehouse.js' },
    exports: {
      './client': { types: './types/client.d.ts', default: './lib/client.js' },
      './package.json': './package.json',
    },
  }
}
