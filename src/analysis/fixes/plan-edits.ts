import type { Declaration } from '../ecosystems/declaration.ts'
import type { Ecosystem, Manifest } from '../ecosystems/ecosystem.ts'
import type { Edit, Planned, ProjectFile, Upgrade } from './edit.ts'
import { planGradleEdits } from './gradle-edits.ts'
import { planMavenEdits } from './maven-edits.ts'
import { type RangeStyle, raiseGem, raiseRange } from './raise-range.ts'

/** A project's files: the target first, then the additional ones, in the manifest's order. */
export interface FixedProject {
  readonly ecosystem: Pick<Ecosystem, 'id' | 'locate' | 'versions'>
  readonly manifest: Manifest
  readonly files: readonly ProjectFile[]
}

const NO_FIXES: Readonly<Record<string, string>> = {
  sbt: 'build.sbt is not changed; write the version there',
  govendor: 'vendor.json is not changed; update it with govendor',
  sbom: 'a bill of materials describes what was built; change the project itself',
}

/** Plans the edits that make one upgrade in the files of a project. */
export async function planEdits(project: FixedProject, upgrade: Upgrade): Promise<Planned> {
  const { ecosystem, files, manifest } = project
  const refused = NO_FIXES[ecosystem.id]
  if (refused !== undefined) return { problem: refused }
  if (ecosystem.id === 'maven') return planMavenEdits(files, upgrade)
  if (ecosystem.id === 'gradle') return planGradleEdits(files, upgrade)
  const all = (await ecosystem.locate?.(manifest)) ?? []
  const declared = all.filter(
    ({ name, version, file }) => name === upgrade.name && version === undefined && !isLock(fileOf(files, file)),
  )
  if (declared.length === 0) return { problem: 'no manifest of the folder declares it' }
  const planned = declared.map((each) => planOne(each, upgrade, project))
  const edits = planned.flatMap((each) => ('edits' in each ? each.edits : []))
  const [problem] = planned.flatMap((each) => ('problem' in each ? [each] : []))
  // A declaration without a version leaves it to another one, such as a constraint.
  return edits.length > 0 && planned.every((each) => 'edits' in each || each.isOpen)
    ? { edits }
    : (problem ?? { edits })
}

const LOCKS =
  /(?:^|\/)(?:.*\.lock|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pylock\..*toml|modules\.txt)$/

function isLock({ path }: ProjectFile): boolean {
  return LOCKS.test(path)
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
  const raised = raiseRange(styleOf(ecosystem.id, file, range.text), range.text, upgrade.to)
  if ('problem' in raised) return { ...raised, isOpen: false }
  return { edits: [{ path: file.path, start: range.start, end: range.end, text: raised.text }] }
}

function styleOf(id: string, { path }: ProjectFile, range: string): RangeStyle {
  if (['npm', 'yarn', 'pnpm', 'bun'].includes(id)) return 'npm'
  // Lists of PEP 508 begin with an operator that Poetry knows too.
  return id === 'pip' || path.endsWith('Pipfile') || /^(?:===|==|~=|>=|<=|!=|>|<)/.test(range) ? 'pep508' : 'poetry'
}

/** Replaces the version of a `require` in a go.mod. */
function planModule({ path, text }: ProjectFile, { line, name }: Declaration, { to }: Upgrade): PlannedOne {
  const start = startOfLine(text, line)
  const written = text.slice(start).split('\n', 1)[0]!
  const found = /^\s*(?:require\s+)?["`]?(\S+?)["`]?\s+["`]?(v[^\s"`]+)/d.exec(written)
  const [from, end] = found?.indices?.[2] ?? []
  if (found?.[1] !== name || from === undefined || end === undefined) {
    const problem =
      name === 'stdlib'
        ? `raise the toolchain or go line of go.mod to ${to}, and build with that Go`
        : 'a replacement in go.mod sets its version'
    return { problem, isOpen: false }
  }
  return { edits: [{ path, start: start + from, end: start + end, text: to.startsWith('v') ? to : `v${to}` }] }
}

/** Replaces the requirements of a gem, which follow its name in quotes. */
function planGem({ path, text }: ProjectFile, { line, name }: Declaration, { to }: Upgrade): PlannedOne {
  const start = startOfLine(text, line)
  const quoted = RegExp.escape(name)
  const pattern = new RegExp(
    String.raw`^.*?\b(?:gem|add_\w+)\s*\(?\s*(["'])${quoted}\1((?:\s*,\s*(?:\[\s*)?(["'])[^"'\n]*\3)*)`,
    'd',
  )
  const found = pattern.exec(text.slice(start))
  const [from, end] = found?.indices?.[2] ?? []
  const written = found?.[2] ?? ''
  const texts = [...written.matchAll(/(["'])([^"'\n]*)\1/g)]
  if (from === undefined || end === undefined || texts.length === 0) {
    return { problem: `its line names no version; run "bundle update ${name}"`, isOpen: true }
  }
  const raised = raiseGem(
    texts.map((each) => each[2]!),
    to,
  )
  if (raised === undefined) return { problem: `its requirement leaves no room for ${to}`, isOpen: false }
  const quote = texts[0]![1]!
  const first = start + from + texts[0]!.index
  const last = start + from + texts.at(-1)!.index + texts.at(-1)![0].length
  return {
    edits: [{ path, start: first, end: last, text: raised.map((each) => `${quote}${each}${quote}`).join(', ') }],
  }
}

function startOfLine(text: string, line: number): number {
  let start = 0
  for (let at = 1; at < line; at++) start = text.indexOf('\n', start) + 1
  return start
}
