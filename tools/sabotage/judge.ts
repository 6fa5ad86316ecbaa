import type { Hidden, ProjectFiles, Sabotage, Spelling } from './spelling.ts'

/**
 * `found`: an issue of the hidden release is reported. `reported`: the result is not `ok` and says that it is incomplete.
 * `refused`: an error instead of a result. `silent`: none of these, which is a false clean where the tool installs it.
 */
export type Verdict = 'found' | 'reported' | 'refused' | 'silent'

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Sends a package test and returns the server's answer. */
export type Send = (ecosystem: string, body: object) => Promise<Answer>

interface TestResult {
  readonly ok: boolean
  readonly issues: { readonly vulnerabilities: readonly { readonly package: string; readonly version: string }[] }
  readonly coverage: { readonly complete: boolean }
}

export interface Trial {
  readonly project: string
  readonly spelling: Spelling
  readonly verdict: Verdict
}

/** Tries one spelling in one project; undefined when the project has no place for it. */
export async function trySpelling(
  send: Send,
  { ecosystem, hidden, target, sends = () => true }: Sabotage,
  { project, files, spelling }: { project: string; files: ProjectFiles; spelling: Spelling },
): Promise<Trial | undefined> {
  const planted = spelling.plant(files, hidden)
  if (planted === undefined) return undefined
  const answer = await send(ecosystem, toBody(planted, { target, sends }))
  return { project, spelling, verdict: judge(answer, hidden) }
}

function toBody(files: ProjectFiles, { target, sends }: Required<Pick<Sabotage, 'target' | 'sends'>>): object {
  const { [target]: contents, ...others } = files
  const sent = Object.entries(others).filter(([path]) => sends(path))
  return { files: { target: { contents }, additional: sent.map(([, text]) => ({ contents: text })) } }
}

/** Throws on an answer of status 500 or above other than an unreachable registry's 502. */
export function judge({ status, body }: Answer, hidden: Hidden): Verdict {
  if (status >= 500 && status !== 502) throw new Error(`The server answered ${status}: ${JSON.stringify(body)}`)
  if (status !== 200) return 'refused'
  const { ok, issues, coverage } = body as TestResult
  const names = [hidden.name, ...(hidden.otherNames ?? [])].map((name) => name.toLowerCase())
  const isHidden = (each: { package: string; version: string }) =>
    names.includes(each.package.toLowerCase()) && (hidden.isAnyVersion === true || each.version === hidden.version)
  if (issues.vulnerabilities.some(isHidden)) return 'found'
  return !ok && !coverage.complete ? 'reported' : 'silent'
}

/** False cleans: silent although the tool installs the hidden release. */
export function falseCleans(trials: readonly Trial[]): Trial[] {
  return trials.filter(({ verdict, spelling }) => verdict === 'silent' && spelling.tool === 'installs')
}
