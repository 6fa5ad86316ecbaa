import { Command, Option } from 'commander'
import { Problem } from '#foundation/problem.ts'
import { readBaseline, withoutBaseline } from '../client/baseline.ts'
import { ClientFailure } from '../client/failure.ts'
import { type Severity, severities } from '../client/findings.ts'
import { writeOutputFile } from '../client/output/output-file.ts'
import { withoutCommands } from '../client/output/runner-commands.ts'
import { printable } from '../client/printable.ts'
import { openProgress } from '../client/progress.ts'
import { reportForms, writeForm } from '../client/reports.ts'
import type { TestContext } from '../client/run-test.ts'
import { isColored } from '../client/terminal.ts'
import { type FailOn, failOnValues, judge, listMissingKinds } from '../client/verdict.ts'
import { withInterrupt } from './interrupt.ts'
import { append } from './repeatable.ts'
import { type ConnectOptions, connect, withConnectOptions, withLocalOption } from './server/connect.ts'

export interface TestCommandOptions extends ConnectOptions {
  readonly local?: true
  readonly offline?: true
  readonly file: readonly string[]
  readonly exclude?: string
  readonly packageManager?: string
  readonly includeDev?: true
  readonly standardLibrary: boolean
  readonly severityThreshold?: Severity
  readonly failOn: FailOn
  readonly strict?: true
  readonly baseline?: string
  readonly against?: string
  readonly json?: true
  readonly jsonFile?: string
  readonly sarif?: true
  readonly sarifFile?: string
  readonly cyclonedx?: true
  readonly cyclonedxFile?: string
  readonly junit?: true
  readonly junitFile?: string
  readonly markdown?: true
  readonly markdownFile?: string
  readonly color: boolean
}

const examples = `
Examples:
  gatehouse test                                 test the current folder on the server of GATEHOUSE_URL
  gatehouse test --local services/shop           test a folder on this machine
  gatehouse test bom.json                        test a bill of materials (CycloneDX or SPDX)
  gatehouse test --severity-threshold high --fail-on upgradable
  gatehouse test --against origin/main           report only what the branch adds
  gatehouse test --file requirements/dev.txt --package-manager pip
  gatehouse test --sarif-file result.sarif       print text, and write SARIF to a file
  gatehouse test --json | jq .ok

Exit codes: 0 no issues, 1 issues, 2 failure, 3 no project tested

Environment:
  GATEHOUSE_URL   address of the server
  GATEHOUSE_KEY   API key; it is sent to this server only
  GATEHOUSE_ORG   organization, by id or slug; default: the organization of the key
  NO_COLOR        print without colors
`

export function testCommand(): Command {
  return withLocalOption(withConnectOptions(new Command('test')))
    .argument(
      '[path...]',
      'folders, without the files that git ignores, and bills of materials (default: the current folder)',
    )
    .option('--file <path>', 'test only this manifest, relative to PATH (repeatable)', append, [])
    .option('--exclude <names>', 'folders whose projects are not tested, comma-separated (default: fixtures,tests,…)')
    .option('--package-manager <id>', 'test only projects of this package manager, such as npm or maven')
    .option('--include-dev', 'also test development dependencies')
    .option('--no-standard-library', 'leave out the standard library of Go')
    .addOption(new Option('--severity-threshold <level>', 'omit less severe issues').choices([...severities]))
    .addOption(
      new Option('--fail-on <kind>', 'issues that fail the test: all, those with a fix, or those known to be exploited')
        .choices([...failOnValues])
        .default('all'),
    )
    .option('--strict', 'exit with 2 if something could not be tested')
    .option('--baseline <file>', 'leave out the issues of an earlier test, from the file of its --json-file')
    .addOption(
      new Option('--against <ref>', 'leave out issues that a branch, tag or commit of git also has').conflicts(
        'baseline',
      ),
    )
    .option('--json', 'print JSON')
    .option('--json-file <file>', 'write JSON to a file')
    .option('--sarif', 'print SARIF 2.1.0, for code scanning')
    .option('--sarif-file <file>', 'write SARIF to a file')
    .option('--cyclonedx', 'print a CycloneDX 1.6 bill of materials with vulnerabilities')
    .option('--cyclonedx-file <file>', 'write CycloneDX to a file')
    .option('--junit', 'print JUnit XML')
    .option('--junit-file <file>', 'write JUnit XML to a file')
    .option('--markdown', 'print Markdown')
    .option('--markdown-file <file>', 'write Markdown to a file')
    .option('--no-color', 'print without colors')
    .addHelpText('after', examples)
    .action(test)
}

