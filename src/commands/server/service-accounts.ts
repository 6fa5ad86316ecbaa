import { randomUUID } from 'node:crypto'
import { type Command, Option } from 'commander'
import type { Answer, Client, Operations } from '../../client/api/client.ts'
import { ClientFailure } from '../../client/failure.ts'
import { printable } from '../../client/printable.ts'
import { toDay } from '../../client/resources/describe-project.ts'
import { isUuid } from '../../client/resources/find-org.ts'
import { parseExpiry } from '../../client/resources/parse-time.ts'
import { type ReplacementOptions, toReplacement, withReplacementOptions } from './replace-secret.ts'
import {
  collect,
  confirm,
  groupCommand,
  type ListOptions,
  type Output,
  runOnServer,
  type ServerOptions,
  serverCommand,
  withLimit,
} from './run-on-server.ts'

type NewAccount = Operations['createOrgServiceAccount']['body']['data']['attributes']

export function serviceAccountsCommand(): Command {
  return groupCommand('service-accounts', listCommand(), [createCommand(), rotateCommand(), deleteCommand()])
}

function listCommand(): Command {
  return withLimit(serverCommand('list', ['gatehouse service-accounts']))
    .description('List the service accounts of an organization')
    .action((options: ListOptions) =>
      runOnServer(options, async ({ client, orgId, output, signal }) => {
        const params = { org_id: await orgId() }
        const accounts = await collect(client.list('listOrgServiceAccounts', { params, signal }), options)
        output.table(
          accounts,
          [
            { title: 'NAME', isFlexible: true },
            { title: 'AUTH' },
            { title: 'ID' },
            { title: 'EXPIRES', isOptional: true },
            { title: 'CREATED', isOptional: true },
          ],
          accounts.map(({ id, attributes: { name, auth_type, expires_at, created_at } }) => [
            name,
            auth_type,
            id,
            toDay(expires_at),
            toDay(created_at),
          ]),
          'No service accounts. Create one with "gatehouse service-accounts create".',
        )
        return undefined
      }),
    )
}

interface CreateOptions extends ServerOptions {
  readonly role: string
  readonly authType: NewAccount['auth_type']
  readonly jwksUrl?: string
  readonly expires?: string
}

function createCommand(): Command {
  const examples = [
    'gatehouse service-accounts create ci --role "Org Collaborator"',
    'gatehouse service-accounts create deploy --role "Org Admin" --auth-type oauth_client_secret --expires 90d',
  ]
  return serverCommand('create', examples)
    .argument('<name>', 'name of the service account')
    .requiredOption('--role <role>', 'role, by name or id')
    .addOption(
      new Option('--auth-type <type>', 'how the account authenticates')
        .choices(['api_key', 'oauth_client_secret', 'oauth_private_key_jwt'])
        .default('api_key'),
    )
    .option('--jwks-url <url>', 'public keys of an account with oauth_private_key_jwt')
    .option('--expires <time>', 'day, time or duration after which the credential expires')
    .description('Create a service account; its credential is printed once')
    .action(create)
}

async function create(name: string, options: CreateOptions): Promise<void> {
  const { role, authType, jwksUrl, expires } = options
  await runOnServer(options, async ({ client, orgId, output, signal }) => {
    const org_id = await orgId()
    const attributes: NewAccount = {
      name,
      auth_type: authType,
      role_id: isUuid(role) ? role : await findRole(client, { role, org_id, signal }),
      ...(jwksUrl !== undefined && { jwks_url: jwksUrl }),
      ...(expires !== undefined && { expires_at: parseExpiry(expires, '--expires', Date.now()) }),
    }
    const body = { data: { type: 'service_account', attributes } } as const
    const params = { org_id }
    const answer = await client.call('createOrgServiceAccount', {
      params,
      body,
      idempotencyKey: randomUUID(),
      signal,
    })
    print(output, answer.data)
    return undefined
  })
}

interface RoleSearch {
  readonly role: string
  readonly org_id: string
  readonly signal: AbortSignal
}

/** Returns the id of the role of this name in the organization's group. */
async function findRole(client: Client, { role, org_id, signal }: RoleSearch): Promise<string> {
  const { data: org } = await client.call('getOrg', { params: { org_id }, signal })
  const known: string[] = []
  const params = { group_id: org.attributes.group_id }
  for await (const { id, attributes } of client.list('listRoles', { params, signal })) {
    if (attributes.name.toLowerCase() === role.toLowerCase()) return id
    known.push(printable(attributes.name))
  }
  throw new ClientFailure(`No role "${role}". Known: ${known.join(', ')}.`)
}

function print(output: Output, account: Answer<'getOrgServiceAccount'>['data']): void {
  const { name, api_key, client_id, client_secret, expires_at } = account.attributes
  output.record(account, {
    'Service account': name,
    Id: account.id,
    'API key': api_key,
    'Client id': client_id,
    'Client secret': client_secret,
    Expires: expires_at,
  })
  if ((api_key ?? client_secret) !== undefined) console.error('The secret is shown only now. Store it.')
}

function rotateCommand(): Command {
  const examples = ['gatehouse service-accounts rotate 6f1c2a34-… --overlap 24h     the old secret works for a day']
  return withReplacementOptions(serverCommand('rotate', examples))
    .argument('<id>', 'id of the service account')
    .description('Replace the client secret of a service account; the new one is printed once')
    .action(rotate)
}

async function rotate(serviceaccount_id: string, options: ReplacementOptions): Promise<void> {
  const attributes = toReplacement(options)
  await runOnServer(options, async ({ client, orgId, output, signal }) => {
    const { data } = await client.call('manageOrgServiceAccountSecrets', {
      params: { org_id: await orgId(), serviceaccount_id },
      body: { data: { type: 'service_account', attributes } },
      idempotencyKey: randomUUID(),
      signal,
    })
    print(output, data)
    return undefined
  })
}

function deleteCommand(): Command {
  return serverCommand('delete', ['gatehouse service-accounts delete 6f1c2a34-… --yes'])
    .argument('<id>', 'id of the service account')
    .option('--yes', 'do not ask')
    .description('Delete a service account and revoke its credentials')
    .action((serviceaccount_id: string, options: ServerOptions & { yes?: true }) =>
      runOnServer(options, async ({ client, orgId, output, signal }) => {
        const org_id = await orgId()
        await confirm(`All credentials of ${serviceaccount_id} are revoked. This cannot be undone.`, {
          ...options,
          signal,
        })
        await client.call('deleteOrgServiceAccount', { params: { org_id, serviceaccount_id }, signal })
        output.sentence({ id: serviceaccount_id, deleted: true }, `Deleted ${serviceaccount_id}.`)
        return undefined
      }),
    )
}
