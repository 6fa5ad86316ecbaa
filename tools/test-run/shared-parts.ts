import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  BUILT_PROGRAM,
  CONSOLE_IS_BUILT,
  KEEPS_BROWSER,
  MODULES_OF_PROGRAM,
  RUN_TEMPLATES,
} from '#test/servers/shared-names.ts'
import type { TestFile } from './select.ts'
import { COMPILE_CACHE } from './test-process.ts'

/** Parts shared by all test files of a run: variables for their processes, and a way to end it. */
export interface SharedParts {
  readonly environment: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** With fewer files than this, it is faster if each process makes its own template. */
const MANY_FILES = 10

/**
 * Makes the parts that several files need, in parallel: the templates of a server's data, written into `folder`, and
 * the console. Each process keeps its own browser.
 */
export async function startSharedParts(files: readonly TestFile[], folder: string): Promise<SharedParts> {
  const count = (...kinds: readonly TestFile['kind'][]) => files.filter(({ kind }) => kinds.includes(kind)).length
  const parts = await Promise.all([
    count('browser', 'process') > 0 ? buildConsole() : nothing,
    count('browser', 'process', 'engine') >= MANY_FILES ? buildProgramOfRun(join(folder, 'program')) : nothing,
    count('browser') > 1 ? keepBrowsers : nothing,
    count('browser', 'process', 'engine', 'component') >= MANY_FILES
      ? makeTemplates(join(folder, 'templates.json'))
      : nothing,
  ])
  return {
    environment: Object.assign({}, ...parts.map(({ environment }) => environment)),
    close: async () => void (await Promise.all(parts.map((part) => part.close()))),
  }
}

const nothing: SharedParts = { environment: {}, close: async () => {} }
const keepBrowsers: SharedParts = { ...nothing, environment: { [KEEPS_BROWSER]: 'yes' } }

async function buildConsole(): Promise<SharedParts> {
  const child = spawn(process.execPath, ['tools/build-if-stale.ts'], { stdio: 'inherit' })
  await once(child, 'close')
  return { ...nothing, environment: { [CONSOLE_IS_BUILT]: 'yes' } }
}

/**
 * Builds the program once: a process or test thread then starts in half the time. Console and documentation are those
 * of the clone.
 */
async function buildProgramOfRun(folder: string): Promise<SharedParts> {
  const { buildProgram } = await import('../packaging/build.ts')
  const modules = await buildProgram(folder)
  writeFileSync(join(folder, MODULES_OF_PROGRAM), JSON.stringify(modules))
  for (const built of ['web/dist', 'docs/dist']) {
    mkdirSync(join(folder, dirname(built)))
    symlinkSync(resolve(built), join(folder, built))
  }
  return { ...nothing, environment: { [BUILT_PROGRAM]: folder } }
}

/** Writes the names of the templates, one for each available engine, into `file`. */
export async function makeTemplates(file: string): Promise<SharedParts> {
  const child = spawn(process.execPath, ['tools/test-run/make-templates.ts', file], {
    env: { ...COMPILE_CACHE, ...process.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), ended])
  if (child.exitCode !== null) throw new Error('The templates of the run could not be made.')
  return {
    environment: { [RUN_TEMPLATES]: file },
    close: async () => {
      child.stdin.end()
      await ended
    },
  }
}
