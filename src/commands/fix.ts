import { relative, resolve, sep } from 'node:path'
import { Command, Option } from 'commander'
import { Problem } from '#foundation/problem.ts'
import { ClientFailure, exitCodes } from '../client/failure.ts'
import { severities } from '../client/findings.ts'
import type { FolderFix } from '../client/fix/run-fix.ts'
import { withoutCommands } from '../client/output/runner-commands.ts'
import { openProgress } from '../client/progress.ts'
import { withInterrupt } from './interrupt.ts'
import { append } from './repeatable.ts'
import { type ConnectOptions, connect, withConnectOptions, withLocalOption } from './server/connect.ts'
import { openLocal, type TestCommandOptions } from './test.ts'

type Chosen = 'local' | 'offline' | 'file' | 'exclude' | 'packageManager' | 'includeDev' | 'severityThreshold'

interface FixCommandOptions extends ConnectOptions, Pick<TestCommandOptions, Chosen> {
  readonly dryRun?: true
  readonly major?: true
}

const examples = `
Changes package.json, requirements files, pyproject.toml, Pipfile, pom.xml,
Gradle build scripts and version catalogs, Gemfile and go.mod. Lockfiles are not
changed; the output names the command that updates them. Only changes are made
after which the project still resolves, with its lockfile, and has fewer issues.

Examples:
  gatehouse fix --dry-run                 show the changes to the current folder
  gatehouse fix --dry-run | patch -p1     apply them later or elsewhere
  gatehouse fix --local services/shop     test and fix on this machine
  gatehouse fix --severity-threshold high
  gatehouse fix --major                   also write new major versions

Exit codes: 0 no issues left, 1 issues left, 2 failure, 3 no project tested
`

export function fixCommand(): Command {
  return withLocalOption(withConnectOptions(new Command('fix')))
    .argument('[path...]', 'folders to fix (default: the current folder)')
    .option('--dry-run', 'print the changes as a unified diff, and change nothing')
    .option('--major', 'also write new major versions, which may break the code that uses them')
    .option('--file <path>', 'fix only this manifest, relative to PATH (repeatable)', append, [])
    .option('--exclude <names>', 'folders whose projects are not changed, comma-separated (default: fixtures,tests,…)')
    .option('--package-manager <id>', 'fix only projects of this package manager, such as npm or maven')
    .option('--include-dev', 'also fix packages that only development needs')
    .addOption(new Option('--severity-threshold <level>', 'leave less severe issues unfixed').choices([...severities]))
    .addHelpText('after', examples)
    .action(fix)
}

async function fix(paths: readonly string[], options: FixCommandOptions): Promise<void> {
  process.exitCode = await withInterrupt(async (signal) => {
    const progress = openProgress(process.stderr, process.env)
    const local = options.local ? await openLocal(progress.show, options) : undefined
    try {
      const { testOnServer } = await import('../client/run-test.ts')
      const { planFix } = await import('../client/fix/run-fix.ts')
      const { compareVersions: compare } = await import('../client/compare-versions.ts')
      const testFiles = local?.testFiles ?? testOnServer(connect(options, { hasLocal: true }), progress.show)
      const codes: number[] = []
      for (const path of paths.length === 0 ? ['.'] : paths) {
        const folder = resolve(path)
        const plan = await planFix(
          folder,
          {
            files: options.file,
            exclude: options.exclude,
            packageManager: options.packageManager,
            severityThreshold: options.severityThreshold,
            includeDev: options.includeDev === true,
          },
          {
            testFiles,
            environment: process.env,
            signal,
            cwd: folder,
            onProgress: progress.show,
            compare,
            takesMajor: options.major === true,
          },
        )
        progress.clear()
        await carryOut(plan, { folder, isDryRun: options.dryRun === true, signal })
        codes.push(judge(plan))
      }
      if (codes.includes(exitCodes.failure)) return exitCodes.failure
      const tested = codes.filter((code) => code !== exitCodes.nothingToTest)
      return tested.length === 0 ? exitCodes.nothingToTest : Math.max(...tested)
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof Problem ? new ClientFailure(error.message, { cause: error }) : error
    } finally {
      progress.clear()
      await local?.close()
    }
  })
}

/** Returns the exit code. Remaining issues take precedence over projects that could not be tested. */
function judge({ projects, document }: FolderFix): number {
  if (document.projects.length === 0) return exitCodes.nothingToTest
  if (projects.some(({ left, added }) => left.length + added.length > 0)) return exitCodes.issues
  return document.projects.some(({ error }) => error !== undefined) ? exitCodes.failure : exitCodes.clean
}

interface Ways {
  readonly folder: string
  readonly isDryRun: boolean
  readonly signal: AbortSignal
}

/** Applies or prints the changes. A dry run prints only the diff to standard output, so that it can be piped. */
async function carryOut(plan: FolderFix, { folder, isDryRun, signal }: Ways): Promise<void> {
  const { toDiff, toFixText } = await import('../client/fix/fix-report.ts')
  const prefix = relative(process.cwd(), folder).split(sep).join('/')
  if (!isDryRun && plan.files.length > 0) {
    const { writeFiles } = await import('../client/fix/write-files.ts')
    await writeFiles(folder, plan.files, signal)
  }
  const screen = isDryRun ? process.stderr : process.stdout
  if (isDryRun) process.stdout.write(withoutCommands(toDiff(plan, prefix)))
  screen.write(withoutCommands(toFixText(plan, { columns: screen.columns ?? 80, isDryRun, prefix })))
}
