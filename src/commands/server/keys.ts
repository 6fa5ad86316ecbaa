import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import type { ApiKey, Client } from '../../client/api/client.ts'
import { ClientFailure } from '../../client/failure.ts'
import { toDay } from '../../client/resources/describe-project.ts'
import { isUuid } from '../../client/resources/find-org.ts'
import { parseExpiry } from '../../client/resources/parse-time.ts'
import {
  collect,
  confirm,
  groupCommand,
  type ListOptions,
  runOnServer,
  type ServerOptions,
  type ServerSession,
  serverCommand,
  withLimit,
} from './run-on-server.ts'

interface OwnerOptions {
  /** Another user, by email address or id. */
  readonly user?: string
}

export function keysCommand(): Command {
  return groupCommand('keys', listCommand(), [createCommand(), deleteCommand()])
}

const USER_OPTION = ['--user <user>', 'keys of another user of the group, by email address or id'] as const

function listCommand(): Command {
  const examples = [
    'gatehouse keys                              list your API keys',
    'gatehouse keys --user ada@example.test      those of a user, as an administrator of the group',
  ]
  return withLimit(serverCommand('list', examples))
    .description('List API keys: your own, or those of a user')
    .option(...USER_OPTION)
    .action((options: ListOptions & OwnerOptions) =>
      runOnServer(options, async (session) => {
        const { client, output, signal } = session
        const owner = await findOwner(session, options)
        const keys = await collect<ApiKey>(
          owner === undefined
            ? client.list('listOwnApiKeys', { signal })
            : client.list('listUserApiKeys', { params: owner, signal }),
          options,
        )
        output.table(
          keys,
          [
            { title: 'NAME', isFlexible: true },
            { title: 'HINT' },
            { title: 'ID' },
            { title: 'EXPIRES' },
            { title: 'USED', isOptional: true },
            { title: 'CREATED', isOptional: true },
          ],
          keys.map(({ id, attributes: { name, hint, expires_at, last_used_at, created_at } }) => [
            name,
            hint,
            id,
            toDay(expires_at),
            toDay(last_used_at),
            toDay(created_at),
          ]),
          'No API keys. Create one with "gatehouse keys create".',
        )
        return undefined
      }),
    )
}

function createCommand(): Command {
  return serverCommand('create', ['gatehouse keys create laptop --expires 90d'])
    .argument('<name>', 'what the key is for')
    .option('--expires <time>', 'day, time or duration after which the key expires')
    .description('Create an API key of your own; it is printed once')
    .action((name: string, options: ServerOptions & { readonly expires?: string }) =>
      runOnServer(options, async ({ client, output, signal }) => {
        const { expires } = options
        const attributes = {
          name,
          ...(expires !== undefined && { expires_at: parseExpiry(expires, '--expires', Date.now()) }),
        }
        const body = { data: { type: 'api_key', attributes } } as const
        const { data } = await client.call('createOwnApiKey', { body, idempotencyKey: randomUUID(), signal })
        output.record(data, {
          Name: data.attributes.name,
          Id: data.id,
          'API key': data.attributes.api_key,
          Expires: data.attributes.expires_at,
        })
        console.error('The key is shown only now. Store it.')
        return undefined
      }),
    )
}

function deleteCommand(): Command {
  return serverCommand('delete', ['gatehouse keys delete 6f1c2a34-… --yes'])
    .argument('<id>', 'id of the key')
    .option(...USER_OPTION)
    .option('--yes', 'do not ask')
    .description('Revoke an API key')
    .action((key_id: string, options: ServerOptions & OwnerOptions & { yes?: true }) =>
      runOnServer(options, async (session) => {
        const { client, output, signal } = session
        const owner = await findOwner(session, options)
        await confirm(`API key ${key_id} is refused from now on. This cannot be undone.`, { ...options, signal })
        if (owner === undefined) await client.call('deleteOwnApiKey', { params: { key_id }, signal })
        else await client.call('deleteUserApiKey', { params: { ...owner, key_id }, signal })
        output.sentence({ id: key_id, deleted: true }, `Deleted ${key_id}.`)
        return undefined
      }),
    )
}

interface Owner {
  readonly group_id: string
  readonly user_id: string
}

/** Returns the chosen user in the group of the organization; undefined for the caller. */
async function findOwner(session: ServerSession, { user }: OwnerOptions): Promise<Owner | undefined> {
  if (user === undefined) return undefined
  const { client, orgId, signal } = session
  const { data: org } = await client.call('getOrg', { params: { org_id: await orgId() }, signal })
  const { group_id } = org.attributes
  return { group_id, user_id: isUuid(user) ? user : await findUser(client, { group_id, email: user, signal }) }
}

interface UserSearch {
  readonly group_id: string
  readonly email: string
  readonly signal: AbortSignal
}

async function findUser(client: Client, { group_id, email, signal }: UserSearch): Promise<string> {
  const { data } = await client.call('listUsers', { params: { group_id }, query: { email }, signal })
  const found = data.find(({ attributes }) => attributes.email.toLowerCase() === email.toLowerCase())
  if (found === undefined) throw new ClientFailure(`No user of the group has the email address ${email}.`)
  return found.id
}
