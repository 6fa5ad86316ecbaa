import { type Command, Option } from 'commander'
import { type Answer, ApiError, type Item, type Operations } from '../../client/api/client.ts'
import { ClientFailure } from '../../client/failure.ts'
import { printable } from '../../client/printable.ts'
import { toDay } from '../../client/resources/describe-project.ts'
import { isUuid } from '../../client/resources/find-org.ts'
import {
  changeOptions,
  deleteCommand,
  listCommand,
  printWithSecret,
  rotateCommand,
  toExpiry,
} from './resource-commands.ts'
import {
  groupCommand,
  type ListOptions,
  runOnServer,
  type ServerOptions,
  type ServerSession,
  serverCommand,
} from './run-on-server.ts'

type Account = Answer<'getOrgServiceAccount'>['data']
type NewAccount = Operations['createOrgServiceAccount']['body']['data']['attributes']

export function serviceAccountsCommand(): Command {
  const list = listCommand<Item<'listOrgServiceAccounts'>, ListOptions>({
    summary: 'List the service accounts of an organization',
    examples: ['gatehouse service-accounts'],
    columns: [
      { title: 'NAME', isFlexible: true, cell: ({ attributes }) => attributes.name },
      { title: 'AUTH', cell: ({ attributes }) => attributes.auth_type },
      { title: 'ID', cell: ({ id }) => id },
      { title: 'EXPIRES', isOptional: true, cell: ({ attributes }) => toDay(attributes.expires_at) },
      { title: 'CREATED', isOptional: true, cell: ({ attributes }) => toDay(attributes.created_at) },
    ],
    empty: 'No service accounts. Create one with "gatehouse service-accounts create".',
    items: async ({ client, orgId, signal }) =>
      client.list('listOrgServiceAccounts', { params: { org_id: await orgId() }, signal }),
  })
  const rotate = rotateCommand<Account>({ name: 'service-accounts rotate', noun: 'service account', replace, print })
  const remove = deleteCommand({
    of: 'service-accounts',
    noun: 'service account',
    summary: 'Delete a service account and revoke its credentials',
    consequence: (id) => `All credentials of ${id} are revoked.`,
    async remove({ client, orgId, signal }, serviceaccount_id) {
      await client.call('deleteOrgServiceAccount', { params: { org_id: await orgId(), serviceaccount_id }, signal })
    },
  })
  return groupCommand('service-accounts', list, [createCommand(), rotate, remove])
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
  await runOnServer(options, async (session) => {
    const { client, orgId } = session
    const attributes: NewAccount = {
      name,
      auth_type: authType,
      role_id: isUuid(role) ? role : await findRole(session, role),
      ...(jwksUrl !== undefined && { jwks_url: jwksUrl }),
      ...toExpiry(expires),
    }
    const body = { data: { type: 'service_account', attributes } } as const
    const params = { org_id: await orgId() }
    print(session, (await client.call('createOrgServiceAccount', { params, body, ...changeOptions(session) })).data)
  })
}

/** Returns the id of the role of this name in the organization's group. */
async function findRole({ client, orgId, signal }: ServerSession, role: string): Promise<string> {
  const { data: org } = await client.call('getOrg', { params: { org_id: await orgId() }, signal })
  const names: string[] = []
  const params = { group_id: org.attributes.group_id }
  for await (const { id, attributes } of client.list('listRoles', { params, signal })) {
    if (attributes.name.toLowerCase() === role.toLowerCase()) return id
    names.push(printable(attributes.name))
  }
  throw new ClientFailure(`No role "${role}". Known: ${names.join(', ')}.`)
}

function print(session: ServerSession, account: Account): void {
  const { name, api_key, client_id, client_secret, expires_at } = account.attributes
  const fields = {
    'Service account': name,
    Id: account.id,
    'API key': api_key,
    'Client id': client_id,
    'Client secret': client_secret,
    Expires: expires_at,
  }
  printWithSecret(session, account, { fields, secret: api_key ?? client_secret })
}

type SecretsChange = Operations['manageOrgServiceAccountSecrets']['body']['data']['attributes']

async function replace(session: ServerSession, id: string, attributes: SecretsChange): Promise<Account> {
  const { client, orgId } = session
  const params = { org_id: await orgId(), serviceaccount_id: id }
  const body = { data: { type: 'service_account', attributes } } as const
  try {
    return (await client.call('manageOrgServiceAccountSecrets', { params, body, ...changeOptions(session) })).data
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) await requireSecret(session, params, error)
    throw error
  }
}

/**
 * Explains how to rotate the credentials of an account without client secrets. Throws `ClientFailure` for such an
 * account.
 */
async function requireSecret(
  { client, signal }: ServerSession,
  params: Operations['getOrgServiceAccount']['params'],
  cause: ApiError,
): Promise<void> {
  const { data } = await client.call('getOrgServiceAccount', { params, signal })
  const advice = otherRotations[data.attributes.auth_type]
  if (advice === undefined) return
  throw new ClientFailure(`"${printable(data.attributes.name)}" ${advice}`, { cause })
}

const otherRotations: Readonly<Record<string, string>> = {
  api_key:
    'authenticates with an API key, which cannot be replaced. Create another account with "gatehouse service-accounts create", use its key, then delete this one.',
  oauth_private_key_jwt:
    'authenticates with keys that you publish. Add the new public key to its JWKS URL, use the new private key, then remove the old one.',
}
