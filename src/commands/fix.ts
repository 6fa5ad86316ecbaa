import { relative, resolve, sep } from 'node:path'
import { Command, Option } from 'commander'
import { exitCodes } from '../client/failure.ts'
import { severities } from '../client/findings.ts'
import type { FolderFix } from '../client/fix/run-fix.ts'
import { withoutCommands } from '../client/output/runner-commands.ts'
import { append } from './repeatable.ts'
import { type ConnectOptions, withConnectOptions, withLocalOption } from './server/connect.ts'
import { type TestChoice, toInput, withTests } from './test.ts'

interface FixCommandOptions extends ConnectOptions, TestChoice {
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
  await withTests(options, async (context, clearProgress) => {
    const { planFix } = await import('../client/fix/run-fix.ts')
    const { compareVersions: compare } = await import('../client/compare-versions.ts')
    const codes: number[] = []
    for (const path of paths.length === 0 ? ['.'] : paths) {
      const folder = resolve(path)
      const takesMajor = options.major === true
      const plan = await planFix(folder, toInput(options), { ...context, cwd: folder, compare, takesMajor })
      clearProgress()
      await carryOut(plan, { folder, isDryRun: options.dryRun === true, signal: context.signal })
      codes.push(judge(plan))
    }
    if (codes.includes(exitCodes.failure)) return exitCodes.failure
    const tested = codes.filter((code) => code !== exitCodes.nothingToTest)
    return tested.length === 0 ? exitCodes.nothingToTest : Math.max(...tested)
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
