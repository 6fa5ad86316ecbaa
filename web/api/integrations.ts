import type { Operations } from '../../src/client/api/operations.generated.ts'
import { type Answer, call } from './client.ts'
import { readAll } from './places.ts'
import { upload } from './upload.ts'

export type Integration = Answer<'getIntegration'>['data']
export type NewAttributes = NonNullable<Operations['createIntegration']['body']>['data']['attributes']
export type ChangedAttributes = NonNullable<Operations['updateIntegration']['body']>['data']['attributes']
/** Supported kinds; the interface has more. */
export type Kind = Integration['attributes']['kind']
export type Credentials = NonNullable<NewAttributes['credentials']>
export type Archive = Answer<'listArchives'>['data'][number]

const type = 'integration'

export function listIntegrations(orgId: string, query: Operations['listIntegrations']['query']) {
  return call('listIntegrations', { params: { org_id: orgId }, query })
}

/** Lists integrations, up to a limit, as options of a field. */
export async function listAllIntegrations(orgId: string): Promise<readonly Integration[]> {
  return (await readAll((starting_after) => listIntegrations(orgId, { limit: 100, starting_after }))).all
}

export async function readIntegration(orgId: string, id: string): Promise<Integration> {
  return (await call('getIntegration', { params: { org_id: orgId, integration_id: id } })).data
}

export async function createIntegration(
  orgId: string,
  attributes: NewAttributes,
  idempotencyKey: string,
): Promise<Integration> {
  const body = { data: { type, attributes } } as const
  return (await call('createIntegration', { params: { org_id: orgId }, body, idempotencyKey })).data
}

export async function changeIntegration(orgId: string, id: string, attributes: ChangedAttributes): Promise<void> {
  const body = { data: { id, type, attributes } } as const
  await call('updateIntegration', { params: { org_id: orgId, integration_id: id }, body })
}

export async function deleteIntegration(orgId: string, id: string): Promise<void> {
  await call('deleteIntegration', { params: { org_id: orgId, integration_id: id } })
}

/** Tests the connection; with a target, also looks for it. */
export async function testIntegration(orgId: string, id: string, target: Readonly<Record<string, string>> | undefined) {
  const body = { data: { type: 'integration_test', attributes: target === undefined ? {} : { target } } } as const
  return (await call('testIntegration', { params: { org_id: orgId, integration_id: id }, body })).data.attributes
}

export function listArchives(orgId: string, id: string, query: Operations['listArchives']['query']) {
  return call('listArchives', { params: { org_id: orgId, integration_id: id }, query })
}

export async function deleteArchive(orgId: string, id: string, archiveId: string): Promise<void> {
  await call('deleteArchive', { params: { org_id: orgId, integration_id: id, archive_id: archiveId } })
}

interface SentArchive {
  readonly name: string
  readonly file: File
  readonly onProgress: (sentBytes: number) => void
  readonly signal: AbortSignal
}

export async function sendArchive(orgId: string, id: string, { name, ...sent }: SentArchive): Promise<Archive> {
  const options = { params: { org_id: orgId, integration_id: id }, query: { name } }
  return (await upload('sendArchive', options, { ...sent, contentType: 'application/octet-stream' })).data
}
