import { type Static, Type } from 'typebox'
import type { Principal } from '#foundation/access/caller.ts'
import { resource, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'

const Name = Type.String({ description: 'Display name' })
const DefaultOrg = Type.Optional(
  Type.String({ format: 'uuid', description: 'The default organization of requests that name none' }),
)

const SelfUser = resource(
  'user',
  Type.Object({ name: Name, username: Type.String(), email: Type.String(), default_org_context: DefaultOrg }),
)
const SelfServiceAccount = resource('service_account', Type.Object({ name: Name, default_org_context: DefaultOrg }))
const SelfApp = resource('app_instance', Type.Object({ name: Name, default_org_context: DefaultOrg }))

export const Self = Type.Union([SelfUser, SelfServiceAccount, SelfApp])
export type Self = Static<typeof Self>

export function toSelf(principal: Principal, defaultOrgId: string | undefined): Self {
  const context = defaultOrgId === undefined ? {} : { default_org_context: defaultOrgId }
  const { id, name } = principal
  if (principal.kind === 'service_account') return { id, type: 'service_account', attributes: { name, ...context } }
  if (principal.kind === 'app') return { id, type: 'app_instance', attributes: { name, ...context } }
  return {
    id,
    type: 'user',
    attributes: { name, username: principal.username ?? '', email: principal.email ?? '', ...context },
  }
}

/**
 * `GET /v1/user/me`; `orgs` are those that the caller can see. A service account or app has its name as username and no
 * address.
 */
export const Me = Type.Object({
  id: Uuid,
  username: Type.String(),
  email: Type.String(),
  orgs: Type.Array(
    Type.Object({
      id: Uuid,
      name: Type.String(),
      group: Type.Object({ id: Uuid, name: Type.String() }),
    }),
  ),
})

export function toMe(
  { id, name, username = name, email = '' }: Principal,
  orgs: readonly { id: string; name: string; group_id: string; group_name: string }[],
): Static<typeof Me> {
  return {
    id,
    username,
    email,
    orgs: orgs.map((org) => ({ id: org.id, name: org.name, group: { id: org.group_id, name: org.group_name } })),
  }
}

const Setting = Type.Object({ enabled: Type.Boolean(), inherited: Type.Boolean() })

/** `GET /v1/user/me/notification-settings`: clients read it to check whether a key works. */
export const NotificationSettings = Type.Object({
  'new-issues-remediations': Type.Object({
    enabled: Type.Boolean(),
    issueSeverity: Type.Enum(['all', 'high']),
    issueType: Type.Enum(['all', 'vuln', 'license', 'none']),
    inherited: Type.Boolean(),
  }),
  'project-imported': Setting,
  'test-limit': Setting,
  'weekly-report': Setting,
  'request-updates': Setting,
  'pending-requests': Setting,
})

/** Any of these settings. Unknown members are ignored, since existing clients send some. */
export const ChangedNotifications = Type.Record(
  Type.String(),
  Type.Object({
    enabled: Type.Optional(Type.Boolean({ description: 'Only false' })),
    issueSeverity: Type.Optional(Type.Enum(['all', 'high'], { description: 'Has no effect, since mails are off' })),
    issueType: Type.Optional(
      Type.Enum(['all', 'vuln', 'license', 'none'], { description: 'Has no effect, since mails are off' }),
    ),
  }),
)

nameSchemas({
  Self,
  SelfUser,
  SelfServiceAccount,
  SelfApp,
  Me,
  NotificationSetting: Setting,
  NotificationSettings,
  ChangedNotifications,
})

type MailSetting = Static<typeof ChangedNotifications>[string]

/** Returns the member that would only have an effect with mails: one that enables them, or one that refines them. */
export function mailMemberOf({ enabled, issueSeverity, issueType }: MailSetting): string | undefined {
  if (enabled) return 'enabled'
  if (enabled === false) return undefined
  if (issueType !== undefined && issueType !== 'none') return 'issueType'
  return issueSeverity !== undefined && issueSeverity !== 'all' ? 'issueSeverity' : undefined
}

const off = { enabled: false, inherited: true } as const

/** All off: this server sends no mail. */
export const noNotifications: Static<typeof NotificationSettings> = {
  'new-issues-remediations': { ...off, issueSeverity: 'all', issueType: 'none' },
  'project-imported': off,
  'test-limit': off,
  'weekly-report': off,
  'request-updates': off,
  'pending-requests': off,
}
