import { Unreadable } from '../ecosystems/ecosystem.ts'
import { childOf, listOf, parseXml, textOf, type XmlElement } from '../ecosystems/maven/xml.ts'
import type { Edit, Planned, ProjectFile, Upgrade } from './edit.ts'

interface Pom extends ProjectFile {
  readonly root: XmlElement
}

interface Place {
  readonly pom: Pom
  readonly dependency: XmlElement
}

/** Finds the version of a dependency: its own, the managed one, or the property that either names. */
export function planMavenEdits(files: readonly ProjectFile[], upgrade: Upgrade): Planned {
  const poms = files.flatMap(parsePom)
  const isNamed = ({ pom, dependency }: Place) => nameOf(dependency, pom, poms) === upgrade.name
  const places = ['dependencies', 'dependencyManagement'].flatMap((list) =>
    poms.flatMap((pom) => dependenciesOf(pom, list)).filter(isNamed),
  )
  const versioned = places.filter(({ dependency }) => textOf(dependency, 'version') !== undefined)
  if (versioned.length === 0) {
    return { problem: 'no POM of the folder sets its version: a parent or an imported BOM does' }
  }
  const edits = new Map<string, Edit>()
  for (const { pom, dependency } of versioned) {
    const version = childOf(dependency, 'version')!
    // The project's own version must not change.
    const found = /^\$\{(?:project|pom)\./.test(version.text) ? undefined : settingOf(version, pom, poms)
    if (found?.text === upgrade.to) continue
    if (found?.text !== upgrade.from) continue
    edits.set(`${found.path}:${found.start}`, {
      path: found.path,
      start: found.start,
      end: found.end,
      text: upgrade.to,
    })
  }
  if (edits.size > 0) return { edits: [...edits.values()] }
  const written = versioned.map(({ dependency }) => textOf(dependency, 'version')).join(', ')
  return { problem: `its version is written as ${written}, not as ${upgrade.from}` }
}

function parsePom({ path, text }: ProjectFile): Pom[] {
  if (!/<project[\s>]/.test(text)) return []
  try {
    return [{ path, text, root: parseXml({ file: 'target', text }) }]
  } catch (error) {
    if (error instanceof Unreadable) return []
    throw error
  }
}

/** Lists the dependencies of a POM and of its profiles. */
function dependenciesOf(pom: Pom, list: string): Place[] {
  const profiles = listOf(pom.root, 'profiles', 'profile')
  return [pom.root, ...profiles].flatMap((base) => {
    const parent = list === 'dependencies' ? base : childOf(base, list)
    return listOf(parent, 'dependencies', 'dependency').map((dependency) => ({ pom, dependency }))
  })
}

function nameOf(dependency: XmlElement, pom: Pom, poms: readonly Pom[]): string {
  const value = (name: string) => {
    const element = childOf(dependency, name)
    return element === undefined ? '' : (settingOf(element, pom, poms)?.text ?? element.text)
  }
  return `${value('groupId')}:${value('artifactId')}`
}

const MAX_DEPTH = 5

/** Follows a property to the place that sets it: in the POM itself before others. */
function settingOf(element: XmlElement, pom: Pom, poms: readonly Pom[], depth = 0) {
  const property = /^\$\{([^${}]+)\}$/.exec(element.text)?.[1]
  if (property === undefined) return spanOf(element, pom)
  if (depth > MAX_DEPTH) return undefined
  const own = [pom, ...poms.filter((each) => each !== pom)]
  for (const each of own) {
    const found = propertyIn(each, property)
    if (found !== undefined) return settingOf(found, each, poms, depth + 1)
  }
  return undefined
}

/** Returns the text of an element without blanks; none with comments or entities, which an edit would remove. */
function spanOf({ text, inner: [from, to] }: XmlElement, pom: Pom) {
  const raw = pom.text.slice(from, to)
  const start = from + raw.length - raw.trimStart().length
  return raw.trim() === text ? { path: pom.path, text, start, end: start + text.length } : undefined
}

function propertyIn({ root }: Pom, name: string): XmlElement | undefined {
  const known = /^(?:project|pom)\.(parent\.)?(groupId|version|artifactId)$/.exec(name)
  if (known !== null) {
    const own = known[1] === undefined ? childOf(root, known[2]!) : undefined
    return own ?? childOf(childOf(root, 'parent'), known[2]!)
  }
  const bases = [root, ...listOf(root, 'profiles', 'profile')]
  return bases.map((base) => childOf(childOf(base, 'properties'), name)).find((each) => each !== undefined)
}
