import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { openArchiveSource } from '#foundation/archives/archive-source.ts'
import { toProblem } from '#foundation/git/discover.ts'
import type { GitRepositories } from '#foundation/git/git-repositories.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { createSlots } from '#foundation/outgoing/slots.ts'
import { Problem } from '#foundation/problem.ts'
import { openFolderSource } from '#foundation/repositories/folder-source.ts'
import type { RepositoryBounds, RepositorySource } from '#foundation/repositories/repository-source.ts'
import type { Workspaces } from '#foundation/repositories/workspaces.ts'
import type { Services } from '#foundation/services.ts'
import type { ArchiveStorage } from './archive-storage.ts'
import { findNewestArchive } from './archives-store.ts'
import { checkTarget } from './check-target.ts'
import { openCredentials } from './credentials.ts'
import type { FoundArchive, LocatedTarget, SourceContext } from './integration-kind.ts'
import { getKind } from './kinds.ts'
import type { FoundTarget, OpenOptions, OpenRepository, Repositories } from './open-repository.ts'
import type { StoredIntegration } from './store.ts'

export interface RepositoryServices extends Pick<Services, 'db' | 'keyring'> {
  readonly outgoing: Outgoing
  readonly git: GitRepositories
  readonly workspaces: Workspaces
  readonly bounds: RepositoryBounds
  readonly localFolders: readonly string[]
  readonly archives: ArchiveStorage
}

/** Also tests connections, with the same requests to the source. */
export interface IntegrationSources extends Repositories {
  /** Tests the connection. Returns a message for the user. Throws `Problem` on failure. */
  test(integration: StoredIntegration, signal?: AbortSignal): Promise<string>
}

/**
 * Concurrent lookups: each takes a process, and callers may repeat them freely. Slow sources of one organization do not
 * block others.
 */
const LOOKED_FOR_AT_A_TIME = 8
const LOOKED_FOR_BY_ORG = 2
const MAX_API_BYTES = 4 * 1024 * 1024
const API_TIMEOUT_MS = 20_000

export function createRepositories(services: RepositoryServices): IntegrationSources {
  const { git, bounds, workspaces } = services
  const slots = createSlots(LOOKED_FOR_AT_A_TIME)
  const slotsOfOrg = createSlots(LOOKED_FOR_BY_ORG)

  async function locate(integration: StoredIntegration, target: unknown, options: OpenOptions): Promise<Placed> {
    const checked = checkTarget(integration.kind, target)
    const context = contextFor(services, integration, options)
    return {
      ...(await getKind(integration.kind, '/type').locate(context, checked.target as never)),
      branch: checked.branch,
    }
  }

  return {
    check: (integration, target) => checkTarget(integration.kind, target),

    async find(integration, target, options = {}) {
      const located = await locate(integration, target, options)
      const { place, branch } = located
      if (place.kind === 'git') {
        const { signal } = options
        const looking = () =>
          slots.run('find', { signal, party: integration.orgId }, () =>
            git.find(place.location, { ...options, branch }),
          )
        const resolved = await slotsOfOrg.run(integration.orgId, { signal }, looking)
        return toFound(integration, located, { ...resolved, reference: resolved.branch, revision: resolved.commit })
      }
      const revision = place.kind === 'archive' ? place.archive.digest : null
      return toFound(integration, located, { reference: null, revision, isPrivate: true })
    },

    async open(integration, target, options = {}): Promise<OpenRepository> {
      const located = await locate(integration, target, options)
      const { place, branch } = located
      if (place.kind === 'git') {
        const { resolved, source } = await git.open(place.location, { ...options, branch })
        const read = { ...resolved, reference: resolved.branch, revision: resolved.commit }
        return { resolved: toFound(integration, located, read), source }
      }
      const source =
        place.kind === 'folder'
          ? await openFolderSource(place, bounds)
          : await openStoredArchive(services, place.archive, options.signal)
      const read = { reference: null, revision: source.revision, isPrivate: true }
      return { resolved: toFound(integration, located, read), source }
    },

    test: (integration, signal) =>
      getKind(integration.kind, '/type').test(contextFor(services, integration, { signal })),
  }

  async function openStoredArchive(
    { archives }: RepositoryServices,
    archive: FoundArchive,
    signal: AbortSignal | undefined,
  ): Promise<RepositorySource> {
    const folder = await workspaces.make()
    try {
      const path = join(folder, 'archive')
      await writePieces(archives, archive, { path, signal })
      const { digest, size_bytes: sizeBytes } = archive
      const onClose = () => workspaces.remove(folder)
      return await openArchiveSource({ path, digest, sizeBytes, bounds, onClose }, signal)
    } catch (error) {
      await workspaces.remove(folder)
      throw error
    }
  }
}

type Placed = LocatedTarget & { readonly branch: string | undefined }

function toFound(
  { kind }: StoredIntegration,
  { sourceKey, displayName, url }: LocatedTarget,
  { reference, revision, isPrivate }: Pick<FoundTarget, 'reference' | 'revision' | 'isPrivate'>,
): FoundTarget {
  return { origin: kind, sourceKey, displayName, url, isPrivate, reference, revision }
}

function contextFor(services: RepositoryServices, integration: StoredIntegration, options: OpenOptions): SourceContext {
  const { db, keyring, outgoing, localFolders } = services
  return {
    integration,
    baseUrl: integration.baseUrl ?? getKind(integration.kind, '/type').ownBaseUrl,
    credentials: openCredentials(keyring, integration),
    localFolders,
    revision: options.revision,
    async ask(url, headers = {}) {
      try {
        const accept = 'application/json'
        const bounds = { maxBytes: MAX_API_BYTES, timeoutMs: API_TIMEOUT_MS, signal: options.signal }
        const { status, bytes } = await outgoing.get(url, { headers, accept, ...bounds })
        if (status === 429 || status >= 500)
          throw new Problem('repository-unreachable', `The source returned HTTP ${status}. Try again later.`)
        return { status, json: parseJson(bytes) }
      } catch (error) {
        throw toProblem(error)
      }
    },
    async findArchive(query) {
      const row = await findNewestArchive(db, integration.id, query)
      if (row) return row
      throw new Problem('repository-unreadable', 'The archive does not exist. Send it again.')
    },
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/** Writes the stored pieces to a file and verifies their digest. */
async function writePieces(
  archives: ArchiveStorage,
  archive: FoundArchive,
  { path, signal }: { path: string; signal: AbortSignal | undefined },
): Promise<void> {
  const hash = createHash('sha256')
  await using file = await open(path, 'wx', 0o600)
  for await (const piece of archives.readPieces(archive, signal)) {
    if (signal?.aborted) throw new Problem('unavailable', 'Reading the archive was stopped')
    hash.update(piece)
    await file.writeFile(piece)
  }
  if (hash.digest('hex') === archive.digest) return
  throw new Problem('repository-unreadable', 'The archive does not exist. Send it again.')
}
