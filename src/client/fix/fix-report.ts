import { printable } from '../printable.ts'
import { plural, wrap } from '../terminal-text.ts'
import { isComplete } from '../verdict.ts'
import type { FolderFix, LeftIssue, MadeChange, ProjectFix } from './run-fix.ts'
import { toUnifiedDiff } from './unified-diff.ts'

const SHOWN = 20
const SHOWN_IDS = 3
const MIN_COLUMNS = 40
const MAX_COLUMNS = 120

export interface FixReportOptions {
  readonly columns: number
  readonly isDryRun: boolean
  /** The folder as the user named it; paths are shown below it. */
  readonly prefix: string
}

/** Writes the differences of a plan, as `patch -p1` reads them in the current folder. */
export function toDiff({ files }: FolderFix, prefix: string): string {
  return files.map(({ path, before, after }) => toUnifiedDiff(within(prefix, path), before, after)).join('')
}

/** Writes for users which upgrades were made, which were not and why, and the next command. */
export function toFixText({ projects, files, document }: FolderFix, options: FixReportOptions): string {
  const width = Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, options.columns))
  const lines = [
    ...projects.flatMap((project) => toProject(project, options, width)),
    ...document.projects.flatMap(({ path, error }) =>
      error === undefined
        ? []
        : indented(`${within(options.prefix, path)} was not tested: ${error.message}`, width, ''),
    ),
    ...toSummary(projects, files.length, options),
    ...toDoubts(document).flatMap((doubt) => indented(`! ${doubt}`, width, '', '  ')),
  ]
  return `${lines.join('\n')}\n`
}

function toProject(project: ProjectFix, { isDryRun, prefix }: FixReportOptions, width: number): string[] {
  const { path, changes, left, added, doubt, nextCommand, renewal, folder } = project
  if (changes.length === 0 && left.length === 0) return []
  const done = changes.flatMap((change) => indented(describeChange(change), width, '  '))
  const listed = (title: string, all: readonly string[]) =>
    all.length === 0
      ? []
      : [
          `  ${title}:`,
          ...all.slice(0, SHOWN).flatMap((line) => indented(`- ${line}`, width, '    ', '  ')),
          ...(all.length > SHOWN ? [`    … and ${all.length - SHOWN} more`] : []),
        ]
  const place = within(prefix, folder) || '.'
  return [
    ...indented(within(prefix, path), width, ''),
    ...done,
    ...listed(`${plural(left.length, 'issue')} left`, toLeft(left)),
    ...listed(plural(added.length, 'new issue'), added),
    ...(doubt === undefined ? [] : indented(`! The result was tested only in part: ${doubt}`, width, '  ', '  ')),
    ...(nextCommand === undefined || isDryRun ? [] : indented(`next: run "${nextCommand}" in ${place}`, width, '  ')),
    ...(renewal === undefined
      ? []
      : indented(`${plural(renewal.issues, 'issue')} more: run "${renewal.command}" in ${place}`, width, '  ')),
    '',
  ]
}

function describeChange({ name, from, to, isMajor, isOverride }: MadeChange): string {
  const marks = [isMajor ? 'new major version' : '', isOverride ? 'also for packages that require it' : '']
  const notes = marks.filter((mark) => mark !== '').join(', ')
  return `${name} ${from} → ${to}${notes === '' ? '' : ` (${notes})`}`
}

/** Writes one line for all issues of a package that remain for the same reason. */
function toLeft(left: readonly LeftIssue[]): string[] {
  const groups = Map.groupBy(left, ({ of, problem }) => JSON.stringify([of, problem]))
  return [...groups.values()].map((group) => {
    const { of, problem } = group[0]!
    const ids = group.slice(0, SHOWN_IDS).map(({ id }) => id)
    const more = group.length > ids.length ? ` and ${group.length - ids.length} more` : ''
    return `${ids.join(', ')}${more} in ${of}: ${problem}`
  })
}

function toSummary(projects: readonly ProjectFix[], files: number, { isDryRun }: FixReportOptions): string[] {
  const fixed = projects.reduce((sum, project) => sum + project.fixedIssues, 0)
  const left = projects.reduce((sum, project) => sum + project.left.length, 0)
  if (fixed + left === 0) return ['No issues.']
  const verb = isDryRun ? 'Would change' : 'Changed'
  const added = projects.reduce((sum, project) => sum + project.added.length, 0)
  const more = added === 0 ? '' : `, ${added} new`
  const isVerified = files > 0 && projects.every(({ doubt }) => doubt === undefined)
  return [
    `${verb} ${plural(files, 'file')}: ${plural(fixed, 'issue')} fixed, ${left} left${more}.`,
    ...(isVerified ? ['The result was tested.'] : []),
  ]
}

/** Describes the limits of the plan. */
function toDoubts(document: FolderFix['document']): string[] {
  const bounds = document.projects.flatMap(({ result }) => result?.coverage.boundsMet ?? [])
  return [
    ...new Set(bounds.filter((bound) => bound.startsWith('Upgrades '))),
    ...(isComplete(document) ? [] : ['The test is incomplete: what was not tested may have issues.']),
  ]
}

function within(prefix: string, path: string): string {
  return prefix === '' ? path : path === '' ? prefix : `${prefix}/${path}`
}

function indented(text: string, width: number, indent: string, hanging = ''): string[] {
  const lines = wrap(printable(text), width - indent.length - hanging.length)
  return lines.map((line, at) => `${indent}${at === 0 ? '' : hanging}${line}`)
}
