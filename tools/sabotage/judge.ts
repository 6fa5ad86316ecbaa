import type { Hidden, ProjectFiles, Sabotage, Spelling } from './spelling.ts'

/**
 * `found`: an issue of the hidden release is reported. `reported`: the result is not `ok` and names something
 * unresolved that the project without the spelling does not have. `refused`: an error instead of a result. `silent`:
 * none of these, which is a false clean where the tool installs it.
 */
export type Verdict = 'found' | 'reported' | 'refused' | 'silent'

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Sends a package test and returns the server's answer. */
export type Send = (ecosystem: string, body: object, query?: SendQuery) => Promise<Answer>

/** Query parameters of a package test, as text. */
export interface SendQuery {
  readonly acceptPartial?: 'true'
  readonly includeDev?: 'true'
}

interface TestResult {
  readonly ok: boolean
  readonly issues: { readonly vulnerabilities: readonly { readonly package: string; readonly version: string }[] }
  readonly coverage: { readonly complete: boolean; readonly unresolved: readonly Unresolved[] }
}

interface Unresolved {
  readonly name: string
  readonly range: string
  readonly code: string
  readonly reason: string
}

/** The answer to a project without a spelling. */
export interface Before {
  /** Number of equal unresolved entries, ignoring lines. */
  readonly unresolved: ReadonlyMap<string, number>
  /** True where only a partial result can be had: a registry does not answer, or does not know a package. */
  readonly isPartial: boolean
}

export interface Outcome {
  readonly project: string
  readonly spelling: Spelling
  readonly verdict: Verdict
}

export interface Planted {
  readonly project: string
  readonly files: ProjectFiles
  readonly spelling: Spelling
  /** Undefined for the smallest project, of which nothing is unresolved. */
  readonly before?: Before | undefined
}

/** Sends a project unchanged; returns undefined if the server refuses it, or finds the release that will be hidden. */
export async function sendBefore(send: Send, sabotage: Sabotage, files: ProjectFiles): Promise<Before | undefined> {
  const { ecosystem, hidden, target, sends = () => true } = sabotage
  const body = toBody(files, { target, sends })
  const whole = await send(ecosystem, body)
  const isPartial = whole.status !== 200
  const answer = isPartial ? await send(ecosystem, body, { acceptPartial: 'true' }) : whole
  if (answer.status !== 200 || judge(answer, hidden) === 'found') return undefined
  return { unresolved: countEach((answer.body as TestResult).coverage.unresolved), isPartial }
}

function countEach(unresolved: readonly Unresolved[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { name, range, code, reason } of unresolved) {
    const key = JSON.stringify([name, range, code, reason])
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** Tries one spelling in one project; undefined when the project has no place for it. */
export async function trySpelling(
  send: Send,
  { ecosystem, hidden, target, sends = () => true }: Sabotage,
  { project, files, spelling, before }: Planted,
): Promise<Outcome | undefined> {
  const planted = spelling.plant(files, hidden)
  if (planted === undefined) return undefined
  const query = {
    ...(before?.isPartial === true && { acceptPartial: 'true' as const }),
    ...(spelling.isDev === true && { includeDev: 'true' as const }),
  }
  const answer = await send(ecosystem, toBody(planted, { target, sends }), query)
  return { project, spelling, verdict: judge(answer, hidden, before) }
}

function toBody(files: ProjectFiles, { target, sends }: Required<Pick<Sabotage, 'target' | 'sends'>>): object {
  // Some spellings are a lockfile alone.
  const first = Object.hasOwn(files, target) ? target : Object.keys(files)[0]!
  const { [first]: contents, ...others } = files
  const sent = Object.entries(others).filter(([path]) => sends(path))
  return { files: { target: { contents }, additional: sent.map(([, text]) => ({ contents: text })) } }
}

/** Throws on an answer of status 500 or above other than an unreachable registry's 502. */
export function judge({ status, body }: Answer, hidden: Hidden, before?: Before): Verdict {
  if (status >= 500 && status !== 502) throw new Error(`The server answered ${status}: ${JSON.stringify(body)}`)
  if (status !== 200) return 'refused'
  const { ok, issues, coverage } = body as TestResult
  const names = [hidden.name, ...(hidden.otherNames ?? [])].map((name) => name.toLowerCase())
  const isHidden = (each: { package: string; version: string }) =>
    names.includes(each.package.toLowerCase()) && (hidden.isAnyVersion === true || each.version === hidden.version)
  if (issues.vulnerabilities.some(isHidden)) return 'found'
  const known = before?.unresolved
  const isNew = known === undefined || [...countEach(coverage.unresolved)].some(([key, n]) => n > (known.get(key) ?? 0))
  const isOpen = !coverage.complete && (!ok || before?.isPartial === true)
  return isOpen && isNew ? 'reported' : 'silent'
}

/** False cleans: silent although the tool installs the hidden release. */
export function falseCleans(outcomes: readonly Outcome[]): Outcome[] {
  return outcomes.filter(({ verdict, spelling }) => verdict === 'silent' && spelling.tool === 'installs')
}
