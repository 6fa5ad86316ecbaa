import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { toPath } from '#analysis/documents/file-paths.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts'
import { type ContentSums, parseGoSums } from './go-sum.ts'
import {
  findBuildingGo,
  type GoVersionLine,
  type ModFile,
  parseModFile,
  type Replacement,
  toReleaseOfGo,
} from './mod-file.ts'
import { parseModulesTxt, type VendoredModule } from './modules-txt.ts'

/** A go.mod or go.work with its path from the repository's root; the path of a request's files is undefined. */
interface PlacedFile {
  readonly content: ModFile
  readonly path: string | undefined
}

/** The sent files of a project. */
export interface ProjectFiles {
  /** The tested go.mod or go.work. */
  readonly target: ModFile
  /** The main modules: the tested one, or all of its workspace. */
  readonly mains: readonly ModFile[]
  readonly isWorkspace: boolean
  /** Replacements of every main module; folders are relative to the repository's root where files have places. */
  readonly replaces: readonly Replacement[]
  /** Folders of the workspace whose go.mod is not among the files. */
  readonly missingMembers: readonly string[]
  /** Undefined without a vendor/modules.txt. */
  readonly vendored: readonly VendoredModule[] | undefined
  /** True if the vendor/modules.txt is of the whole workspace. */
  readonly isVendoredTogether: boolean
  /** Undefined without a go.sum. */
  readonly sums: ContentSums | undefined
  /** The line that decides the version of the standard library; that of the workspace, if there is one. */
  readonly buildingGo: GoVersionLine | undefined
  /** Returns the go.mod in a folder: by its place, else by its module path. */
  findInFolder(module: { readonly path: string }, folder: string): ModFile | undefined
  readonly filesRead: string[]
}

/** Identifies the files; the target is a go.mod or a go.work. */
export function sortFiles(manifest: Manifest): ProjectFiles {
  const files = identifyFiles('gomodules', manifest)
  const parse = (kind: 'go.mod' | 'go.work'): (PlacedFile & { readonly file: 'target' | number })[] =>
    files
      .filter((file) => file.kind === kind)
      .map(({ text, file }) => ({ content: parseModFile(text, file), path: pathOf(manifest, file), file }))
  const [modules, [workspace, secondWorkspace]] = [parse('go.mod'), parse('go.work')]
  if (secondWorkspace !== undefined)
    throw new Unreadable('Two files of the kind go.work were sent', { file: secondWorkspace.file })
  const sums = files.filter(({ kind }) => kind === 'go.sum')
  const [list, secondList] = files.filter(({ kind }) => kind === 'modules.txt')
  if (secondList !== undefined)
    throw new Unreadable('Two files of the kind modules.txt were sent', { file: secondList.file })
  const vendored = list && parseModulesTxt(list.text, list.file)
  const target = findTarget({ workspace, modules, list: list && { file: list.file, modules: vendored!.modules } })
  const { members, missing } = findMembers(workspace, modules, target)
  const sources = members === undefined ? [target] : [...members, ...(workspace === undefined ? [] : [workspace])]
  const buildingGo = findBuildingGo(
    members === undefined ? [target.content] : [workspace!.content, ...members.map(withoutToolchain)],
  )
  return {
    target: target.content,
    buildingGo,
    mains: (members ?? [target]).map(({ content }) => content),
    isWorkspace: members !== undefined,
    replaces: sources.flatMap(placeReplacements),
    missingMembers: missing,
    vendored: vendored?.modules,
    isVendoredTogether: vendored?.isOfWorkspace ?? false,
    sums: sums.length === 0 ? undefined : parseGoSums(sums),
    findInFolder: (module, folder) =>
      modules.find(({ path, content }) =>
        path === undefined ? content.path === module.path : path === (folder === '' ? 'go.mod' : `${folder}/go.mod`),
      )?.content,
    filesRead: files.map(({ file, kind }) => {
      const name = shownPath(manifest, file) ?? kind
      return file === buildingGo?.file ? `${name} (${describeGo(buildingGo)})` : name
    }),
  }
}

