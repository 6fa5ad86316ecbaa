import { attributeOf, type XmlElement } from '#analysis/documents/xml.ts'
import { evaluateCondition } from './condition.ts'
import {
  type Evaluation,
  evaluateProperties,
  expand,
  type MsbuildFile,
  type MsbuildProject,
  metadataOf,
  type Written,
} from './msbuild.ts'

/** A package that a project declares. */
export interface PackageDeclaration {
  readonly name: string
  /** Undefined if it has none or the files do not decide it. */
  readonly range: string | undefined
  /** The place of its version. */
  readonly written?: Written
  /** The place of the item. */
  readonly item: { readonly file: MsbuildFile; readonly line: number }
  readonly isDev: boolean
  /** The conditions that the files do not decide. */
  readonly undecided: readonly string[]
}

export interface EvaluatedProject {
  readonly name: string
  readonly version: string
  /** By target framework; an empty one if the files name none. */
  readonly frameworks: ReadonlyMap<string, readonly PackageDeclaration[]>
  readonly unreadImports: readonly string[]
}

interface Item {
  readonly name: string
  readonly item: PackageDeclaration['item']
  readonly undecided: readonly string[]
  readonly metadata: Map<string, Written>
  readonly isGlobal: boolean
}

interface Items {
  readonly evaluation: Evaluation
  references: Item[]
  /** Versions of Directory.Packages.props, by name in lower case. */
  readonly versions: Map<string, Item[]>
}

const METADATA = ['Version', 'VersionOverride', 'PrivateAssets']
const MAX_FRAMEWORKS = 50

/** Evaluates the packages that a project declares, for each of its frameworks. */
export function evaluatePackages(source: MsbuildProject): EvaluatedProject {
  const whole = evaluateProperties(source, '')
  const propertyOf = (name: string) => expand(whole, `$(${name})`, '') ?? ''
  const listed = (propertyOf('TargetFrameworks') || propertyOf('TargetFramework')).split(';').map((one) => one.trim())
  const monikers = [...new Set(listed.filter((one) => one !== ''))].slice(0, MAX_FRAMEWORKS)
  const legacy = propertyOf('TargetFrameworkVersion')
  const names = monikers.length > 0 ? monikers : [legacy === '' ? '' : `net${legacy.replace(/[^\d]/g, '')}`]
  return {
    name: propertyOf('PackageId') || propertyOf('AssemblyName') || propertyOf('MSBuildProjectName'),
    version: propertyOf('Version') || propertyOf('VersionPrefix'),
    frameworks: new Map(names.map((name) => [name, declarationsOf(evaluateProperties(source, name))])),
    unreadImports: [...whole.unreadImports],
  }
}

function declarationsOf(evaluation: Evaluation): PackageDeclaration[] {
  const items: Items = { evaluation, references: [], versions: new Map() }
  for (const { element, file, undecided } of evaluation.groups) {
    const around = decide(items, element, undecided)
    if (around === undefined) continue
    for (const child of element.children) {
      const inner = decide(items, child, around)
      if (inner !== undefined) addItem(items, child, { file, undecided: inner })
    }
  }
  return items.references.flatMap((item) => toDeclarations(item, items))
}

/** Returns the conditions that remain undecided inside an element; undefined if its own is false. */
function decide({ evaluation }: Items, element: XmlElement, around: readonly string[]): readonly string[] | undefined {
  const condition = attributeOf(element, 'Condition')?.trim()
  if (condition === undefined || condition === '') return around
  const verdict = evaluateCondition(condition, (text) => expand(evaluation, text, undefined))
  return verdict === undefined ? [...around, condition] : verdict ? around : undefined
}

interface ItemContext {
  readonly file: MsbuildFile
  readonly undecided: readonly string[]
}

const REFERENCES = new Set(['PackageReference', 'GlobalPackageReference', 'DotNetCliToolReference'])

function addItem(items: Items, element: XmlElement, { file, undecided }: ItemContext): void {
  const isVersion = element.name === 'PackageVersion'
  if (!isVersion && !REFERENCES.has(element.name)) return
  const list = (attribute: string) => namesIn(items.evaluation, attributeOf(element, attribute) ?? '')
  const metadata = new Map(
    METADATA.flatMap((name) => {
      const written = metadataOf(element, name, file)
      return written === undefined ? [] : [[name, written] as const]
    }),
  )
  for (const name of list('Include')) {
    const item = {
      name,
      item: { file, line: element.line },
      undecided,
      metadata: new Map(metadata),
      isGlobal: element.name !== 'PackageReference',
    }
    const before = undecided.length === 0 ? [] : (items.versions.get(name.toLowerCase()) ?? [])
    if (isVersion) items.versions.set(name.toLowerCase(), [...before, item])
    else items.references.push(item)
  }
  for (const name of list('Update')) {
    const updated = isVersion ? items.versions.get(name.toLowerCase()) : items.references
    for (const item of updated ?? []) {
      if (!isSame(item.name, name)) continue
      for (const [key, written] of metadata)
        item.metadata.set(key, undecided.length === 0 ? written : { ...written, text: UNDECIDED })
    }
  }
  if (undecided.length > 0) return
  for (const name of list('Remove')) {
    if (isVersion) items.versions.delete(name.toLowerCase())
    else items.references = items.references.filter((item) => !isSame(item.name, name))
  }
}

/** Stands for a value under a condition that the files do not decide; no property has such a name. */
const UNDECIDED = '$(.)'

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Splits a list of names; a name that is not known stays as it is written. */
function namesIn(evaluation: Evaluation, list: string): string[] {
  return (expand(evaluation, list, undefined) ?? list)
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Returns a declaration for each version that may hold. */
function toDeclarations(item: Item, { evaluation, versions }: Items): PackageDeclaration[] {
  const own = item.metadata.get('VersionOverride') ?? item.metadata.get('Version')
  const central = versions.get(item.name.toLowerCase()) ?? []
  const choices = own === undefined && central.length > 0 ? central : [undefined]
  const isDev = item.isGlobal || /(?:^|;)\s*all\s*(?:;|$)/i.test(item.metadata.get('PrivateAssets')?.text ?? '')
  return choices.map((choice) => {
    const declared = own ?? choice?.metadata.get('Version')
    const range = declared === undefined ? undefined : expand(evaluation, declared.text, undefined)?.trim()
    const written = declared === undefined ? undefined : originOf(evaluation, declared)
    return {
      name: item.name,
      range: range === '' ? undefined : range,
      ...(written !== undefined && { written }),
      item: item.item,
      isDev,
      undecided: [...item.undecided, ...(choice?.undecided ?? [])],
    }
  })
}

/** Returns the text of the property if a version consists of one. */
function originOf({ properties }: Evaluation, written: Written): Written {
  const name = /^\s*\$\(([\w-]+)\)\s*$/.exec(written.text)?.[1]
  return (name === undefined ? undefined : properties.get(name.toLowerCase())?.written) ?? written
}
