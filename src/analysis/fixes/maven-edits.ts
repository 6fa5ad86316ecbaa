import { Unreadable } from '../documents/unreadable.ts'
import { childOf, listOf, parseXml, textOf, type XmlElement } from '../documents/xml.ts'
import type { Edit, Planned, ProjectFile, Upgrade } from './edit.ts'

export interface Pom extends ProjectFile {
  readonly root: XmlElement
}

interface DependencyPosition {
  readonly pom: Pom
  readonly dependency: XmlElement
}

/** The problem of a dependency whose version is set outside of the folder. */
export const NOT_SET = 'no POM of the folder sets its version: a parent or an imported BOM does'

/** Finds the version of a dependency: its own, the managed one, or the property that either names. */
export function planMavenEdits(files: readonly ProjectFile[], upgrade: Upgrade): Planned {
  const poms = files.flatMap(parsePom)
  const isNamed = ({ pom, dependency }: DependencyPosition) => nameOf(dependency, pom, poms) === upgrade.name
  const places = ['dependencies', 'dependencyManagement'].flatMap((list) =>
    poms.flatMap((pom) => dependenciesOf(pom, list)).filter(isNamed),
  )
  const versioned = places.filter(({ dependency }) => textOf(dependency, 'version') !== undefined)
  if (versioned.length === 0) {
    return { problem: NOT_SET }
  }
  const edits = new Map<string, Edit>()
  const settings = versioned.flatMap(({ pom, dependency }) => settingsOf(childOf(dependency, 'version')!, pom, poms))
  for (const { path, text, start, end, isIdentity } of settings) {
    if (isIdentity || (text !== upgrade.from && text !== `[${upgrade.from}]`)) continue
    const brackets = text === upgrade.from ? 0 : 1
    edits.set(`${path}:${start}`, { path, start: start + brackets, end: end - brackets, text: upgrade.to })
  }
  if (edits.size > 0) return { edits: [...edits.values()] }
  const written = versioned.map(({ pom, dependency }) => rawOf(childOf(dependency, 'version')!, pom).trim()).join(', ')
  const isIdentity = settings.some((setting) => setting.isIdentity)
  const why = isIdentity ? 'the version of the project or of its parent' : `not as ${upgrade.from}`
  return { problem: `its version is written as ${written}, ${why}` }
}

export function parsePom({ path, text }: ProjectFile): Pom[] {
  if (!/<(?:[\w.-]+:)?project[\s>]/.test(text)) return []
  try {
    return [{ path, text, root: parseXml({ file: 'target', text }) }]
  } catch (error) {
    if (error instanceof Unreadable) return []
    throw error
  }
}

/** Lists the dependencies of a POM and of its profiles. */
function dependenciesOf(pom: Pom, list: string): DependencyPosition[] {
  const profiles = listOf(pom.root, 'profiles', 'profile')
  return [pom.root, ...profiles].flatMap((base) => {
    const parent = list === 'dependencies' ? base : childOf(base, list)
    return listOf(parent, 'dependencies', 'dependency').map((dependency) => ({ pom, dependency }))
  })
}

function nameOf(dependency: XmlElement, pom: Pom, poms: readonly Pom[]): string {
  const value = (name: string) => {
    const element = childOf(dependency, name)
    return element === undefined ? '' : (settingsOf(element, pom, poms)[0]?.text ?? element.text)
  }
  return `${value('groupId')}:${value('artifactId')}`
}

interface Setting {
  readonly path: string
  readonly text: string
  readonly start: number
  readonly end: number
  /** True for the coordinates of the project or its parent, which no upgrade of a dependency changes. */
  readonly isIdentity: boolean
}

const MAX_DEPTH = 5
const PROPERTY = /^\$\{([^${}]+)\}$/

/** Follows a property to the places that set it: in the POM itself before others, there also in profiles. */
function settingsOf(element: XmlElement, pom: Pom, poms: readonly Pom[], depth = 0): Setting[] {
  const property = PROPERTY.exec(element.text)?.[1]
  if (property === undefined) return spanOf(element, pom)
  if (depth > MAX_DEPTH) return []
  const isIdentity = poms.some(({ root }) => isIdentityOf(root, property))
  const own = [pom, ...poms.filter((other) => other !== pom)]
  for (const pom of own) {
    const properties = propertiesIn(pom, property)
    if (properties.length === 0) continue
    const settings = properties.flatMap((one) => settingsOf(one, pom, poms, depth + 1))
    return isIdentity ? settings.map((one) => ({ ...one, isIdentity })) : settings
  }
  return []
}

const IDENTITY = /^(?:project|pom)\.(parent\.)?(groupId|version|artifactId)$/

/** Returns true for `${project.version}` and for properties that the project's own version contains. */
function isIdentityOf(root: XmlElement, property: string): boolean {
  const versions = [childOf(root, 'version'), childOf(childOf(root, 'parent'), 'version')]
  return IDENTITY.test(property) || versions.some((version) => version?.text.includes(`\${${property}}`))
}

/** Returns the text of an element without blanks; none with comments or entities, which an edit would remove. */
function spanOf(element: XmlElement, pom: Pom): Setting[] {
  const { text } = element
  const raw = rawOf(element, pom)
  const start = element.innerStart + raw.length - raw.trimStart().length
  return raw.trim() === text ? [{ path: pom.path, text, start, end: start + text.length, isIdentity: false }] : []
}

function rawOf({ innerStart, innerEnd }: XmlElement, pom: Pom): string {
  return pom.text.slice(innerStart, innerEnd)
}

function propertiesIn({ root }: Pom, name: string): XmlElement[] {
  const identity = IDENTITY.exec(name)
  if (identity !== null) {
    const own = identity[1] === undefined ? childOf(root, identity[2]!) : undefined
    return [own ?? childOf(childOf(root, 'parent'), identity[2]!)].filter((element) => element !== undefined)
  }
  const bases = [root, ...listOf(root, 'profiles', 'profile')]
  return bases.map((base) => childOf(childOf(base, 'properties'), name)).filter((element) => element !== undefined)
}
