import type { Bill } from '#features/reports/bill.ts'
import { type CycloneDxVersion, cycloneDxVersions, toCycloneDx, toCycloneDxHead } from '#features/reports/cyclonedx.ts'
import { toXmlDocument, writeCycloneDxXml } from '#features/reports/cyclonedx-xml.ts'
import { type Content, writeJson } from '#features/reports/long-list.ts'
import { toOpenVex, toOpenVexHead } from '#features/reports/openvex.ts'
import { toSpdx, toSpdxHead } from '#features/reports/spdx.ts'
import { toUuid } from '#foundation/digest-uuid.ts'

/** A format of a bill of materials: its media type and its writer, which works in slices. */
interface BillFormat {
  readonly mediaType: string
  write(bill: Bill): Promise<string[]>
}

const CYCLONEDX_JSON = 'application/vnd.cyclonedx+json'
const CYCLONEDX_XML = 'application/vnd.cyclonedx+xml'
export const SARIF = 'application/sarif+json'

/** Formats by the value of the parameter `format`. */
export const billFormats: Readonly<Record<string, BillFormat>> = Object.fromEntries([
  ...cycloneDxVersions.toReversed().flatMap((version) => [
    [`cyclonedx${version}+json`, { mediaType: CYCLONEDX_JSON, write: (bill: Bill) => writeCycloneDx(bill, version) }],
    [`cyclonedx${version}+xml`, { mediaType: CYCLONEDX_XML, write: (bill: Bill) => writeXml(bill, version) }],
  ]),
  ['spdx2.3+json', { mediaType: 'application/spdx+json', write: writeSpdx }],
  ['openvex0.2.0+json', { mediaType: 'application/json', write: writeOpenVex }],
])

/** All values of the parameter. SARIF is written from the issues and their paths, not from a bill. */
export const formatNames: readonly string[] = [...Object.keys(billFormats), 'sarif2.1.0+json']

export const mediaTypes: readonly string[] = [
  ...new Set([...Object.values(billFormats).map(({ mediaType }) => mediaType), SARIF]),
]

async function writeCycloneDx(bill: Bill, version: CycloneDxVersion): Promise<string[]> {
  const content = await writeJson(toCycloneDx(bill, version))
  return withHead(toCycloneDxHead(version, toUuid(content)), content)
}

async function writeXml(bill: Bill, version: CycloneDxVersion): Promise<string[]> {
  const content = await writeCycloneDxXml(toCycloneDx(bill, version))
  return toXmlDocument(content, version, toUuid(content))
}

async function writeSpdx(bill: Bill): Promise<string[]> {
  const content = await writeJson(toSpdx(bill))
  return withHead(toSpdxHead(bill, toUuid(content)), content)
}

async function writeOpenVex(bill: Bill): Promise<string[]> {
  const content = await writeJson(toOpenVex(bill))
  return withHead(toOpenVexHead(bill, toUuid(content)), content)
}

function withHead(head: Content, [, ...content]: readonly string[]): string[] {
  return [`${JSON.stringify(head).slice(0, -1)},`, ...content]
}
