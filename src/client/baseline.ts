import { readFileSync } from 'node:fs'
import { ClientFailure } from './failure.ts'
import type { TestDocument, TestedProject } from './test-document.ts'

type Issue = { readonly id: string; readonly package: string }

/** Reads the JSON of an earlier test. Throws `ClientFailure` for other files. */
export function readBaseline(path: string): TestDocument {
  try {
    const document = JSON.parse(readFileSync(path, 'utf8')) as TestDocument
    document.projects.flatMap(keysOf)
    return document
  } catch (cause) {
    throw new ClientFailure(`The baseline "${path}" ${describe(cause as NodeJS.ErrnoException)}`, { cause })
  }
}

/** Describes why a baseline cannot be read, without advising to overwrite a file of another kind. */
function describe({ code }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'does not exist. Write it with "gatehouse test --json-file FILE".'
  if (code !== undefined) return `cannot be read (${code}). Name a file that this user may read.`
  return 'is not the JSON of "gatehouse test". Write another with "gatehouse test --json-file FILE".'
}

/** Removes issues that the baseline has in the same project and package, at whatever version. */
export function withoutBaseline(document: TestDocument, baseline: TestDocument): TestDocument {
  const baselineKeys = new Set(baseline.projects.flatMap(keysOf))
  const projects = document.projects.map((project): TestedProject => {
    const { path, result } = project
    if (result === undefined) return project
    const isNew = (issue: Issue) => !baselineKeys.has(keyOf(path, issue))
    const vulnerabilities = result.issues.vulnerabilities.filter(isNew)
    const licenses = result.issues.licenses.filter(isNew)
    const ok = result.coverage.complete && vulnerabilities.length === 0 && licenses.length === 0
    return { ...project, ok, result: { ...result, ok, issues: { vulnerabilities, licenses } } }
  })
  const ok = document.leftOut.length === 0 && projects.length > 0 && projects.every((project) => project.ok)
  return { ...document, ok, projects }
}

function keysOf({ path, result }: TestedProject): string[] {
  if (result === undefined) return []
  return [...result.issues.vulnerabilities, ...result.issues.licenses].map((issue) => keyOf(path, issue))
}

function keyOf(path: string, { id, package: name }: Issue): string {
  return JSON.stringify([path, id, name])
}
