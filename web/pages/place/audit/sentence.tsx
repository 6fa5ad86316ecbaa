import type { Answer } from '../../../api/client.ts'
import { type ConsoleScope, paths } from '../../../navigation/paths.ts'
import { PageLink } from '../../../ui/links.tsx'

type Event = Answer<'listOrgAuditLogs'>['data'][number]['attributes']
type Part = Event['sentence'][number]

/** Says what an event did; resources that still exist are linked. */
export function AuditSentence({ event }: { event: Event }) {
  const { sentence } = event
  return sentence.map((part, at) => {
    const key = `${sentence
      .slice(0, at)
      .map(({ text }) => text)
      .join('')}|${part.text}`
    const to = addressOf(event, part)
    if (to !== undefined) {
      return (
        <PageLink key={key} to={to} fw={600} size="sm">
          {part.text}
        </PageLink>
      )
    }
    return part.id === undefined ? part.text : <strong key={key}>{part.text}</strong>
  })
}

export function textOf({ sentence }: Event): string {
  return sentence.map(({ text }) => text).join('')
}

function addressOf({ org_id, group_id }: Event, { kind = '', id }: Part): string | undefined {
  if (id === undefined) return undefined
  const place = placeOf(org_id, group_id)
  if (kind === 'service_account') return place && paths.serviceAccount(place, id)
  if (kind === 'org') return paths.orgSettings(id)
  if (org_id !== undefined && Object.hasOwn(ofOrg, kind)) return ofOrg[kind as keyof typeof ofOrg](org_id, id)
  if (group_id !== undefined && Object.hasOwn(ofGroup, kind)) return ofGroup[kind as keyof typeof ofGroup](group_id, id)
  return undefined
}

const ofOrg = {
  app: paths.app,
  import: paths.importRun,
  integration: paths.integration,
  project: paths.project,
  vulnerability: paths.vulnerability,
}
const ofGroup = { role: paths.role, user: paths.user }

function placeOf(orgId: string | undefined, groupId: string | undefined): ConsoleScope | undefined {
  if (orgId !== undefined) return { kind: 'orgs', id: orgId }
  return groupId === undefined ? undefined : { kind: 'groups', id: groupId }
}
