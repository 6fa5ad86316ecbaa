import { shorten } from '#analysis/documents/json-document.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import type { Unresolved } from '../../dependency-graph.ts'
import { archiveNamedBy, isPlainAddressOf, isSameVersion, isVersion, type NamedArchive } from './archive-address.ts'

/** The reason for which a lockfile entry cannot be trusted. */
export interface Doubt {
  readonly code: Extract<Unresolved['code'], 'lockfile-contradiction' | 'not-from-registry' | 'version-unknown'>
  readonly reason: string
  /** True if only the names differ: a dependent that requires the archive's own name has an alias. */
  readonly isAboutName: boolean
}

/** Name and version stated by an entry, and the tool that reads the lockfile. */
export interface Stated {
  readonly name: string
  readonly version: string | undefined
  readonly tool: 'npm' | 'yarn' | 'pnpm' | 'bun'
}

/** The package installed for an entry. */
export interface Judged {
  readonly name: string
  readonly version: string
  readonly doubt: Doubt | undefined
}

/** Judges an entry with a web address: its archive is installed, whatever the entry states. */
export function judgeAddress(stated: Stated, address: string): Judged {
  const { name, version } = stated
  if (version !== undefined && isPlainAddressOf(address, { name, version }) && isVersion(version))
    return { name, version, doubt: undefined }
  const archivePackage = archiveNamedBy(address, name)
  if (archivePackage !== undefined) return judgeNamed(stated, archivePackage)
  return {
    name,
    version: version ?? withoutCredentials(address),
    doubt: unreadableVersion(stated) ?? { code: 'not-from-registry', reason: unnamed(address), isAboutName: false },
  }
}

export function judgeNamed(stated: Stated, archivePackage: NamedArchive): Judged {
  const { name, version } = stated
  const isAgreed =
    archivePackage.name === name && (version === undefined || isSameVersion(version, archivePackage.version))
  if (isAgreed) return { name, version: version ?? archivePackage.version, doubt: undefined }
  return { ...archivePackage, doubt: contradiction(stated, archivePackage) }
}

export function unreadableVersion({ version, tool }: Stated): Doubt | undefined {
  if (version === undefined || isVersion(version)) return undefined
  const reason = `The lockfile gives it the invalid version "${shorten(withoutCredentials(version))}". ${again(tool)}`
  return { code: 'version-unknown', reason, isAboutName: false }
}

/** Reports text in place of an address that is neither an address nor a version. */
export function noSource(source: string, tool: Stated['tool']): Doubt {
  const reason = `The lockfile gives it the invalid source "${shorten(withoutCredentials(source))}", neither an address nor a version. ${again(tool)}`
  return { code: 'version-unknown', reason, isAboutName: false }
}

function contradiction({ name, version, tool }: Stated, archivePackage: NamedArchive): Doubt {
  const claim = shorten(withoutCredentials(version === undefined ? name : `${name}@${version}`))
  const archive = shorten(`${archivePackage.name}@${archivePackage.version}`)
  const reason = `The lockfile says ${claim}, but its address leads to ${archive}, which ${tool} installs and which is tested. ${again(tool)}`
  const isAboutName = version === undefined || isSameVersion(version, archivePackage.version)
  return { code: 'lockfile-contradiction', reason, isAboutName }
}

function unnamed(address: string): string {
  const shown = shorten(withoutCredentials(address))
  return `It comes from ${shown}, which names no package and version: the archive may be any package`
}

function again(tool: Stated['tool']): string {
  return `Delete the entry and run ${tool} install to write it again`
}
