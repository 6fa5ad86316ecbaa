import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { PyPiMetadata } from '#analysis/registries/pypi.ts'
import type { ArchivedFile } from './archived-file.ts'
import { parseCoreMetadata } from './core-metadata.ts'
import { requirementsOfEgg } from './egg-requires.ts'
import { filesOfTar } from './tar.ts'
import { filesOfZip } from './zip-files.ts'

const unpack = promisify(gunzip)
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024
/** Words with which a build script, or a tool that it calls, may declare dependencies. */
const declaresDependencies = /_requires?\b|\bpbr\b|\bd2to1\b|\brequirements?\b|\*\*|\bexec(?:file)?\b/

/** The files of a source distribution that describe its dependencies. */
interface DescribingFiles {
  readonly pkgInfo: string | undefined
  /** The dependencies that setuptools recorded when it built the distribution; undefined if there are none. */
  readonly requires: string | undefined
  readonly isMadeBySetuptools: boolean
  /** `setup.py` and `setup.cfg`, unless there is a pyproject.toml. */
  readonly scripts: readonly string[]
}

/** Returns true for supported archive names. */
export function isReadable(filename: string): boolean {
  return /\.(?:tar\.gz|tgz|zip)$/i.test(filename)
}

/**
 * Reads a source distribution's dependencies without building it: from PKG-INFO if it is final (PEP 643) or lists some;
 * else from the list that setuptools writes if there are any; else none, if its build script does not mention
 * dependencies. Otherwise they are unknown.
 */
export async function parseSdist(document: Buffer, filename: string, what: string): Promise<PyPiMetadata> {
  const files = findDescribingFiles(await listFiles(document, filename))
  if (files.pkgInfo === undefined) return { provides: [] }
  const { isStatic, requiresDist, ...core } = parseCoreMetadata(files.pkgInfo, what)
  if (isStatic || requiresDist.length > 0) return { ...core, requiresDist }
  if (files.requires !== undefined) return { ...core, ...requirementsOfEgg(files.requires) }
  const declaresNone = files.scripts.length > 0 && !files.scripts.some((script) => declaresDependencies.test(script))
  return files.isMadeBySetuptools || declaresNone ? { ...core, requiresDist: [] } : core
}

async function listFiles(document: Buffer, filename: string): Promise<readonly ArchivedFile[]> {
  try {
    if (/\.zip$/i.test(filename)) return filesOfZip(document)
    return await filesOfTar(await unpack(document, { maxOutputLength: MAX_UNPACKED_BYTES }))
  } catch {
    // The archive is not of the type in its name, or is too large.
    return []
  }
}

function findDescribingFiles(files: readonly ArchivedFile[]): DescribingFiles {
  const inRoot = (name: string) => files.find(({ parts }) => parts.length === 2 && parts[1] === name)
  const inEgg = files.filter(({ parts }) => parts.length <= 4 && parts.at(-2)?.endsWith('.egg-info') === true)
  const egg = (name: string) => inEgg.find(({ parts }) => parts.at(-1) === name)
  const scripts = inRoot('pyproject.toml') === undefined ? [inRoot('setup.py'), inRoot('setup.cfg')] : []
  return {
    pkgInfo: (inRoot('PKG-INFO') ?? egg('PKG-INFO'))?.read(),
    requires: egg('requires.txt')?.read(),
    isMadeBySetuptools: inEgg.length > 0,
    scripts: scripts.flatMap((file) => (file === undefined ? [] : [file.read()])),
  }
}
