import { version as productVersion } from '#foundation/product.ts'
import { type Bill, type Component, listDependencies, listOmissions, purlOf, ROOT, refOf } from './bill.ts'
import { type Content, LongList } from './long-list.ts'

const DOCUMENT = 'SPDXRef-DOCUMENT'
const PROJECT = 'SPDXRef-project'

export function toSpdxHead({ stored }: Bill, serial: string): Content {
  return {
    SPDXID: DOCUMENT,
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    documentNamespace: `${stored?.url ?? 'urn:gatehouse'}/sbom/${serial}`,
  }
}

/** Returns an SPDX 2.3 document of a stored project. Packages refer to their advisories; SPDX 2.3 has no ratings. */
export function toSpdx(bill: Bill): Content {
  const { name, version, stored, components, coverage } = bill
  const ids = new Map(components.map((component, at) => [refOf(component), `SPDXRef-package-${at + 1}`]))
  const idOf = (ref: string) => (ref === ROOT ? PROJECT : ids.get(ref)!)
  const words = collectWords(components)
  const urls = listAdvisories(bill)
  const omissions = listOmissions(coverage)
  return {
    name: name || ROOT,
    creationInfo: {
      created: `${new Date(stored?.testedAt ?? 0).toISOString().slice(0, 19)}Z`,
      creators: [`Tool: gatehouse-${productVersion}`],
    },
    ...(!coverage.complete && { comment: ['The last test of the project was incomplete.', ...omissions].join('\n') }),
    documentDescribes: [PROJECT],
    packages: new LongList(function* () {
      yield { ...toPackage({ name: name || ROOT, version }, PROJECT), primaryPackagePurpose: 'APPLICATION' }
      for (const [at, component] of components.entries()) {
        yield {
          ...toPackage(component.package, `SPDXRef-package-${at + 1}`),
          licenseDeclared: toDeclared(component, words),
          primaryPackagePurpose: component.project ? 'APPLICATION' : 'LIBRARY',
          externalRefs: [
            ...[purlOf(component) ?? []].flat().map((purl) => ({
              referenceCategory: 'PACKAGE-MANAGER',
              referenceType: 'purl',
              referenceLocator: purl,
            })),
            ...(urls.get(at) ?? []).map((url) => ({
              referenceCategory: 'SECURITY',
              referenceType: 'advisory',
              referenceLocator: url,
            })),
          ],
        }
      }
    }),
    ...(words.size > 0 && { hasExtractedLicensingInfos: [...words].map(toExtracted) }),
    relationships: new LongList(function* () {
      yield { spdxElementId: DOCUMENT, relationshipType: 'DESCRIBES', relatedSpdxElement: PROJECT }
      for (const { ref, dependsOn } of listDependencies(bill)) {
        for (const other of dependsOn) {
          yield { spdxElementId: idOf(ref), relationshipType: 'DEPENDS_ON', relatedSpdxElement: idOf(other) }
        }
      }
    }),
  }
}

function toPackage({ name, version }: { name: string; version: string }, id: string) {
  return {
    SPDXID: id,
    name,
    ...(version !== '' && { versionInfo: version }),
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: 'NOASSERTION',
    copyrightText: 'NOASSERTION',
  }
}

/** Returns identifiers in this document for license texts that are not SPDX expressions. */
function collectWords(components: readonly Component[]): Map<string, string> {
  const words = new Map<string, string>()
  for (const { license } of components) {
    if (license === undefined || license.isSpdx || words.has(license.text)) continue
    words.set(license.text, `LicenseRef-words-${words.size + 1}`)
  }
  // A package's SPDX expression may refer to a license that its files describe.
  for (const { license } of components) {
    for (const own of license?.isSpdx ? license.text.matchAll(/(?<!:)\bLicenseRef-[\w.-]+/g) : []) {
      words.set(own[0], own[0])
    }
  }
  return words
}

function toExtracted([text, licenseId]: [string, string]) {
  return { licenseId, extractedText: text === licenseId ? 'The text is part of the package.' : text }
}

function toDeclared({ license }: Component, words: ReadonlyMap<string, string>): string {
  if (license === undefined) return 'NOASSERTION'
  return license.isSpdx ? license.text : words.get(license.text)!
}

function listAdvisories({ vulnerabilities }: Bill): Map<number, string[]> {
  const urlsByComponent = new Map<number, string[]>()
  for (const { url, components } of vulnerabilities) {
    for (const at of components) urlsByComponent.set(at, [...(urlsByComponent.get(at) ?? []), url])
  }
  return urlsByComponent
}
