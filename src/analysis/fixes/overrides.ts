import { membersIn, membersOf, textOfMember } from '../documents/json-members.ts'
import { childOf, type XmlElement } from '../documents/xml.ts'
import type { Edit, Planned, ProjectFile } from './edit.ts'
import { type Pom, parsePom } from './maven-edits.ts'
import type { FixedProject } from './plan-edits.ts'

/** A package that gets a version of its own, whichever package requires it. */
export interface Override {
  /** The registry's spelling. */
  readonly name: string
  readonly to: string
  /** True if the project requires the package itself; npm then accepts only a reference to that requirement. */
  readonly isDirect: boolean
}

/** The member of a package.json that holds overrides. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  npm: ['overrides'],
  bun: ['overrides'],
  yarn: ['resolutions'],
  pnpm: ['pnpm', 'overrides'],
}

/** Returns true if the files of a package manager can set the version of a package that others require. */
export function hasOverrides(id: string): boolean {
  return Object.hasOwn(MEMBERS, id) || id === 'maven' || id === 'gomodules'
}

/** The file that takes the overrides of a project: the root of its workspace, or the topmost POM of the folder. */
export function findOverrideFile({ ecosystem: { id }, files }: FixedProject): ProjectFile | undefined {
  const findFiles = (name: string) => files.filter(({ path }) => path === name || path.endsWith(`/${name}`))
  if (id === 'gomodules') return findFiles('go.mod')[0]
  if (id === 'maven') return topmostPom(files)
  const workspace = findFiles('pnpm-workspace.yaml').find(({ text }) => /^overrides:[ \t]*\r?$/m.test(text))
  if (id === 'pnpm' && workspace !== undefined) return workspace
  return findFiles('package.json').toSorted((a, b) => a.path.length - b.path.length)[0]
}

/** Plans the edits that add overrides to one file, or change those that it has. */
export function planOverrides(id: string, file: ProjectFile, overrides: readonly Override[]): Planned {
  if (id === 'gomodules') return { edits: inGoMod(file, overrides) }
  if (id === 'maven') return inPom(file, overrides)
  if (file.path.endsWith('.yaml')) return { edits: inYaml(file, overrides) }
  return inPackageJson(file, { path: MEMBERS[id]!, overrides, hasReferences: id === 'npm' || id === 'pnpm' })
}

interface JsonOverrides {
  readonly path: readonly string[]
  readonly overrides: readonly Override[]
  /** True for tools that read `$name` as the project's own requirement. */
  readonly hasReferences: boolean
}

function inPackageJson({ path: file, text }: ProjectFile, { path, overrides, hasReferences }: JsonOverrides): Planned {
  const top = membersOf(text, [])
  const last = top.at(-1)
  if (last === undefined) return { problem: 'package.json has no members' }
  const indent = /\n([ \t]+)$/.exec(text.slice(0, top[0]!.at))?.[1]
  const written = overrides.map(({ name, to, isDirect }) => ({
    name,
    value: isDirect && hasReferences ? `$${name}` : `^${to}`,
  }))
  const depth = path.findIndex((_, at) => membersOf(text, path.slice(0, at + 1)).length === 0)
  if (depth >= 0) {
    const isEmpty = membersOf(text, path.slice(0, depth)).some(({ key }) => key === path[depth])
    if (isEmpty) return { problem: `${path.join('.')} of package.json is empty or not an object` }
    const after = depth === 0 ? last : membersOf(text, path.slice(0, depth)).at(-1)!
    const names = path.slice(depth)
    return {
      edits: [
        {
          path: file,
          start: after.end,
          end: after.end,
          text: `,${writeJson(names, written, { indent, depth: depth + 1 })}`,
        },
      ],
    }
  }
  const existing = membersOf(text, path)
  const edits: Edit[] = []
  const added: typeof written = []
  for (const override of written) {
    const member = existing.find(({ key }) => key === override.name)
    const value = member && (textOfMember(text, member) ?? ownValueIn(text, member))
    if (member === undefined) added.push(override)
    else if (value === undefined) return { problem: `the override of ${override.name} has a form that is not changed` }
    else if (!value.text.startsWith('$'))
      edits.push({ path: file, start: value.start, end: value.end, text: override.value })
  }
  const at = existing.at(-1)!.end
  const text_ = added
    .map(({ name, value }) => `,${writeJson([name], value, { indent, depth: path.length + 1 })}`)
    .join('')
  return { edits: added.length === 0 ? edits : [...edits, { path: file, start: at, end: at, text: text_ }] }
}

/** Finds the value for the package itself in an override with rules for packages below it. */
function ownValueIn(text: string, member: Parameters<typeof membersIn>[1]) {
  const own = membersIn(text, member).find(({ key }) => key === '.')
  return own && textOfMember(text, own)
}

interface Layout {
  /** The indentation of one level; undefined for a text on one line. */
  readonly indent: string | undefined
  readonly depth: number
}

