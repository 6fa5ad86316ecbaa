import type { Org } from '#foundation/access/caller.ts'
import { type OrgChange, recordAudit } from '#foundation/audit/record.ts'
import { shareLock } from '#foundation/db/transaction-lock.ts'
import { Problem } from '#foundation/problem.ts'
import { saveIssueCounts } from '../issue-index/counts/issue-counts-store.ts'
import { moveIgnores } from '../issue-index/ignores/ignored-store.ts'
import { changeProjectCounts, noteOrgPackages } from '../issue-index/packages/org-packages-store.ts'
import { findLabels } from '../issue-index/packages/package-labels-store.ts'
import { evaluateProjects } from '../issue-index/policies/evaluate-policies.ts'
import { noteRatedIssues } from '../issue-index/policies/severities-store.ts'
import { findOrCreateTarget } from '../issue-index/recording/record-store.ts'
import { findOrCreateOrgNumber, findOrgNumber, moveProjectPackages } from '../issue-index/storage/packages-store.ts'
import { moveUpgrades } from '../issue-index/upgrades/upgrades-store.ts'
import { isMember, lockProject, type ProjectRow, updateProject } from './store.ts'
import { getTarget } from './targets-store.ts'

/**
 * Moves a project to another organization, with its history and ignores, to a target of the same source. The
 * integration stays, and so does an owner without membership there.
 */
export async function moveProject(change: OrgChange, id: string, to: Org): Promise<void> {
  const { tx, org, at } = change
  await shareLock(tx, 'known-issues')
  const project = await lockProject(tx, org.id, { id, at })
  if (to.id === org.id) return
  const target = await getTarget(tx, org.id, project.target_id)
  const targetId = await findOrCreateTarget(
    tx,
    {
      orgId: to.id,
      integrationId: null,
      origin: target.origin,
      sourceKey: target.source_key,
      displayName: target.display_name,
      url: target.url,
      isPrivate: target.is_private === 1,
    },
    at,
  )
  const staysOwner = project.owner_id !== null && (await isMember(tx, { userId: project.owner_id, orgId: to.id }))
  await updateProject(tx, id, {
    org_id: to.id,
    target_id: targetId,
    owner_id: staysOwner ? project.owner_id : null,
  })
  const newlyListed = await movePackages(change, project, to)
  await moveIgnores(tx, project.number, to.id)
  await evaluateProjects(tx, [project.number], at)
  const movedFrom = { orgId: org.id, targetId: project.target_id }
  await saveIssueCounts(tx, { numbers: [project.number], newlyListed, movedFrom }, at)
  await moveUpgrades(tx, project.number, { from: org.id, to: to.id })
  const states = { before: { name: project.name, org_id: org.id }, after: { name: project.name, org_id: to.id } }
  for (const place of [org, to]) {
    await recordAudit(change, { id: project.id, org: place }, { action: 'project.move', ...states })
  }
}

/** Returns the packages with issues that the other organization's list did not have before. */
async function movePackages({ tx, org, at }: OrgChange, { number }: ProjectRow, to: Org): Promise<readonly number[]> {
  const from = await findOrgNumber(tx, org.id)
  const orgNumber = await findOrCreateOrgNumber(tx, to.id)
  const packages = await moveProjectPackages(tx, number, orgNumber)
  const newlyListed = await noteRatedIssues(tx, { orgNumber, packages, at })
  const labels = from === undefined ? new Map() : await findLabels(tx, from, packages)
  await noteOrgPackages(tx, { orgNumber, packages, labels })
  const left = from === undefined ? [] : [{ orgNumber: from, packages, by: -1 as const }]
  await changeProjectCounts(tx, [{ orgNumber, packages, by: 1 }, ...left])
  return newlyListed
}

export function noSuchDestination(id: string): Problem {
  return new Problem(
    'not-found',
    `Org ${id} was not found or you may not have the correct permissions to access the org.`,
    { source: { pointer: '/targetOrgId' } },
  )
}
