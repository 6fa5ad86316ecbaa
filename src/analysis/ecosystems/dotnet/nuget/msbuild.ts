import { attributeOf, type XmlElement } from '#analysis/documents/xml.ts'
import { evaluateCondition } from './condition.ts'

/** A project file of MSBuild, or a file that it imports. */
export interface MsbuildFile {
  readonly file: 'target' | number
  readonly text: string
  /** Relative to the target's folder; undefined if it was sent without a path. */
  readonly path: string | undefined
  readonly root: XmlElement
}

/** The files of a project in the order in which MSBuild reads them. */
export interface MsbuildProject {
  readonly project: MsbuildFile
  /** Read before the project: Directory.Build.props and Directory.Packages.props. */
  readonly before: readonly MsbuildFile[]
  /** Read after it: Directory.Build.targets. */
  readonly after: readonly MsbuildFile[]
  /** Returns a file by its path from the target's folder. */
  find(path: string): MsbuildFile | undefined
}

/** The text of a property or of an item's metadata, and its position if it can be replaced. */
export interface Written {
  readonly file: MsbuildFile
  readonly line: number
  readonly text: string
  readonly start: number
  readonly end: number
}

interface Property {
  /** Undefined if the files do not decide it. */
  readonly value: string | undefined
  readonly written?: Written
}

/** A group of items that MSBuild reads after all properties. */
export interface ItemGroup {
  readonly element: XmlElement
  readonly file: MsbuildFile
  /** Conditions around it that the files do not decide. */
  readonly undecided: readonly string[]
}

export interface Evaluation {
  readonly source: MsbuildProject
  /** The framework chosen from outside; empty if none is. */
  readonly framework: string
  /** By name in lower case. */
  readonly properties: Map<string, Property>
  readonly groups: ItemGroup[]
  /** Imports of files that were not sent. */
  readonly unreadImports: Set<string>
  readonly visited: Set<MsbuildFile>
}

/** Returns true for the root of a project file, which names an SDK or, if it is old, a version of the framework. */
export function isProject(root: XmlElement): boolean {
  if (/\sSdk\s*=/.test(root.tag)) return true
  return root.children.some(
    ({ name, tag, children }) =>
      name === 'Sdk' ||
      (name === 'Import' && /(?:CSharp|FSharp|VisualBasic)\.targets|\sSdk\s*=/.test(tag)) ||
      (name === 'PropertyGroup' && children.some((property) => property.name === 'TargetFrameworkVersion')),
  )
}

