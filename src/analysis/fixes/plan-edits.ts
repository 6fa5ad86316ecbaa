import { isLockfile } from '../discovery/projects-in-tree/lockfiles.ts'
import { membersIn, membersOf, textOfMember } from '../documents/json-members.ts'
import type { Declaration } from '../ecosystems/declaration.ts'
import type { Ecosystem, Manifest } from '../ecosystems/ecosystem.ts'
import type { Edit, Planned, ProjectFile, Upgrade } from './edit.ts'
import { planGradleEdits } from './gradle-edits.ts'
import { planMavenEdits } from './maven-edits.ts'
import { isMet, type Raised, type RangeStyle, raiseGem, raiseRange } from './raise-range.ts'

/** A project's files: the target first, then the additional ones, in the manifest's order. */
export interface FixedProject {
  readonly ecosystem: Pick<Ecosystem, 'id' | 'locate' | 'versions' | 'raiseRange' | 'noEdits'>
  readonly manifest: Manifest
  readonly files: readonly ProjectFile[]
}

/** The problem of a package that only other packages require. */
export const NOT_DECLARED = 'no manifest of the folder declares it'

/** Plans the edits that make one upgrade in the files of a project. */
export async function planEdits(project: FixedProject, upgrade: Upgrade): Promise<Planned> {
  const { ecosystem, files, manifest } = project
  if (ecosystem.noEdits !== undefined) return { problem: ecosystem.noEdits }
  if (ecosystem.id === 'maven') return planMavenEdits(files, upgrade)
  if (ecosystem.id === 'gradle') return planGradleEdits(files, upgrade)
  const all = (await ecosystem.locate?.(manifest)) ?? []
  const declared = all.filter(
    ({ name, version, file }) => name === upgrade.name && version === undefined && !isUnchanged(fileOf(files, file)),
  )
  if (declared.length === 0) return { problem: NOT_DECLARED }
  const planned = thatAllow(declared, upgrade, project).map((declaration) => planOne(declaration, upgrade, project))
  const made = planned.flatMap((plannedOne) => ('edits' in plannedOne ? plannedOne.edits : []))
  const edits = [...new Map(made.map((edit) => [`${edit.path}:${edit.start}`, edit])).values()]
  const [problem] = planned.flatMap((plannedOne) => ('problem' in plannedOne ? [plannedOne] : []))
  // A declaration without a version takes it from another one, such as a constraint.
  return edits.length > 0 && planned.every((plannedOne) => 'edits' in plannedOne || plannedOne.isOpen)
    ? { edits }
    : (problem ?? { edits })
}

/**
 * Omits declarations that do not allow the version in use, such as those of another workspace or for another platform.
 * If none allows it, the lockfile is stale, and all count.
 */
function thatAllow(declared: readonly Declaration[], { from }: Upgrade, { ecosystem, files }: FixedProject) {
  const allows = ({ file, range }: Declaration) =>
    range !== undefined &&
    (ecosystem.raiseRange === undefined
      ? isMet(styleOf(ecosystem.id, fileOf(files, file), range.text), range.text, from)
      : ecosystem.versions.satisfies(from, range.text))
  return declared.some(allows)
    ? declared.filter((declaration) => declaration.range === undefined || allows(declaration))
    : declared
}

/** Returns true for files that tools write. */
function isUnchanged({ path }: ProjectFile): boolean {
  return isLockfile(path) || /(?:\.lock|(?:^|\/)pylock\..*toml|(?:^|\/)modules\.txt)$/.test(path)
}

function fileOf(files: readonly ProjectFile[], file: Declaration['file']): ProjectFile {
  return files[file === 'target' ? 0 : file + 1]!
}

type PlannedOne = { readonly edits: readonly Edit[] } | { readonly problem: string; readonly isOpen: boolean }

function planOne(declaration: Declaration, upgrade: Upgrade, { ecosystem, files }: FixedProject): PlannedOne {
  const file = fileOf(files, declaration.file)
  if (ecosystem.id === 'gomodules') return planModule(file, declaration, upgrade)
  if (ecosystem.id === 'rubygems') return planGem(file, declaration, upgrade)
  const { range } = declaration
  if (range === undefined || range.text === '')
    return {
      problem: 'its line has no version that can be replaced (none, or hashes too); its tool writes it',
      isOpen: true,
    }
  const { compare, isValid } = ecosystem.versions
  if (isValid(range.text) && compare(range.text, upgrade.to) >= 0) {
    return { problem: 'the manifest has it already; renew the lockfile', isOpen: false }
  }
  const raised =
    ecosystem.raiseRange === undefined
      ? raiseRange(styleOf(ecosystem.id, file, range.text), range.text, upgrade.to)
      : raiseOwn(ecosystem, range.text, upgrade.to)
  if ('problem' in raised) return { ...raised, isOpen: false }
  const same = ecosystem.id === 'npm' ? overridesOf(file, upgrade.name, range.text) : []
  return { edits: [range, ...same].map(({ start, end }) => ({ path: file.path, start, end, text: raised.text })) }
}

