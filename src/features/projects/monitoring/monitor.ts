import { findOrCreateTarget } from '#features/issue-index/recording/record-store.ts'
import { recordTest } from '#features/issue-index/recording/record-test.ts'
import type { PackedSource } from '#features/issue-index/storage/packed-state.ts'
import { type OrgChange, recordAudit } from '#foundation/audit/record.ts'
import type { ProjectTest } from '#scanning/results/project-form.ts'
import { type Changed, editProject, toAudited } from '../change-project.ts'
import { getProject } from '../store.ts'

export interface Monitoring {
  /** `cli` and `api` are values by which clients filter. */
  readonly origin: 'cli' | 'api'
  readonly name: string
  readonly target: MonitoredTarget
  readonly targetFile: string | null
  readonly targetReference: string | null
  readonly source: PackedSource
  /** Labels to set; undefined keeps the present ones. */
  readonly labels: Pick<Changed, 'tags' | 'business_criticality' | 'environment' | 'lifecycle'>
}

export interface MonitoredTarget {
  readonly sourceKey: string
  readonly displayName: string
  readonly url: string | null
}

/**
 * Returns the target: the repository without secrets in its URL, or, without a repository, the client's name for the
 * project.
 */
export function toTarget(origin: 'cli' | 'api', name: string, remoteUrl: string | undefined): MonitoredTarget {
  const url = remoteUrl === undefined ? undefined : withoutSecrets(remoteUrl)
  if (url === undefined) return { sourceKey: `${origin}:name:${name}`, displayName: name, url: null }
  return { sourceKey: `${origin}:${url.toLowerCase().replace(/(\.git)?\/*$/, '')}`, displayName: shortName(url), url }
}

/**
 * Removes credentials from a URL. The user of git's short SSH form is public. Other text with a name and a password
 * before the host is not stored.
 */
function withoutSecrets(text: string): string | undefined {
  const short = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)([^\s?#@]+)$/.exec(text)
  if (short) return `ssh://${short[1]}/${short[2]}`
  const url = URL.parse(text)
  if (!url || url.hostname === '') return undefined
  url.username = ''
  url.password = ''
  url.search = ''
  url.hash = ''
  return url.href
}

function shortName(url: string): string {
  const path = URL.parse(url)?.pathname ?? url
  return path.replace(/^\/+|(\.git)?\/*$/g, '') || url
}

export interface StoredMonitoring {
  readonly projectId: string
  readonly name: string
}

/** Stores a tested graph as a project, or updates the one with the same name and place. */
export async function storeMonitoring(
  change: OrgChange,
  monitoring: Monitoring,
  test: ProjectTest,
): Promise<StoredMonitoring> {
  const { tx, org, actor, at } = change
  const { origin, target, name, targetFile, targetReference, source, labels } = monitoring
  const input = { orgId: org.id, integrationId: null, origin, isPrivate: true, ...target }
  const targetId = await findOrCreateTarget(tx, input, at)
  const place = { orgId: org.id, targetId, type: test.type, targetFile, targetReference, name, origin }
  const { projectId, isNew } = await recordTest(tx, place, {
    test,
    source,
    contentDigest: null,
    revision: null,
    cause: 'monitor',
    by: { id: actor.id ?? null, name: actor.name },
    at,
  })
  if (isNew) {
    const project = await getProject(tx, org.id, projectId)
    await recordAudit(
      change,
      { id: project.id, org: change.org },
      { action: 'project.create', after: toAudited(project) },
    )
  }
  if (Object.keys(labels).length > 0) await editProject(change, projectId, () => labels)
  return { projectId, name }
}
