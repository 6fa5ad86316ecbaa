import { type JsonObject, parseJsonObject } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { parseXml, type XmlElement } from '#analysis/documents/xml.ts'
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts'
import type { FileKind, ReadableKind } from './file-kind.ts'
import { detectIn, getKind, kindOfName } from './index.ts'
import { findDamage, lineOf } from './mangled.ts'
import { type Outline, toOutline } from './outline.ts'
import { isSameFamily, kindsOf, type ReadingEcosystem, readKinds } from './read-kinds.ts'

/** A sent file with its kind. */
export interface IdentifiedFile {
  readonly file: 'target' | number
  readonly text: string
  readonly kind: ReadableKind
  /** Returns the JSON object, parsed once. */
  json(): JsonObject
  /** Returns the root element, parsed once. */
  xml(): XmlElement
}

interface SentFile {
  readonly file: 'target' | number
  readonly text: string
  /** Its path in the repository, if any. */
  readonly path: string | undefined
}

/**
 * Identifies every sent file by content and name. Throws `Unreadable` for a file that the ecosystem does not read in
 * that position, with its kind and advice, and for unidentified files.
 */
export function identifyFiles(
  ecosystem: ReadingEcosystem,
  { target, additional, places }: Manifest,
  /** True for additional files that the reader knows by name alone. */
  isKnown: (file: number) => boolean = () => false,
): [IdentifiedFile, ...IdentifiedFile[]] {
  const others = additional.map((text, file) => ({ file, text, path: places?.additional[file] }))
  const { target: first, additional: second } = kindsOf(ecosystem)
  // The lockfile of a workspace is beside its member, not the target.
  const isPart = places?.member !== undefined
  const accepted: Accepted = isPart ? { target: second, additional: [...first, ...second] } : kindsOf(ecosystem)
  return [
    identify({ file: 'target', text: target, path: places?.target }, ecosystem, accepted),
    ...others.filter(({ file }) => !isKnown(file)).map((other) => identify(other, ecosystem, accepted)),
  ]
}

type Accepted = Readonly<Record<'target' | 'additional', readonly ReadableKind[]>>

function identify(sent: SentFile, ecosystem: ReadingEcosystem, kinds: Accepted): IdentifiedFile {
  const { file, text } = sent
  const outline = toOutline(text)
  const accepted = kinds[file === 'target' ? 'target' : 'additional']
  const kind = findKind(sent, outline, { ecosystem, accepted })
  return {
    file,
    text,
    kind,
    json: () => outline.json() ?? parseJsonObject({ file, text }),
    xml: () => outline.xml() ?? parseXml({ file, text }),
  }
}

interface Expectation {
  readonly ecosystem: ReadingEcosystem
  readonly accepted: readonly ReadableKind[]
}

function findKind(sent: SentFile, outline: Outline, expected: Expectation): ReadableKind {
  const { accepted, ecosystem } = expected
  if (accepted.length === 0)
    throw refusal(sent, `/v1/test/${ecosystem} reads no additional files. Send only the target.`)
  const isAccepted = (id: string): id is ReadableKind => (accepted as readonly string[]).includes(id)
  const nameKind = sent.path === undefined ? undefined : kindOfName(sent.path)
  const detected = detectIn(outline)
  const isNamed = detected !== undefined && (isAccepted(detected.id) || detected.isSure?.(outline) !== false)
  const contentKind = isNamed ? (twinOf(detected, outline, isAccepted) ?? detected) : undefined
  const damage = findDamage(outline)
  if (damage !== undefined) {
    const { what, todo, line } = damage
    throw refusal(sent, `The file is not ${labelsOf(expected)}: ${what}. ${todo}`, line)
  }
  if (nameKind !== undefined && isAccepted(nameKind.id)) {
    if (contentKind === undefined && (nameKind.isPlausible?.(outline) || isBroken(nameKind.id, outline)))
      return nameKind.id
    if (contentKind !== undefined && isSameFamily(contentKind.id, nameKind.id)) return nameKind.id
    // Its statements may look like Gradle's, but Gradle has no files of this name.
    if (nameKind.id === 'project/*.scala' && contentKind?.id === 'build.gradle') return nameKind.id
  }
  if (contentKind === undefined) {
    const broken = accepted.find((kind) => isBroken(kind, outline))
    if (broken !== undefined) return broken
    throw unidentified(sent, outline, expected)
  }
  const contradicts = nameKind !== undefined && nameKind.id !== contentKind.id && isAccepted(nameKind.id)
  if (!isAccepted(contentKind.id) || contradicts) throw foreign(sent, contentKind, expected)
  return contentKind.id
}

