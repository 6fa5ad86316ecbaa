import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { childOf, type XmlElement } from '#analysis/documents/xml.ts'

const OF_BOTH =
  'modules subprojects distributionManagement properties dependencyManagement dependencies repositories pluginRepositories build reports reporting'
/** Elements of model versions 4.0.0 to 4.2.0 (Maven's POM reference). */
const OF_PROJECT = new Set(
  `${OF_BOTH} modelVersion parent groupId artifactId version packaging name description url childProjectUrlInheritAppendPath inceptionYear organization licenses developers contributors mailingLists mixins prerequisites scm issueManagement ciManagement profiles`.split(
    ' ',
  ),
)
const OF_PROFILE = new Set(`${OF_BOTH} id activation`.split(' '))
const OF_DEPENDENCY = new Set(
  'groupId artifactId version type classifier scope systemPath exclusions optional'.split(' '),
)
/** List elements with their only valid child. */
const LISTS: Readonly<Record<string, string>> = {
  dependencies: 'dependency',
  modules: 'module',
  subprojects: 'subproject',
  profiles: 'profile',
  exclusions: 'exclusion',
}

/**
 * Refuses project POMs that Maven's strict model reader refuses, as far as dependencies may hide behind the error:
 * duplicate elements, of which only one would be read, unknown elements, and text or entities between elements.
 */
export function refuseMalformed(root: XmlElement, file: 'target' | number): void {
  checkModel(root, OF_PROJECT)
  for (const profile of childrenIn(root, 'profiles')) checkModel(profile, OF_PROFILE)

  function checkModel(element: XmlElement, allowed: ReadonlySet<string>): void {
    checkElement(element, allowed)
    checkElement(childOf(element, 'dependencyManagement'), new Set(['dependencies']))
    for (const list of ['modules', 'subprojects', 'profiles']) checkList(childOf(element, list))
    for (const dependency of [
      ...checkList(childOf(element, 'dependencies')),
      ...checkList(childOf(childOf(element, 'dependencyManagement'), 'dependencies')),
    ]) {
      checkElement(dependency, OF_DEPENDENCY)
      checkList(childOf(dependency, 'exclusions'))
    }
  }

  function checkElement(element: XmlElement | undefined, allowed: ReadonlySet<string>): void {
    if (element === undefined) return
    checkText(element)
    const seen = new Set<string>()
    for (const { name, line } of element.children) {
      if (!allowed.has(name))
        throw fault(`Maven knows no <${shorten(name)}> in <${element.name}>. Correct its name`, line)
      if (seen.has(name)) throw fault(`<${element.name}> has a second <${name}>. Put both into one`, line)
      seen.add(name)
    }
  }

  function checkList(list: XmlElement | undefined): readonly XmlElement[] {
    if (list === undefined) return []
    checkText(list)
    const other = list.children.find(({ name }) => name !== LISTS[list.name])
    if (other === undefined) return list.children
    throw fault(`Maven knows no <${shorten(other.name)}> in <${list.name}>. Correct its name`, other.line)
  }

  function checkText({ name, text, line }: XmlElement): void {
    if (text !== '') throw fault(`<${name}> holds the text "${shorten(text)}" beside its elements. Remove it`, line)
  }

  function fault(message: string, line: number): Unreadable {
    return new Unreadable(`The POM is malformed: ${message}`, { file, line })
  }
}

function childrenIn(root: XmlElement, list: string): readonly XmlElement[] {
  return childOf(root, list)?.children ?? []
}
