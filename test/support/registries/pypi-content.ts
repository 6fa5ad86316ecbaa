import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { parseFileName } from '#analysis/ecosystems/python/packaging/file-name.ts'
import type { PyPiReader } from '#analysis/registries/pypi.ts'

/** An index as data: of each project its versions, of each version what its metadata says. */
export type PyPiContent = Readonly<Record<string, Readonly<Record<string, PyPiContentVersion>> | 'unreachable'>>

export interface PyPiContentVersion {
  /** `Requires-Dist`; null if unknown. */
  readonly requires?: readonly string[] | null | 'unreachable'
  readonly python?: string
  readonly extras?: readonly string[]
  readonly yanked?: true
  readonly license?: string
  /** File names after `name-version`; default: a wheel for every Python 3. */
  readonly files?: readonly string[]
}

export interface PyPiContentSettings {
  /** Indexes that files may name. */
  readonly permitted?: readonly string[]
  readonly onAsked?: (question: string) => void
}

export function pypiReaderOf(
  content: PyPiContent,
  { permitted = [], onAsked = () => {} }: PyPiContentSettings = {},
): PyPiReader {
  const versionsOf = (project: string) => {
    const versions = Object.hasOwn(content, project) ? content[project] : undefined
    if (versions === 'unreachable') throw new RegistryUnreachable('down')
    return versions
  }
  return {
    async project(project, indexes = [null]) {
      onAsked(`${project}${indexes.map((index) => (index === null ? '' : ` ${index}`)).join('')}`)
      const versions = versionsOf(project)
      if (versions === undefined) return undefined
      return {
        files: Object.entries(versions).flatMap(
          ([version, { yanked = false, python, files = ['-py3-none-any.whl'] }]) =>
            files.map((end) => ({
              filename: `${project.replaceAll('-', '_')}-${version}${end}`,
              version,
              yanked,
              hasMetadata: true,
              ...(python === undefined ? {} : { requiresPython: python }),
            })),
        ),
      }
    },
    async metadata({ project, filename }) {
      const version = parseFileName(filename, project)?.version ?? ''
      onAsked(`${project}==${version}`)
      const release = versionsOf(project)?.[version]
      if (release === undefined) return undefined
      const { requires = [], python, extras = [], license } = release
      if (requires === 'unreachable') throw new RegistryUnreachable('down')
      return {
        provides: extras,
        ...(requires === null ? {} : { requiresDist: requires }),
        ...(python === undefined ? {} : { requiresPython: python }),
        ...(license === undefined ? {} : { license }),
      }
    },
    permitted: async (urls) => urls.map((url) => (permitted.includes(url) ? url : undefined)),
  }
}