/** Settings that Yarn and pnpm spell alike. */
const SPELLED_ALIKE = /^(?:catalogs?|packageExtensions):/m

/** Returns an accepted kind that the text fits as well as the detected one. */
function twinOf(detected: FileKind, outline: Outline, isAccepted: (id: string) => boolean): FileKind | undefined {
  if (detected.id !== '.yarnrc.yml' || isAccepted(detected.id) || !isAccepted('pnpm-workspace.yaml')) return undefined
  return SPELLED_ALIKE.test(outline.head) ? getKind('pnpm-workspace.yaml') : undefined
}

const JSON_KINDS: readonly ReadableKind[] = [
  'cyclonedx',
  'package.json',
  'package-lock.json',
  'vendor.json',
  'Pipfile.lock',
]
const LOCKED = /"locked"\s*:/

/** Returns true for malformed text in the kind's notation: the reader reports the position. */
function isBroken(kind: ReadableKind, { form, json, xml, head }: Outline): boolean {
  const { notation } = getKind(kind)
  if (notation === 'xml' || kind === 'pom.xml' || kind === 'cyclonedx-xml')
    return form === 'xml' && xml() === undefined && !/^\s*<!?[^>]*\bhtml\b/i.test(head)
  if (form !== 'json' || json() !== undefined) return false
  return notation === 'json' || JSON_KINDS.includes(kind) || (kind === 'dependencies.lock' && LOCKED.test(head))
}

function foreign(sent: SentFile, kind: FileKind, expected: Expectation): Unreadable {
  const wants = labelsOf(expected)
  const todo =
    sent.path === undefined ? adviceOn(kind, expected.ecosystem) : 'Replace it, or leave it out of the import.'
  return refusal(sent, `This is ${kind.label}, not ${wants}. ${todo}`)
}

/** Returns advice for a file in the wrong position. */
function adviceOn({ id, instead }: FileKind, ecosystem: ReadingEcosystem): string {
  const takes = (role: 'target' | 'additional') =>
    Object.entries(readKinds).filter(([, kinds]) => (kinds[role] as readonly string[]).includes(id))
  const own = takes('additional').some(([ecosystemId]) => ecosystemId === ecosystem)
  if (own)
    return `Send ${labelsOf({ ecosystem, accepted: kindsOf(ecosystem).target })} as the target and this file in additional.`
  const asTarget = takes('target').map(([ecosystemId]) => `/v1/test/${ecosystemId}`)
  if (asTarget.length > 0) return `Send it to ${asTarget.join(' or ')}.`
  const [beside] = takes('additional')
  if (beside === undefined) return instead ?? 'Send another file.'
  const [route, kinds] = beside
  return `Send ${labelsOf({ ecosystem: route, accepted: kinds.target })} as the target to /v1/test/${route} and this file in additional.`
}

function unidentified(sent: SentFile, outline: Outline, expected: Expectation): Unreadable {
  const { text } = outline
  if (outline.form === 'blank')
    return refusal(sent, `The file is empty, so it is not ${labelsOf(expected)}. Send its text.`, 1)
  // Comments carry no information; pip's and Ruby's begin with a hash.
  const line = lineOf(text, /^[ \t]*[^\s#]/m.exec(text)?.index ?? 0)
  const what = describe(outline)
  return refusal(sent, `The file is not ${labelsOf(expected)}: ${what}. Send the text of the file itself.`, line)
}

function describe({ form, text, json, rootTag }: Outline): string {
  if (form === 'json' && json() !== undefined) return 'no member of the JSON object identifies one'
  if (form === 'xml' && rootTag() !== '')
    return `its root element is <${/^<([^\s/>]{1,100})/.exec(rootTag())?.[1] ?? ''}>`
  if (form === 'text' && isJson(text)) return 'expected a JSON object'
  return 'nothing in it identifies one'
}

/** Returns true for valid JSON of at most 100,000 characters. */
function isJson(text: string): boolean {
  if (text.length > 100_000) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function labelsOf({ accepted }: Expectation): string {
  if (accepted.length <= 2) return accepted.map((kind) => getKind(kind).label).join(' or ')
  return `one of ${accepted.slice(0, -1).join(', ')} and ${accepted.at(-1)}`
}

function refusal({ file }: SentFile, message: string, line?: number): Unreadable {
  return new Unreadable(message, { file, line })
}
