import { call } from './client.ts'
import { listAll } from './places.ts'
import type { Archive, Integration } from './resources.ts'
import { upload } from './upload.ts'

/** Lists integrations, up to a limit, as options of a field. */
export async function listAllIntegrations(orgId: string): Promise<readonly Integration[]> {
  const params = { org_id: orgId }
  return listAll((starting_after) => call('listIntegrations', { params, query: { limit: 100, starting_after } }))
}

/** Tests the connection; with a target, also looks for it. */
export async function testIntegration(orgId: string, id: string, target: Readonly<Record<string, string>> | undefined) {
  const body = { data: { type: 'integration_test', attributes: target === undefined ? {} : { target } } } as const
  return (await call('testIntegration', { params: { org_id: orgId, integration_id: id }, body })).data.attributes
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
