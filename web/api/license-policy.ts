import { type Answer, call } from './client.ts'

export type LicensePolicy = Answer<'getLicensePolicy'>['data']['attributes']
export type LicenseRule = LicensePolicy['rules'][number]
export type LicenseVerdict = LicenseRule['severity']
export type PolicyInput = Omit<LicensePolicy, 'updated_at'>

export async function readLicensePolicy(orgId: string): Promise<LicensePolicy> {
  return (await call('getLicensePolicy', { params: { org_id: orgId } })).data.attributes
}

export async function changeLicensePolicy(orgId: string, attributes: PolicyInput): Promise<LicensePolicy> {
  const body = { data: { id: orgId, type: 'license_policy', attributes } } as const
  return (await call('updateLicensePolicy', { params: { org_id: orgId }, body })).data.attributes
}