/** Writes nested members in the layout of the file. */
function writeJson(
  [name, ...names]: readonly string[],
  value: string | readonly { readonly name: string; readonly value: string }[],
  { indent, depth }: Layout,
): string {
  const gap = (levels: number) => (indent === undefined ? '' : `\n${indent.repeat(levels)}`)
  const start = `${gap(depth)}${JSON.stringify(name)}:${indent === undefined ? '' : ' '}`
  if (typeof value === 'string') return `${start}${JSON.stringify(value)}`
  const below = { indent, depth: depth + 1 }
  const inner =
    names.length > 0
      ? writeJson(names, value, below)
      : value.map((override) => writeJson([override.name], override.value, below)).join(',')
  return `${start}{${inner}${gap(depth)}}`
}

/** Adds lines to `overrides:` of a pnpm-workspace.yaml. */
function inYaml({ path, text }: ProjectFile, overrides: readonly Override[]): Edit[] {
  const heading = /^overrides:[ \t]*\r?\n/m.exec(text)!
  const start = heading.index + heading[0].length
  const block = /^(?:[ \t]+[^\n]*\n?|\r?\n)*/.exec(text.slice(start))![0]
  const indent = /^[ \t]+/.exec(block)?.[0] ?? '  '
  return overrides.map(({ name, to }): Edit => {
    const written = new RegExp(
      String.raw`^[ \t]+["']?${RegExp.escape(name)}["']?:[ \t]*(["']?[^"'\s#]+["']?)`,
      'dm',
    ).exec(block)
    const [from, end] = written?.indices?.[1] ?? []
    if (from === undefined || end === undefined)
      return { path, start, end: start, text: `${indent}'${name}': '^${to}'\n` }
    return { path, start: start + from, end: start + end, text: `'^${to}'` }
  })
}

/** Adds requirements of modules that the project's own packages do not import. */
function inGoMod({ path, text }: ProjectFile, overrides: readonly Override[]): Edit[] {
  const lines = overrides.map(({ name, to }) => `require ${name} ${to.startsWith('v') ? to : `v${to}`} // indirect\n`)
  const gap = text.endsWith('\n') || text === '' ? '\n' : '\n\n'
  return [{ path, start: text.length, end: text.length, text: `${gap}${lines.join('')}` }]
}

/** Follows `<parent>` through the POMs of the folder. */
function topmostPom(files: readonly ProjectFile[]): ProjectFile | undefined {
  const poms = files.flatMap(parsePom)
  const idOf = (element: XmlElement | undefined) => childOf(element, 'artifactId')?.text
  let at = poms.find(({ path }) => path === files[0]?.path)
  for (let steps = 0; at !== undefined && steps < poms.length; steps++) {
    const parent: string | undefined = idOf(childOf(at.root, 'parent'))
    const above: Pom | undefined = parent === undefined ? undefined : poms.find(({ root }) => idOf(root) === parent)
    if (above === undefined || above === at) break
    at = above
  }
  return at
}

/** Adds managed versions, which Maven prefers to those of parents, BOMs and dependencies. */
function inPom(file: ProjectFile, overrides: readonly Override[]): Planned {
  const [pom] = parsePom(file)
  const first = pom?.root.children[0]
  if (pom === undefined || first === undefined) return { problem: `${file.path} cannot be read` }
  const { text, path, root } = pom
  const indentOf = (element: XmlElement) => {
    const tag = text.lastIndexOf('<', element.innerStart - 1)
    const line = text.lastIndexOf('\n', tag) + 1
    return /^[ \t]*$/.test(text.slice(line, tag)) ? text.slice(line, tag) : ''
  }
  const unit = indentOf(first)
  const end = unit === '' && !text.includes('\n') ? '' : text.includes('\r\n') ? '\r\n' : '\n'
  const list = childOf(childOf(root, 'dependencyManagement'), 'dependencies')
  const entry = ({ name, to }: Override) => {
    const [group, artifact] = name.split(':')
    const inner = [`<groupId>${group}</groupId>`, `<artifactId>${artifact}</artifactId>`, `<version>${to}</version>`]
    const lines = [
      `${unit.repeat(3)}<dependency>`,
      ...inner.map((line) => `${unit.repeat(4)}${line}`),
      `${unit.repeat(3)}</dependency>`,
    ]
    return lines.map((line) => `${line}${end}`).join('')
  }
  const entries = overrides.map(entry).join('')
  if (list !== undefined) {
    const at = list.children.length === 0 ? list.innerStart : startOfLine(text, list.innerEnd)
    return { edits: [{ path, start: at, end: at, text: entries }] }
  }
  if (childOf(root, 'dependencyManagement') !== undefined)
    return { problem: `dependencyManagement of ${path} has no list` }
  const [open, close] = [
    ['<dependencyManagement>', 1],
    ['<dependencies>', 2],
  ].map(([tag, depth]) => [
    `${unit.repeat(Number(depth))}${tag}${end}`,
    `${unit.repeat(Number(depth))}${String(tag).replace('<', '</')}${end}`,
  ]) as [[string, string], [string, string]]
  const at = startOfLine(text, root.innerEnd)
  return { edits: [{ path, start: at, end: at, text: `${open[0]}${close[0]}${entries}${close[1]}${open[1]}` }] }
}

/** Returns the start of the line of an end tag, if only blanks are before it. */
function startOfLine(text: string, at: number): number {
  const line = text.lastIndexOf('\n', at - 1) + 1
  return /^[ \t]*$/.test(text.slice(line, at)) ? line : at
}
