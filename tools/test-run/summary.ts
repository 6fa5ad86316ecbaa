import type { Outcome } from './reporter.ts'

const SLOWEST = 10
/** Number of tests that are listed for each reason of a skip. */
const NAMED_SKIPS = 3

/** Formats the end of a run: failures, skips by reason, the slowest files and the counts. */
export function summarize(outcomes: readonly Outcome[], elapsedMs: number): string {
  const tests = outcomes.filter(({ isSuite, kind }) => !isSuite || kind === 'skipped')
  const of = (kind: Outcome['kind']) => tests.filter((outcome) => outcome.kind === kind)
  const lines = [
    ...of('failed').flatMap((outcome) => ['', `FAILED ${outcome.file}: ${outcome.name}`, outcome.error ?? '']),
    ...describeSkips(of('skipped')),
    ...describeSlowest(outcomes),
    '',
    `${seconds(elapsedMs)}`,
    `${of('passed').length} passed, ${of('failed').length} failed, ${of('skipped').length} skipped`,
  ]
  return lines.join('\n')
}

function describeSkips(skipped: readonly Outcome[]): string[] {
  const reasons = Map.groupBy(skipped, ({ reason }) => reason ?? 'no reason given')
  const lines = [...reasons].map(([reason, tests]) => {
    const listed = tests.slice(0, NAMED_SKIPS).map(({ file, name }) => `${file}: ${name}`)
    const rest = tests.length > NAMED_SKIPS ? [`${tests.length - NAMED_SKIPS} more`] : []
    return [`  ${tests.length} × ${reason}`, ...[...listed, ...rest].map((text) => `      ${text}`)].join('\n')
  })
  return lines.length === 0 ? [] : ['', 'Skipped:', ...lines]
}

function describeSlowest(outcomes: readonly Outcome[]): string[] {
  const byFile = Map.groupBy(
    outcomes.filter(({ nesting }) => nesting === 0),
    ({ file }) => file,
  )
  const durations = [...byFile].map(([file, own]) => ({
    file,
    ms: own.reduce((sum, { durationMs }) => sum + durationMs, 0),
  }))
  const slowest = durations.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST)
  return ['', 'Slowest files:', ...slowest.map(({ file, ms }) => `  ${seconds(ms).padStart(8)}  ${file}`)]
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
