import type { ConsoleScope } from '../navigation/paths.ts'
import { call, callData } from './client.ts'
import { idIn, paramsOf } from './place-params.ts'
import { listAll } from './places.ts'
import type { Policy, PolicyInput, PolicyPreview, VexUpload } from './resources.ts'

/** Lists the rules of a place: the current ones with those of its group, or those deleted in the last 30 days. */
export function listPolicies(place: ConsoleScope, which: 'current' | 'deleted'): Promise<readonly Policy[]> {
  const id = idIn(place, 'listOrgPolicies', 'listGroupPolicies')
  const query = { limit: 100, ...(which === 'deleted' ? { deleted: true } : { inherited: true }) }
  return listAll((starting_after) => call(id, { params: paramsOf(place), query: { ...query, starting_after } }))
}

export function getPolicy(place: ConsoleScope, id: string): Promise<Policy> {
  return callData(idIn(place, 'getOrgPolicy', 'getGroupPolicy'), { params: { ...paramsOf(place), policy_id: id } })
}

/** Returns what a rule would change. The server creates nothing. */
export async function previewPolicy(place: ConsoleScope, input: PolicyInput): Promise<PolicyPreview> {
  const answer = await call(idIn(place, 'createOrgPolicy', 'createGroupPolicy'), {
    params: paramsOf(place),
    query: { dry_run: true },
    body: { data: { type: 'policy', attributes: input } },
  })
  return (answer as { meta: { preview: PolicyPreview } }).meta.preview
}

export async function createPolicy(place: ConsoleScope, input: PolicyInput, idempotencyKey: string): Promise<Policy> {
  const answer = await call(idIn(place, 'createOrgPolicy', 'createGroupPolicy'), {
    params: paramsOf(place),
    body: { data: { type: 'policy', attributes: input } },
    idempotencyKey,
  })
  if (!('data' in answer)) throw new Error('The server previewed the rule instead of creating it')
  return answer.data
}

export function updatePolicy(place: ConsoleScope, id: string, input: PolicyInput): Promise<Policy> {
  return callData(idIn(place, 'updateOrgPolicy', 'updateGroupPolicy'), {
    params: { ...paramsOf(place), policy_id: id },
    body: { data: { id, type: 'policy', attributes: input } },
  })
}

export async function deletePolicy(place: ConsoleScope, id: string): Promise<void> {
  await call(idIn(place, 'deleteOrgPolicy', 'deleteGroupPolicy'), { params: { ...paramsOf(place), policy_id: id } })
}

export async function restorePolicy(place: ConsoleScope, id: string): Promise<void> {
  await call(idIn(place, 'restoreOrgPolicy', 'restoreGroupPolicy'), { params: { ...paramsOf(place), policy_id: id } })
}

/** Turns the statements of a VEX document into rules. */
export async function uploadVex(place: ConsoleScope, document: File): Promise<VexUpload> {
  const body = parseJson(await document.text())
  return (await call(idIn(place, 'uploadOrgVex', 'uploadGroupVex'), { params: paramsOf(place), body })).meta
}

function parseJson(text: string): Record<never, never> {
  try {
    return JSON.parse(text) as Record<never, never>
  } catch {
    throw new Error('The document is not JSON. Upload OpenVEX, CycloneDX or CSAF as JSON.')
  }
}