/** Judges a raised range: it must differ from the written one and allow the version. */
function raiseOwn({ raiseRange, versions }: FixedProject['ecosystem'], written: string, to: string): Raised {
  const raised = raiseRange?.(written, to)
  if (raised !== undefined && raised !== written && versions.satisfies(to, raised)) return { text: raised }
  if (versions.satisfies(to, written)) return { problem: `"${written}" allows ${to} already; renew the lockfile` }
  return { problem: `the range "${written}" leaves no room for ${to}` }
}

/** Finds the override of a direct dependency: npm requires that both have the same text. */
function overridesOf({ path, text }: ProjectFile, name: string, range: string) {
  if (!path.endsWith('package.json')) return []
  const override = membersOf(text, ['overrides']).find(({ key }) => key === name)
  if (override === undefined) return []
  const own = membersIn(text, override).find(({ key }) => key === '.')
  const written = textOfMember(text, own ?? override)
  return written?.text === range ? [written] : []
}

function styleOf(id: string, { path }: ProjectFile, range: string): RangeStyle {
  if (['npm', 'yarn', 'pnpm', 'bun'].includes(id)) return 'npm'
  // PEP 508 specifiers begin with an operator; Poetry reads these operators too.
  return id === 'pip' || path.endsWith('Pipfile') || /^(?:===|==|~=|>=|<=|!=|>|<)/.test(range) ? 'pep508' : 'poetry'
}

/** Replaces the version of a `require` in a go.mod, or that of the replacement that sets it. */
function planModule({ path, text }: ProjectFile, { line, name }: Declaration, { from, to }: Upgrade): PlannedOne {
  const version = to.startsWith('v') ? to : `v${to}`
  const [set] = replacementsBy(text, { name, from })
  if (set !== undefined) return { edits: [{ path, start: set[0], end: set[1], text: version }] }
  const start = startOfLine(text, line)
  const written = text.slice(start).split('\n', 1)[0]!
  const match = /^\s*(?:require\s+)?["`]?(\S+?)["`]?\s+["`]?(v(?:(?!\/\/)[^\s"`])+)/d.exec(written)
  const [begin, end] = match?.indices?.[2] ?? []
  if (match?.[1] !== name || begin === undefined || end === undefined) {
    const problem =
      name === 'stdlib'
        ? `raise the toolchain or go line of go.mod to ${to}, and build with that Go`
        : 'a replacement in go.mod sets its version'
    return { problem, isOpen: false }
  }
  return { edits: [{ path, start: start + begin, end: start + end, text: version }] }
}

/** Finds `=> name version` outside of comments. */
function replacementsBy(text: string, { name, from }: Pick<Upgrade, 'name' | 'from'>): [number, number][] {
  const version = from.startsWith('v') ? from : `v${from}`
  const pattern = String.raw`^(?:(?!\/\/).)*?=>\s*["\x60]?${RegExp.escape(name)}["\x60]?\s+["\x60]?(${RegExp.escape(version)})(?![^\s"\x60\/])`
  return [...text.matchAll(new RegExp(pattern, 'dgm'))].map(({ indices }) => indices![1]!)
}

/** Replaces the requirements of a gem, which follow its name in quotes, each in its place. */
function planGem({ path, text }: ProjectFile, { line, name }: Declaration, { to }: Upgrade): PlannedOne {
  const start = startOfLine(text, line)
  const quoted = RegExp.escape(name)
  const pattern = new RegExp(
    String.raw`^.*?\b(?:gem|add_\w+)\s*\(?\s*(["'])${quoted}\1((?:\s*,\s*(?:\[\s*)?(["'])[^"'\n]*\3)*)`,
    'd',
  )
  const match = pattern.exec(text.slice(start))
  const [from] = match?.indices?.[2] ?? []
  const written = [...(match?.[2] ?? '').matchAll(/(["'])([^"'\n]*)\1/g)]
  if (from === undefined || written.length === 0) {
    return { problem: `its line names no version; run "bundle update ${name}"`, isOpen: true }
  }
  const raised = raiseGem(
    written.map((match) => match[2]!),
    to,
  )
  if (raised === undefined) return { problem: `its requirement leaves no room for ${to}`, isOpen: false }
  const edits = written.map(({ 0: whole, 1: quote, index }, at): Edit => {
    const first = start + from + index
    const texts = raised[at]!.map((requirement) => `${quote}${requirement}${quote}`)
    return { path, start: first, end: first + whole.length, text: texts.join(', ') }
  })
  return { edits: edits.filter((edit) => text.slice(edit.start, edit.end) !== edit.text) }
}

function startOfLine(text: string, line: number): number {
  let start = 0
  for (let at = 1; at < line; at++) start = text.indexOf('\n', start) + 1
  return start
}
