import { isIP } from 'node:net'
import { countBreakGlass } from '#features/members/break-glass-store.ts'
import { lockGroup } from '#features/members/store.ts'
import { getAssignableRole, requireHeld } from '#features/roles/assignable-role.ts'
import { groupAdmin } from '#foundation/access/built-in-roles.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import type { GroupChange } from '#foundation/http/change.ts'
import { matchesAddress, matchesName, parseHostPattern, toEndpoint } from '#foundation/outgoing/host-patterns.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { OutgoingRefused } from '#foundation/outgoing/outgoing-errors.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import {
  deleteIdentities,
  deleteProvider,
  domainInUse,
  findProvider,
  getProvider,
  isDomainOfOthers,
  isOrgOfGroup,
  listDomains,
  listMappings,
  listProviders,
  type ProviderRow,
  replaceDomains,
  replaceMappings,
  saveProvider,
  sealContext,
} from './providers-store.ts'
import type { ProviderInput } from './resource.ts'

type Deps = Pick<Services, 'keyring' | 'config'> & { readonly outgoing: Outgoing }

const MAX_PROVIDERS = 20
const DOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/

/**
 * Creates or replaces a provider. The caller must have all permissions of its users, because the provider can sign in
 * as them.
 */
export async function putProvider(
  deps: Deps,
  change: GroupChange,
  id: string,
  input: ProviderInput,
): Promise<ProviderRow> {
  const { tx, groupId, at } = change
  requireHeld(change.permissions, groupAdmin.permissions)
  await lockGroup(tx, groupId)
  const before = await findProvider(tx, id)
  if (before && before.group_id !== groupId) throw notFound(`Identity provider ${id}`)
  if (!before && (await listProviders(tx, groupId)).length >= MAX_PROVIDERS) {
    throw new Problem('conflict', `A group has at most ${MAX_PROVIDERS} identity providers. Delete one first.`)
  }
  requireIssuer(deps, input.issuer)
  const domains = await readDomains(change, input.domains)
  await requireMappings(change, input)
  if (input.mode === 'required') await requireBreakGlass(change)
  const isOtherIssuer = before !== undefined && before.issuer !== input.issuer
  if (isOtherIssuer && before.client_secret !== null && input.client_secret === undefined) {
    throw invalid('The issuer has changed. Enter the client secret again.', '/client_secret')
  }
  const beforeState = before && (await toAudited(tx, before))
  await saveProvider(tx, {
    id,
    group_id: groupId,
    name: input.name,
    issuer: input.issuer,
    client_id: input.client_id,
    client_secret: sealSecret(deps, id, input.client_secret, before),
    mode: input.mode,
    creates_accounts: input.creates_accounts ? 1 : 0,
    trusts_emails: input.trusts_emails ? 1 : 0,
    role_claim: input.role_claim,
    created_at: before?.created_at ?? at,
    // Identifies the version: later than the previous one even within a millisecond.
    updated_at: Math.max(at, (before?.updated_at ?? 0) + 1),
  })
  if (isOtherIssuer) await deleteIdentities(tx, id)
  await replaceDomains(tx, id, domains)
  await replaceMappings(tx, id, input.roles)
  const provider = await getProvider(tx, groupId, id)
  const isSecretNew = input.client_secret !== undefined && { client_secret: 'changed' }
  const after = { ...(await toAudited(tx, provider)), ...isSecretNew }
  await recordAudit(change, provider, {
    action: `identity_provider.${before ? 'update' : 'create'}`,
    ...(beforeState && { before: beforeState }),
    after,
  })
  return provider
}

/** Deletes a provider and revokes the sessions that it began. Accounts and roles stay. */
export async function removeProvider(change: GroupChange, id: string): Promise<void> {
  const { tx, groupId } = change
  requireHeld(change.permissions, groupAdmin.permissions)
  const provider = await getProvider(tx, groupId, id)
  const before = await toAudited(tx, provider)
  await deleteProvider(tx, id)
  await recordAudit(change, provider, { action: 'identity_provider.delete', before })
}

/** Throws 400 unless the issuer is an https address, or an http address that the operator allows explicitly. */
function requireIssuer({ outgoing, config }: Deps, issuer: string): void {
  const pointer = '/issuer'
  const url = URL.parse(issuer)
  if (!url || /[?#]/.test(issuer)) throw invalid('The issuer must be an address without query and fragment.', pointer)
  try {
    outgoing.judge(url)
  } catch (error) {
    if (error instanceof OutgoingRefused) throw invalid(error.message, pointer)
    throw error
  }
  if (url.protocol === 'https:' || isListed(config.outgoingAllow, url)) return
  throw invalid('The issuer must be an https address, or an http address in GATEHOUSE_OUTGOING_ALLOW.', pointer)
}

function isListed(allow: readonly string[], url: URL): boolean {
  const endpoint = toEndpoint(url)
  return allow
    .map(parseHostPattern)
    .some((pattern) =>
      isIP(endpoint.host) === 0
        ? matchesName(pattern, endpoint)
        : matchesAddress(pattern, endpoint.host, endpoint.port),
    )
}

async function readDomains({ tx, groupId }: GroupChange, input: readonly string[]): Promise<string[]> {
  const domains = [...new Set(input.map((domain) => domain.trim().toLowerCase()))]
  for (const domain of domains) {
    if (!DOMAIN.test(domain)) {
      throw invalid(`"${domain}" is not a domain such as example.com (write others in Punycode).`, '/domains')
    }
    if (await isDomainOfOthers(tx, groupId, domain)) throw domainInUse(domain)
  }
  return domains
}

async function requireMappings({ tx, groupId }: GroupChange, { roles, role_claim }: ProviderInput): Promise<void> {
  for (const [index, { org_id: orgId, role_id, claim_value }] of roles.entries()) {
    if (orgId !== null && !(await isOrgOfGroup(tx, groupId, orgId))) {
      throw invalid(`The group has no organization ${orgId}`, `/roles/${index}/org_id`)
    }
    const source = { pointer: `/roles/${index}/role_id` }
    await getAssignableRole(tx, { groupId, orgId }, { id: role_id, source })
    if (claim_value !== null && role_claim === null) {
      throw invalid('Name the claim that holds the values (role_claim).', '/role_claim')
    }
  }
}

async function requireBreakGlass({ tx, groupId }: GroupChange): Promise<void> {
  if ((await countBreakGlass(tx, groupId)) > 0) return
  throw new Problem(
    'conflict',
    'Choose a break-glass administrator with a password first, who can sign in when the provider fails.',
    { source: { pointer: '/mode' } },
  )
}

function sealSecret(
  { keyring }: Deps,
  id: string,
  secret: string | null | undefined,
  before: ProviderRow | undefined,
): Uint8Array | null {
  if (secret === undefined) return before?.client_secret ?? null
  return secret === null ? null : keyring.seal(secret, sealContext(id))
}

function invalid(detail: string, pointer: string): Problem {
  return new Problem('invalid-request', detail, { source: { pointer } })
}

async function toAudited(tx: Db, row: ProviderRow): Promise<object> {
  const { name, issuer, client_id, mode, creates_accounts, trusts_emails, role_claim } = row
  return {
    ...{ name, issuer, client_id, mode, role_claim },
    creates_accounts: creates_accounts === 1,
    trusts_emails: trusts_emails === 1,
    domains: await listDomains(tx, row.id),
    roles: await listMappings(tx, row.id),
  }
}