const NO_CATALOG =
  'No catalog of exploited vulnerabilities is synced, so --fail-on exploited finds none. Run "gatehouse advisories sync" (for --local: "gatehouse advisories sync --local"). --strict fails on this.'

async function test(paths: readonly string[], options: TestCommandOptions): Promise<void> {
  const [printed, ...others] = reportForms.filter((form) => options[form])
  if (others.length > 0) {
    throw new ClientFailure(`Only one form can be printed. Write the other to a file: --${others[0]}-file FILE.`)
  }
  await withTests(options, async (context, clearProgress) => {
    const { runTest } = await import('../client/run-test.ts')
    const baseline = options.baseline === undefined ? undefined : readBaseline(options.baseline)
    const tested = await runTest(
      {
        ...toInput(options),
        paths: paths.length === 0 ? ['.'] : paths.map((path) => (path === '' ? '.' : path)),
        standardLibrary: options.standardLibrary,
        against: options.against,
        bill: options.cyclonedx === true || options.cyclonedxFile !== undefined,
      },
      { ...context, cwd: process.cwd() },
    )
    clearProgress()
    const document = baseline === undefined ? tested : withoutBaseline(tested, baseline)
    for (const form of reportForms) {
      const file = options[`${form}File`]
      if (file !== undefined) await writeOutputFile(file, await writeForm(form, document))
    }
    process.stdout.write(await (printed === undefined ? asText(document, options) : writeForm(printed, document)))
    if (options.failOn === 'exploited' && listMissingKinds(document).includes('kev')) console.error(NO_CATALOG)
    return judge(document, { failOn: options.failOn, isStrict: options.strict === true })
  })
}

export type TestChoice = Pick<
  TestCommandOptions,
  'file' | 'exclude' | 'packageManager' | 'severityThreshold' | 'includeDev' | 'local' | 'offline'
>

/** Returns the choice of projects and issues that tests and fixes have in common. */
export function toInput({ file: files, exclude, packageManager, severityThreshold, includeDev }: TestChoice) {
  return { files, exclude, packageManager, severityThreshold, includeDev: includeDev === true }
}

/** Runs work with tests on this machine or on the server, and sets its exit code. */
export async function withTests(
  options: ConnectOptions & TestChoice,
  work: (context: Omit<TestContext, 'cwd'>, clearProgress: () => void) => Promise<number>,
): Promise<void> {
  process.exitCode = await withInterrupt(async (signal) => {
    const progress = openProgress(process.stderr, process.env)
    const local = options.local ? await openLocal(progress.show, options) : undefined
    try {
      const { testOnServer } = await import('../client/run-test.ts')
      const testFiles = local?.testFiles ?? testOnServer(connect(options, { hasLocal: true }), progress.show)
      const context = { testFiles, environment: process.env, signal, onProgress: progress.show }
      return await work(context, progress.clear)
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof Problem ? new ClientFailure(error.message, { cause: error }) : error
    } finally {
      progress.clear()
      await local?.close()
    }
  })
}

/** Loads the engine on demand. */
async function openLocal(show: (text: string) => void, { offline }: { readonly offline?: true } = {}) {
  show('Opening the advisories')
  const { openLocalTests } = await import('./local-tests.ts')
  try {
    return await openLocalTests(process.env, (path) => show(`Testing ${path}`), { isOffline: offline })
  } catch (error) {
    const { describeFailure } = await import('./failures.ts')
    const failure = describeFailure(error)
    // Exit codes of the server commands have other meanings here.
    throw failure === undefined ? error : new ClientFailure(failure.sentence, { cause: error })
  }
}

async function asText(document: Parameters<typeof judge>[0], options: TestCommandOptions): Promise<string> {
  const { toText } = await import('../client/text-report.ts')
  const { compareVersions } = await import('../client/compare-versions.ts')
  const isTerminal = process.stdout.isTTY === true
  const report = toText(document, {
    columns: isTerminal ? process.stdout.columns : 80,
    isColored: isColored(process.stdout, { color: options.color, environment: process.env }),
    compare: compareVersions,
  })
  const text = withoutCommands(report)
  if (options.against !== undefined) return `${text}Issues that ${printable(options.against)} also has are omitted.\n`
  return options.baseline === undefined ? text : `${text}Issues of the baseline are omitted.\n`
}
