import { send } from './client.ts'

/** Documents about a project, by the server's format. */
export const downloads = [
  { format: 'cyclonedx1.6+json', label: 'CycloneDX (JSON)', ending: 'cdx.json' },
  { format: 'cyclonedx1.6+xml', label: 'CycloneDX (XML)', ending: 'cdx.xml' },
  { format: 'spdx2.3+json', label: 'SPDX (JSON)', ending: 'spdx.json' },
  { format: 'openvex0.2.0+json', label: 'VEX (OpenVEX)', ending: 'vex.json' },
  { format: 'sarif2.1.0+json', label: 'SARIF', ending: 'sarif' },
  { format: 'csv', label: 'Issues (CSV)', ending: 'csv' },
] as const

/** Documents about all projects of an organization or a repository. */
export const exports = [
  { format: 'csv', label: 'Issues (CSV)', ending: 'csv' },
  { format: 'html', label: 'Report (to print)', ending: 'html' },
  { format: 'cyclonedx1.6+json', label: 'CycloneDX (JSON)', ending: 'cdx.json' },
  { format: 'spdx2.3+json', label: 'SPDX (JSON)', ending: 'spdx.json' },
  { format: 'openvex0.2.0+json', label: 'VEX (OpenVEX)', ending: 'vex.json' },
] as const

export type Download = (typeof downloads)[number]
export type Export = (typeof exports)[number]

/** Reads a document about all projects of an organization, or of one of its repositories. Throws `Refusal`. */
export async function readExport(orgId: string, targetId: string | undefined, { format }: Export): Promise<Blob> {
  const query = { format }
  const answer =
    targetId === undefined
      ? await send('exportOrg', { params: { org_id: orgId }, query })
      : await send('exportTarget', { params: { org_id: orgId, target_id: targetId }, query })
  return answer.blob()
}

/** Reads a document about a project. Throws `Refusal`. */
export async function readDownload(orgId: string, projectId: string, { format }: Download): Promise<Blob> {
  if (format === 'csv') {
    const query = { format, 'scan_item.id': projectId }
    return (await send('exportOrg', { params: { org_id: orgId }, query })).blob()
  }
  const params = { org_id: orgId, project_id: projectId }
  return (await send('getOrgProjectSbom', { params, query: { format } })).blob()
}
