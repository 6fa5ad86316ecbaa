import type { Unresolved } from '#analysis/dependency-graph.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { toProjectName } from '../packaging/project-name.ts'
import { unreadEncoding } from './declared-encoding.ts'
import { type LineOption, parseLine } from './line-options.ts'
import { type LogicalLine, toLogicalLines, variablesIn } from './logical-lines.ts'
import { type ParsedRequirement, parseRequirementLine } from './requirement-line.ts'

/** A line that requires a package. */
export interface RequirementLine {
  readonly parsed: Exclude<ParsedRequirement, { kind: 'unreadable' }>
  readonly line: number
  readonly isHashed: boolean
  /** The requiring packages that pip-compile and similar tools write beside a version. */
  readonly via: readonly string[]
}

/** A line that includes another file. */
export interface FileReference {
  readonly kind: 'requirements' | 'constraints'
  readonly path: string
  readonly line: number
}

/** A line of options. */
export interface OptionLine {
  readonly options: readonly LineOption[]
  readonly line: number
}

export interface RequirementsFile {
  /** In file order. */
  readonly entries: readonly (RequirementLine | FileReference | OptionLine)[]
  /** Lines that pip refuses or whose meaning depends on its environment, and packages that a tool omitted. */
  readonly unreadable: readonly UnreadLine[]
}

export type UnreadLine = Pick<Unresolved, 'name' | 'range' | 'code' | 'reason' | 'line'>

const longestLine = 2_000_000

/** Parses one requirements file in pip's format. An unreadable line does not prevent reading the others. */
export function parseRequirementsFile(content: string): RequirementsFile {
  const entries: (RequirementLine | FileReference | OptionLine)[] = []
  const unreadable: UnreadLine[] = []
  const lines = toLogicalLines(content)
  for (const [index, logical] of lines.entries()) {
    if (logical.text === '') continue
    const entry = readEntry(logical, () => viaOf(lines, index))
    if (entry === undefined) unreadable.push(toUnreadable(logical))
    else entries.push(entry)
  }
  return { entries, unreadable: [...unreadable, ...otherEncoding(content), ...leftOut(lines)] }
}

function readEntry({ text, line }: LogicalLine, via: () => string[]): RequirementsFile['entries'][number] | undefined {
  const parts = text.length > longestLine ? undefined : parseLine(text)
  if (parts === undefined) return undefined
  const { requirement, isEditable, options } = parts
  if (requirement === undefined) return readOptionLine(options, line)
  const parsed = parseRequirementLine(requirement, isEditable ? 'editable' : 'plain')
  if (parsed.kind === 'unreadable') return undefined
  return { parsed, line, isHashed: options.some(({ name }) => name === '--hash'), via: via() }
}

/** Reads an option line; pip includes one file per line, requirements before constraints. */
function readOptionLine(options: readonly LineOption[], line: number): FileReference | OptionLine {
  const requirements = options.find(({ name }) => name === '--requirement')
  const reference = requirements ?? options.find(({ name }) => name === '--constraint')
  if (reference === undefined) return { options, line }
  const kind = requirements === undefined ? 'constraints' : 'requirements'
  return { kind, path: reference.value, line }
}

function toUnreadable({ text, line }: LogicalLine): UnreadLine {
  const variables = variablesIn(text.slice(0, longestLine))
  const reason =
    variables.length > 0
      ? `It needs environment variables whose values are not known here: ${shorten(variables.join(', '))}`
      : 'pip refuses this line'
  return { name: shorten(withoutCredentials(text)), range: '', code: 'not-static', reason, line }
}

function otherEncoding(content: string): UnreadLine[] {
  const encoding = unreadEncoding(content)
  if (encoding === undefined) return []
  const name = shorten(encoding.name)
  const reason = `The file says that its encoding is ${name}, in which pip may find other lines than were read here. Save it as UTF-8 and remove that comment.`
  return [{ name: `coding: ${name}`, range: '', code: 'not-static', reason, line: encoding.line }]
}

/** Reads `# via a, b` after a requirement or in the comments below, where every further line names one more. */
function viaOf(lines: readonly LogicalLine[], index: number): string[] {
  const comments = [lines[index]!.comment ?? '']
  for (let at = index + 1; at < lines.length && comments.length < 5_000; at++) {
    const { text, comment } = lines[at]!
    if (text !== '' || comment === undefined) break
    comments.push(comment)
  }
  const start = comments.findIndex((comment) => /^via\b/.test(comment))
  if (start === -1) return []
  const viaComments = [comments[start]!.slice('via'.length), ...comments.slice(start + 1)]
  return viaComments
    .flatMap((comment) => comment.split(','))
    .flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))
}

const namesFollow = /^(?:WARNING: )?The following packages (?:are considered to be unsafe|were not pinned)/

/** Reads the packages that pip-compile omits as unsafe and lists in comments at the end. */
function leftOut(lines: readonly LogicalLine[]): UnreadLine[] {
  const start = lines.findIndex(
    ({ text, comment }) => text === '' && comment !== undefined && namesFollow.test(comment),
  )
  if (start === -1) return []
  const reason = 'The tool that wrote the file left its version out'
  const rest = lines.slice(start + 1)
  const end = rest.findIndex(({ text, comment }) => text !== '' || comment === undefined)
  return rest.slice(0, end === -1 ? rest.length : end).flatMap(({ comment = '', line }): UnreadLine[] => {
    const isName = /^[a-z0-9][\w.-]*$/i.test(comment)
    return isName ? [{ name: toProjectName(comment), range: '', code: 'not-in-lockfile', reason, line }] : []
  })
}