/** Returns a member's go.mod as a build in the workspace reads it: only go.work names the toolchain. */
function withoutToolchain({ content }: PlacedFile): ModFile {
  return { ...content, versionLines: content.versionLines.filter(({ directive }) => directive === 'go') }
}

function describeGo({ directive, version }: GoVersionLine): string {
  const written = directive === 'go' ? `go ${version}` : `toolchain go${version}`
  return `standard library ${toReleaseOfGo(version)} by ${written}`
}

interface FoundFiles {
  readonly workspace: (PlacedFile & { readonly file: 'target' | number }) | undefined
  readonly modules: readonly (PlacedFile & { readonly file: 'target' | number })[]
  readonly list: { readonly file: 'target' | number; readonly modules: readonly VendoredModule[] } | undefined
}

/** Returns the tested file; a lone modules.txt stands for the go.mod that it was made from. */
function findTarget({ workspace, modules, list }: FoundFiles): PlacedFile {
  if (workspace?.file === 'target') return workspace
  if (workspace !== undefined && list?.file === 'target') return workspace
  const target = modules.find(({ file }) => file === 'target')
  // A list that was sent as the target belongs to the go.mod beside it.
  if (target !== undefined || modules.length === 1) return target ?? modules[0]!
  const vendored = list?.modules ?? []
  const requires = vendored.map(({ path, version, isExplicit, line }) => ({
    path,
    version,
    isIndirect: !isExplicit,
    line,
  }))
  const replaces = vendored.flatMap(({ path, version, replacedBy, line }) =>
    replacedBy === undefined ? [] : [{ path, version, by: replacedBy, line }],
  )
  return {
    content: { path: '', requires, replaces, excludes: [], uses: [], versionLines: [], unread: [] },
    path: undefined,
  }
}

/** Returns the members of a workspace that has the target among them; undefined if the target stands alone. */
function findMembers(workspace: PlacedFile | undefined, modules: readonly PlacedFile[], target: PlacedFile) {
  if (workspace === undefined) return { members: undefined, missing: [] }
  const { path, content } = workspace
  if (path === undefined) return { members: modules, missing: unsent(content, modules.length) }
  const missing: string[] = []
  const members = content.uses.flatMap((use) => {
    const place = toPath(`${use}/go.mod`, path)
    const member = modules.find((module) => module.path === place)
    if (member === undefined) missing.push(place ?? use)
    return member ?? []
  })
  const isMember = target === workspace || members.includes(target)
  return isMember ? { members, missing } : { members: undefined, missing: [] }
}

/** Returns the missing members. Files of a request have no folders, so only the number of go.mod files is compared. */
function unsent({ uses }: ModFile, sent: number): readonly string[] {
  if (sent === 0) return uses
  return sent >= uses.length ? [] : [`${uses.length - sent} of the ${uses.length} modules of go.work`]
}

/** Returns the replacements of a file, with folders relative to the repository's root if the file has a path. */
function placeReplacements({ content, path }: PlacedFile): Replacement[] {
  if (path === undefined) return [...content.replaces]
  return content.replaces.map((replace) => {
    const place = replace.by.version === undefined ? toPath(`${replace.by.path}/go.mod`, path) : undefined
    return place === undefined
      ? replace
      : { ...replace, by: { path: place.replace(/\/?go\.mod$/, ''), version: undefined } }
  })
}

function pathOf({ places }: Manifest, file: 'target' | number): string | undefined {
  if (places === undefined || file === 'target') return places?.target
  const path = places.additional[file]
  return path === undefined ? undefined : (toPath(path, places.target) ?? path)
}

function shownPath({ places }: Manifest, file: 'target' | number): string | undefined {
  if (places === undefined) return undefined
  return file === 'target' ? places.target.slice(places.target.lastIndexOf('/') + 1) : places.additional[file]
}
