import type { Answer } from '../../api/client.ts'
import { type ConsoleScope, paths } from '../../navigation/paths.ts'
import { PageLink } from '../../ui/links.tsx'

type Event = Answer<'listOrgAuditLogs'>['data'][number]['attributes']

/** Maximum number of issues named in a row. */
const SHOWN = 3

/** Shows what an event changed: its kind and name, linked while it exists, and the issues that the change concerns. */
export function AuditTarget({ event }: { event: Event }) {
  const { target, org_id } = event
  const name = target.name ?? formerName(event)
  const to = target.name === undefined ? undefined : addressOf(event)
  const issues = issuesOf(event)
  return (
    <>
      {target.kind.replaceAll('_', ' ')}{' '}
      {name !== undefined && (to === undefined ? <strong>{name}</strong> : <TargetLink to={to} text={name} />)}
      {issues.slice(0, SHOWN).map((issue) => (
        <span key={issue}>
          {' · '}
          {org_id === undefined ? issue : <TargetLink to={paths.vulnerability(org_id, issue)} text={issue} />}
        </span>
      ))}
      {issues.length > SHOWN && ` and ${issues.length - SHOWN} more`}
    </>
  )
}

function TargetLink({ to, text }: { to: string; text: string }) {
  return (
    <PageLink to={to} fw={600} size="sm">
      {text}
    </PageLink>
  )
}

/** Returns the name that the change itself contains. */
function formerName({ before, after }: Event): string | undefined {
  const states = [after, before].filter((state) => state !== undefined)
  const names = states.flatMap((state) => [state['name'], state['email'], state['display_name'], state['url']])
  return names.find((name) => typeof name === 'string')
}

function issuesOf({ before, after }: Event): readonly string[] {
  const entries = [before, after].flatMap((state) => [state?.['issue_id'], ...issuesOfList(state?.['ignores'])])
  return [...new Set(entries.filter((id) => typeof id === 'string'))]
}

function issuesOfList(ignores: unknown): readonly unknown[] {
  return Array.isArray(ignores) ? ignores.map((ignore: { issue_id?: unknown }) => ignore.issue_id) : []
}

function addressOf({ target: { kind, id }, org_id, group_id }: Event): string | undefined {
  const place = placeOf(org_id, group_id)
  if (kind === 'service_account') return place && paths.serviceAccount(place, id)
  if (org_id !== undefined && Object.hasOwn(ofOrg, kind)) return ofOrg[kind as keyof typeof ofOrg](org_id, id)
  if (group_id !== undefined && Object.hasOwn(ofGroup, kind)) return ofGroup[kind as keyof typeof ofGroup](group_id, id)
  return undefined
}

const ofOrg = { app: paths.app, import: paths.importRun, integration: paths.integration, project: paths.project }
const ofGroup = { role: paths.role, user: paths.user }

function placeOf(orgId: string | undefined, groupId: string | undefined): ConsoleScope | undefined {
  if (orgId !== undefined) return { kind: 'orgs', id: orgId }
  return groupId === undefined ? undefined : { kind: 'groups', id: groupId }
}
