import type { Package } from '#analysis/dependency-graph.ts'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { LicenseReader } from '#analysis/registries/licenses.ts'
import type { PyPiReader } from '#analysis/registries/pypi.ts'
import { pep440Versions } from '#analysis/versions/pep440.ts'
import { getDefaultRegistryUrl } from '../default-registries.ts'
import { isNpmPackageName, toPathSegment } from '../npm/package-name.ts'
import { createRegistryClient, type Question, type RegistryClient, type RegistryParts } from '../registry-client.ts'
import { licenseInGem, licenseInManifest } from './license-documents.ts'

export interface LicenseRegistrySettings {
  readonly npm: { readonly url: string | undefined; readonly token: string | undefined }
  readonly rubygems: { readonly url: string | undefined }
  readonly pypi: PyPiReader
}

/** The license of a version does not change. */
const MAX_AGE_MS = 30 * 24 * 3_600_000

/**
 * Reads licenses that the documents for resolution lack from documents about one version: npm's manifest, RubyGems'
 * description, and the metadata of locked Python packages. Maven's resolution documents include licenses; Go has no
 * source.
 */
export function createLicenseRegistry(parts: RegistryParts, settings: LicenseRegistrySettings): LicenseReader {
  const { npm, rubygems, pypi } = settings
  const bounds = { maxAgeMs: MAX_AGE_MS }
  const authorization = npm.token === undefined ? undefined : `Bearer ${npm.token}`
  const manifests = {
    base: toBase(npm.url ?? getDefaultRegistryUrl('npm')),
    client: createRegistryClient(parts, { ...bounds, authorization }),
  }
  const gems = {
    base: toBase(rubygems.url ?? getDefaultRegistryUrl('gem')),
    client: createRegistryClient(parts, bounds),
  }

  return {
    async find(registry, { name, version }) {
      if (registry === 'npm' && isNpmPackageName(name)) {
        const url = `${manifests.base}/${toPathSegment(name)}/${encodeURIComponent(version)}`
        return ask(manifests.client, { url, form: 'npm-license-1', reduce: licenseInManifest })
      }
      if (registry === 'RubyGems' && /^[\w.-]+$/.test(name)) {
        const url = `${gems.base}/api/v2/rubygems/${name}/versions/${encodeURIComponent(version)}.json`
        return ask(gems.client, { url, form: 'gem-license-1', reduce: licenseInGem })
      }
      return registry === 'PyPI' ? findPythonLicense(pypi, { name, version }) : undefined
    },
  }
}

/** Reads the license from a version's wheel, else from its source distribution. */
async function findPythonLicense(pypi: PyPiReader, { name, version }: Package): Promise<string | undefined> {
  const { files } = (await pypi.project(name)) ?? { files: [] }
  const own = files.filter((file) => pep440Versions.compare(file.version, version) === 0)
  const file = own.find(({ filename }) => filename.endsWith('.whl')) ?? own[0]
  if (file === undefined) return undefined
  const { filename } = file
  return (await pypi.metadata({ project: name, version: file.version, filename }))?.license
}

async function ask(
  client: RegistryClient,
  question: Omit<Question<unknown>, 'accept' | 'reduce'> & { reduce(document: unknown): string | undefined },
): Promise<string | undefined> {
  const { value } = await client.ask({
    ...question,
    accept: 'application/json',
    reduce: (document) => question.reduce(parse(document)) ?? null,
  })
  return value ?? undefined
}

function parse(document: Buffer): unknown {
  try {
    return JSON.parse(document.toString('utf8'))
  } catch {
    throw new RegistryUnreachable('the registry’s description of a version is not JSON')
  }
}

function toBase(url: string): string {
  return url.replace(/\/+$/, '')
}
