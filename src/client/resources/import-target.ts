import { randomUUID } from 'node:crypto'
import type { Item, Operations } from '../api/client.ts'
import { ClientFailure } from '../failure.ts'
import type { OpenServer } from '../open-server.ts'
import { printable } from '../printable.ts'
import { isUuid } from './find-org.ts'

type Integration = Item<'listIntegrations'>
type Kind = Integration['attributes']['kind']

export interface TargetChoice {
  /** A repository's URL, owner/name, number or path. */
  readonly text: string
  readonly branch?: string | undefined
  /** An integration, by id or name; default: one that fits. */
  readonly integration?: string | undefined
}

interface OrgContext {
  readonly org_id: string
  readonly signal: AbortSignal
}

export interface ImportTarget {
  readonly integrationId: string
  readonly target: Record<string, unknown>
}

/** Finds the integration for a repository. A missing one that needs no credentials is created. */
export async function findTarget(server: OpenServer, choice: TargetChoice, place: OrgContext): Promise<ImportTarget> {
  const { org_id, signal } = place
  const integrations = await Array.fromAsync(server.client.list('listIntegrations', { params: { org_id }, signal }))
  const integration = choice.integration === undefined ? undefined : findNamed(integrations, choice.integration)
  if (integration !== undefined)
    return { integrationId: integration.id, target: toTarget(integration.attributes.kind, choice) }
  const kinds = kindsFor(choice.text)
  const match = kinds.flatMap(
    (kind) => integrations.find((integration) => fits(integration, kind, choice.text)) ?? [],
  )[0]
  if (match !== undefined) return { integrationId: match.id, target: toTarget(match.attributes.kind, choice) }
  const kind = kinds.at(-1)!
  if (kind !== 'git' && kind !== 'local') {
    throw new ClientFailure(
      `No integration for "${choice.text}". Connect ${kind} in the console, or pass a URL or --integration.`,
    )
  }
  return { integrationId: await createIntegration(server, kind, place), target: toTarget(kind, choice) }
}

/** Returns the id of the integration that takes archives, and creates it if there is none. */
export async function findArchiveIntegration(server: OpenServer, place: OrgContext): Promise<string> {
  const params = { org_id: place.org_id }
  for await (const { id, attributes } of server.client.list('listIntegrations', { params, signal: place.signal })) {
    if (attributes.kind === 'archive' && attributes.name === NAMES.archive) return id
  }
  return createIntegration(server, 'archive', place)
}

const NAMES = { git: 'Git', local: 'Local folders', archive: 'Command line' } as const

async function createIntegration(
  { client }: OpenServer,
  kind: keyof typeof NAMES,
  { org_id, signal }: OrgContext,
): Promise<string> {
  const attributes: Operations['createIntegration']['body']['data']['attributes'] = { kind, name: NAMES[kind] }
  const { data } = await client.call('createIntegration', {
    params: { org_id },
    body: { data: { type: 'integration', attributes } },
    idempotencyKey: randomUUID(),
    signal,
  })
  return data.id
}

function findNamed(integrations: readonly Integration[], text: string): Integration {
  const matches = integrations.filter(({ id, attributes }) =>
    isUuid(text) ? id === text.toLowerCase() : attributes.name === text,
  )
  if (matches.length === 1) return matches[0]!
  const names = integrations.map(({ attributes }) => `"${printable(attributes.name)}" (${attributes.kind})`).join(', ')
  const why = matches.length === 0 ? 'No integration' : 'Several integrations'
  throw new ClientFailure(`${why} with the id or name "${text}". Known: ${names || 'none'}.`)
}

const OWNER_AND_NAME = /^[\w.-]+\/[\w.-]+$/

/** Returns the kinds that read such a target, the preferred one first. */
function kindsFor(text: string): Kind[] {
  if (/^https?:\/\//.test(text)) return ['github', 'github-enterprise', 'git']
  if (text.startsWith('/')) return ['local']
  if (OWNER_AND_NAME.test(text)) return ['github']
  throw new ClientFailure(
    `"${text}" is no URL, path or owner/name. Pass one, or name the integration with --integration.`,
  )
}

/** A URL is read by a hosting service's integration only if it has credentials for that host. */
function fits({ attributes }: Integration, kind: Kind, text: string): boolean {
  if (attributes.kind !== kind) return false
  const isHosted = kind === 'github' || kind === 'github-enterprise'
  if (!isHosted || !URL.canParse(text)) return true
  const host = new URL(attributes.base_url ?? 'https://github.com').host
  return new URL(text).host === host && repositoryOf(text) !== undefined
}

function toTarget(kind: Kind, { text, branch }: TargetChoice): Record<string, unknown> {
  return { ...locationOf(kind, text), ...(branch !== undefined && { branch }) }
}

function locationOf(kind: Kind, text: string): Record<string, unknown> {
  if (kind === 'git') return { url: text }
  if (kind === 'local') return { path: text }
  if (kind === 'gitlab') return { id: text }
  if (kind === 'archive') return isUuid(text) ? { id: text } : { name: text }
  const [owner, name] = repositoryOf(text) ?? []
  if (owner === undefined) throw new ClientFailure(`"${text}" is no repository of ${kind}. Pass owner/name or its URL.`)
  return kind === 'bitbucket-server' ? { projectKey: owner, repoSlug: name } : { owner, name }
}

function repositoryOf(text: string): [owner: string, name: string] | undefined {
  const path = URL.canParse(text) ? new URL(text).pathname.replace(/^\/|\/$/g, '') : text
  const [owner, name, ...more] = path.replace(/\.git$/, '').split('/')
  return owner && name && more.length === 0 ? [owner, name] : undefined
}