const MAX_IMPORTS = 200
/** Properties that contain each other grow without end. */
const MAX_VALUE = 100_000
/** Files of the SDK and of build tools, which declare no packages of the project. */
const OF_TOOLS =
  /^\$\((?:MSBuild(?!ThisFile|Project)|VSTools|VisualStudio|NuGet|BuildTools|VCTargets|ReferencesPath)|\.paket\/|(?:^|\/)packages\/[^/]+\/(?:build|tools)/i
const FILE_ABOVE = /^\$\(\[MSBuild\]::GetPathOfFileAbove\(\s*'?([\w.]+)'?.*\)\)$/

/** Evaluates the properties of a project for one framework; an empty one leaves the project's own. */
export function evaluateProperties(source: MsbuildProject, framework: string): Evaluation {
  const evaluation: Evaluation = {
    source,
    framework,
    properties: new Map(),
    groups: [],
    unreadImports: new Set(),
    visited: new Set(),
  }
  if (framework !== '') evaluation.properties.set('targetframework', { value: framework })
  const name = source.project.path?.replace(/^.*\//, '').replace(/\.\w+$/, '')
  if (name !== undefined) evaluation.properties.set('msbuildprojectname', { value: name })
  for (const file of [...source.before, source.project, ...source.after]) readFile(evaluation, file, [])
  return evaluation
}

function readFile(evaluation: Evaluation, file: MsbuildFile, undecided: readonly string[]): void {
  if (evaluation.visited.has(file) || evaluation.visited.size > MAX_IMPORTS) return
  evaluation.visited.add(file)
  readElements(evaluation, file.root.children, { file, undecided })
}

type Context = Pick<ItemGroup, 'file' | 'undecided'>

function readElements(evaluation: Evaluation, elements: readonly XmlElement[], context: Context): void {
  for (const element of elements) {
    if (element.name === 'Choose') readChoices(evaluation, element.children, context)
    const inner = element.name === 'ItemGroup' ? context : enter(evaluation, element, context)
    if (inner === undefined) continue
    if (element.name === 'PropertyGroup') {
      for (const property of element.children) setProperty(evaluation, property, inner)
    } else if (element.name === 'ItemGroup') evaluation.groups.push({ element, ...inner })
    else if (element.name === 'ImportGroup') readElements(evaluation, element.children, inner)
    else if (element.name === 'Import') readImport(evaluation, element, inner)
  }
}

/** Returns the context inside an element; undefined if its condition is false. */
function enter(evaluation: Evaluation, element: XmlElement, context: Context): Context | undefined {
  const condition = attributeOf(element, 'Condition')?.trim()
  if (condition === undefined || condition === '') return context
  const verdict = evaluateCondition(condition, (text) => expand(evaluation, text, ''))
  if (verdict === undefined) return { ...context, undecided: [...context.undecided, condition] }
  return verdict ? context : undefined
}

function readChoices(evaluation: Evaluation, choices: readonly XmlElement[], context: Context): void {
  let { undecided } = context
  for (const choice of choices) {
    const inner = enter(evaluation, choice, { ...context, undecided })
    if (inner === undefined) continue
    readElements(evaluation, choice.children, inner)
    if (inner.undecided.length === undecided.length) return
    undecided = inner.undecided
  }
}

function setProperty(evaluation: Evaluation, element: XmlElement, context: Context): void {
  const inner = enter(evaluation, element, context)
  const name = element.name.toLowerCase()
  // The framework is chosen from outside when several are built.
  if (inner === undefined || (name === 'targetframework' && evaluation.framework !== '')) return
  const { file } = context
  const existing = evaluation.properties.get(name)
  const value = expand(evaluation, element.text, '', { name, value: existing?.value ?? '' })
  const isUndecided = inner.undecided.length > 0 && value !== existing?.value
  const written = { ...innerOf(element, file), line: element.line, file }
  evaluation.properties.set(name, { value: isUndecided ? undefined : value, written })
}

/** Returns the text between the tags of an element without blanks around it. */
function innerOf({ innerStart, innerEnd }: XmlElement, { text }: MsbuildFile) {
  const inner = text.slice(innerStart, innerEnd)
  const start = innerStart + (inner.length - inner.trimStart().length)
  return { text: inner.trim(), start, end: start + inner.trim().length }
}

/** Returns the metadata of an item, from an attribute or a child element. */
export function metadataOf(element: XmlElement, name: string, file: MsbuildFile): Written | undefined {
  const child = element.children.find((one) => one.name.toLowerCase() === name.toLowerCase())
  if (child !== undefined) return { ...innerOf(child, file), line: child.line, file }
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(["'])`, 'i').exec(element.tag)
  if (match === null) return undefined
  const from = match.index + match[0].length
  const text = element.tag.slice(from, element.tag.indexOf(match[1]!, from))
  const isEmpty = file.text[element.innerStart - 2] === '/'
  const start = element.innerStart - 1 - (isEmpty ? 1 : 0) - element.tag.length + from
  return { text, start, end: start + text.length, line: element.line, file }
}

function readImport(evaluation: Evaluation, element: XmlElement, context: Context): void {
  const { file } = context
  const written = (attributeOf(element, 'Project') ?? '').replaceAll('\\', '/')
  if (attributeOf(element, 'Sdk') !== undefined || OF_TOOLS.test(written)) return
  const imported = findImport(evaluation, written, file)
  if (imported !== undefined) readFile(evaluation, imported, context.undecided)
  else if (context.undecided.length === 0) evaluation.unreadImports.add(written)
}

function findImport(evaluation: Evaluation, written: string, file: MsbuildFile): MsbuildFile | undefined {
  if (file.path === undefined) return undefined
  const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1)
  const { find } = evaluation.source
  const above = FILE_ABOVE.exec(written)?.[1]
  if (above !== undefined) {
    for (let up = `${folder}../`, steps = 0; steps < 50; up = `${up}../`, steps++) {
      const match = find(normalize(`${up}${above}`))
      if (match !== undefined) return match
    }
    return undefined
  }
  const relative = expand(
    evaluation,
    written.replace(/\$\(MSBuildThisFileDirectory\)\/?/gi, folder === '' ? './' : folder),
    '',
  )
  if (relative === undefined) return undefined
  return find(normalize(relative === written ? `${folder}${relative}` : relative))
}

/** Resolves `.` and `..` inside of a relative path. */
export function normalize(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else parts.push(part)
  }
  return parts.join('/')
}

const REFERENCE = /\$\(([\w.-]+|[\w-]+\.(?:StartsWith|EndsWith|Contains)\(\s*['"`]?([^()'"`]*)['"`]?\s*\))\)/g

/**
 * Replaces the properties of a text. A property that no file sets has the value `missing`; undefined makes the whole
 * undefined, as do functions of MSBuild and lists of items.
 */
export function expand(
  { properties }: Pick<Evaluation, 'properties'>,
  text: string,
  missing: string | undefined,
  self?: { readonly name: string; readonly value: string },
): string | undefined {
  let isKnown = true
  const expanded = text.replace(REFERENCE, (_, reference: string, argument: string | undefined) => {
    const [name = '', method] = argument === undefined ? [reference] : reference.split('.')
    const key = name.toLowerCase()
    const property = self?.name === key ? self : properties.get(key)
    const value = property === undefined ? (OUTSIDE.test(name) ? undefined : missing) : property.value
    if (value === undefined) isKnown = false
    return argument === undefined || value === undefined ? (value ?? '') : callMethod(value, method!, argument)
  })
  return isKnown && expanded.length <= MAX_VALUE && !/[$@%]\(/.test(expanded) ? expanded : undefined
}

/** Properties that the caller, the machine or the SDK sets. */
const OUTSIDE =
  /^(?:Configuration|Platform|OS|MSBuild\w*|Solution\w+|NETCore\w+|Bundled\w+|VisualStudio\w*|CI|TF_BUILD|GITHUB_ACTIONS|RuntimeIdentifiers?|Target(?:Platform|Framework)\w+|\w*\.\w*)$/i

function callMethod(value: string, method: string, argument: string): string {
  const isMet = method.startsWith('Starts')
    ? value.startsWith(argument)
    : method.startsWith('Ends')
      ? value.endsWith(argument)
      : value.includes(argument)
  return isMet ? 'True' : 'False'
}
